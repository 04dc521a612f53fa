// What has no word in CUDA's language: single instructions of NVIDIA's devices.
#pragma once

#include <cstdint>
#include <cstring>

#include "harness/cuda/runtime.hpp"
#include "harness/cuda/wide.hpp"

namespace bench::cuda {

// As instructions: an assignment may be split up where another branch stores the same elements one
// by one, and the intrinsic __stwb() is a strong store, which the others of a ladder are not.

/// Writes a Wide to an address that is a multiple of 16 bytes, in one access.
__device__ inline void store_wide(float* to, const Wide<float>& v) {
  asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(v.lane[0]), "f"(v.lane[1]),
               "f"(v.lane[2]), "f"(v.lane[3])
               : "memory");
}
__device__ inline void store_wide(double* to, const Wide<double>& v) {
  asm volatile("st.global.v2.f64 [%0], {%1, %2};" ::"l"(to), "d"(v.lane[0]), "d"(v.lane[1])
               : "memory");
}
__device__ inline void store_wide(unsigned* to, const Wide<unsigned>& v) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(v.lane[0]), "r"(v.lane[1]),
               "r"(v.lane[2]), "r"(v.lane[3])
               : "memory");
}
__device__ inline void store_wide(std::int16_t* to, const Wide<std::int16_t>& all) {
  uint4 v;
  memcpy(&v, &all, sizeof v);
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(v.x), "r"(v.y), "r"(v.z),
               "r"(v.w)
               : "memory");
}

/// 2^x and 1/√x by one instruction of the special function unit: within 2^-22 of the result (f64:
/// its upper half, some 20 bits). Denormal numbers count as zero.
__device__ inline float fast_exp2(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
__device__ inline float fast_rsqrt(float x) {
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
__device__ inline double fast_rsqrt(double x) {
  double result;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(result) : "d"(x));
  return result;
}

/// Rounds towards zero, as one instruction converts: what no unsigned holds becomes 0 or the
/// largest.
__device__ inline unsigned to_unsigned(float x) { return __float2uint_rz(x); }
__device__ inline unsigned to_unsigned(double x) { return __double2uint_rz(x); }

/// Counters in shared memory, by their address there. The move keeps it in a register: the compiler
/// would ask for the begin of the block's shared memory (S2UR, tens of cycles) at each addition.
class SharedCounters {
 public:
  __device__ explicit SharedCounters(unsigned* first)
      : first_(static_cast<unsigned>(__cvta_generic_to_shared(first))) {
    asm volatile("mov.u32 %0, %0;" : "+r"(first_));
  }

  __device__ void add(unsigned counter, unsigned count) const {
    asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(first_ + 4 * counter), "r"(count) : "memory");
  }
  /// Returns what was there before.
  __device__ unsigned exchange_add(unsigned counter, unsigned count) const {
    unsigned before;
    asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "r"(first_ + 4 * counter), "r"(count)
                 : "memory");
    return before;
  }

 private:
  unsigned first_;
};

}  // namespace bench::cuda
