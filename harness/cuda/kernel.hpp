// What a CUDA ladder file sees of the harness. The build compiles each file once per precision.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "harness/cuda/launch.hpp"
#include "harness/cuda/overlap.hpp"
#include "harness/cuda/warp.hpp"
#include "harness/simd/unordered.hpp"
#include "harness/workload/variant.hpp"

namespace {

using Real = BENCH_REAL;  // float, double, uint32_t or int16_t

}  // namespace

namespace bench::cuda {

/// What one 128-bit access moves: 8 short integers, 4 floats or 2 doubles.
template <class T>
struct alignas(16) Wide {
  static constexpr std::size_t lanes = 16 / sizeof(T);
  T lane[lanes];
};

#if defined(BENCH_WITH_CUDA)

/// Before a loop of a fixed length: no counter, and arrays that it indexes stay in registers.
#define BENCH_UNROLL _Pragma("unroll")

// The compiler's own vector types.

/// Reads a Wide from an address that is a multiple of 16 bytes, in one access.
__device__ inline Wide<float> load_wide(const float* from) {
  const float4 v = *reinterpret_cast<const float4*>(from);
  return {{v.x, v.y, v.z, v.w}};
}
__device__ inline Wide<double> load_wide(const double* from) {
  const double2 v = *reinterpret_cast<const double2*>(from);
  return {{v.x, v.y}};
}
__device__ inline Wide<unsigned> load_wide(const unsigned* from) {
  const uint4 v = *reinterpret_cast<const uint4*>(from);
  return {{v.x, v.y, v.z, v.w}};
}
__device__ inline Wide<std::int16_t> load_wide(const std::int16_t* from) {
  const uint4 v = *reinterpret_cast<const uint4*>(from);
  Wide<std::int16_t> all;
  memcpy(&all, &v, sizeof all);
  return all;
}

// As instructions: an assignment may be split up where another branch stores the same elements one
// by one, and the intrinsic __stwb() is a strong store, which the others of a ladder are not.

/// Writes a Wide to such an address.
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

/// The sine by the special function unit: within ±π an absolute error below 2^-21, which grows
/// beyond. f64 has no such unit: these are the library's.
__device__ inline float fast_sin(float x) { return __sinf(x); }
__device__ inline float fast_cos(float x) { return __cosf(x); }
__device__ inline double fast_sin(double x) { return std::sin(x); }
__device__ inline double fast_cos(double x) { return std::cos(x); }
/// Both of an angle, which is reduced once.
__device__ inline void sine_and_cosine(float x, float* sine, float* cosine) {
  sincosf(x, sine, cosine);
}
__device__ inline void sine_and_cosine(double x, double* sine, double* cosine) {
  sincos(x, sine, cosine);
}

/// Rounds towards zero, as one instruction converts: what no unsigned holds becomes 0 or the
/// largest.
__device__ inline unsigned to_unsigned(float x) { return __float2uint_rz(x); }
__device__ inline unsigned to_unsigned(double x) { return __double2uint_rz(x); }

// Unordered accesses by several threads, only for variants that show what is lost by
// it.
template <class T>
__device__ T unordered_load(const T& from) {
  return *static_cast<const volatile T*>(&from);
}
template <class T>
__device__ void unordered_store(T& to, T value) {
  *static_cast<volatile T*>(&to) = value;
}

/// Sets a flag that another block waits for. Who has seen it by awaited() has also seen what the
/// calling thread stored before.
__device__ inline void publish(unsigned& flag, unsigned value) {
  __threadfence();
  unordered_store(flag, value);
}
/// The value of a flag, as soon as it is not 0.
__device__ inline unsigned awaited(const unsigned& flag) {
  unsigned value = 0;
  while ((value = unordered_load(flag)) == 0) {
  }
  __threadfence();
  return value;
}

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

/// The shared memory whose size is in the launch's configuration.
template <class T>
__device__ T* dynamic_shared() {
  extern __shared__ __align__(16) unsigned char dynamic_shared_bytes[];
  return reinterpret_cast<T*>(dynamic_shared_bytes);
}

#else  // the same on the CPU

#define BENCH_UNROLL

// By references: UndefinedBehaviorSanitizer looks at their alignment, not at a copy's.
template <class T>
Wide<T> load_wide(const T* from) {
  const auto& all = *reinterpret_cast<const Wide<T>*>(from);
  return all;
}
template <class T>
void store_wide(T* to, const Wide<T>& v) {
  auto& all = *reinterpret_cast<Wide<T>*>(to);
  all = v;
}
template <class T>
unsigned to_unsigned(T x) {
  constexpr T beyond = 4294967296;
  if (!(x > 0)) return 0;
  return x < beyond ? static_cast<unsigned>(x) : ~0U;
}
inline float fast_exp2(float x) { return std::exp2(x); }
inline float fast_rsqrt(float x) { return 1 / std::sqrt(x); }
/// A root as inexact as there, so that what refines it is tested.
inline double fast_rsqrt(double x) {
  const double result = 1 / std::sqrt(x);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &result, sizeof bits);
  bits &= ~std::uint64_t{0xFFFFFFFF};
  double upper = 0;
  std::memcpy(&upper, &bits, sizeof upper);
  return upper;
}
template <class T>
T fast_sin(T x) {
  return std::sin(x);
}
template <class T>
T fast_cos(T x) {
  return std::cos(x);
}
template <class T>
void sine_and_cosine(T x, T* sine, T* cosine) {
  *sine = std::sin(x);
  *cosine = std::cos(x);
}
using simd::unordered_load;
using simd::unordered_store;
inline void publish(unsigned& flag, unsigned value) {
  stand_in::give_way();
  __atomic_store_n(&flag, value, __ATOMIC_RELEASE);
}
inline unsigned awaited(const unsigned& flag) {
  for (;;) {
    if (const unsigned value = __atomic_load_n(&flag, __ATOMIC_ACQUIRE); value != 0) return value;
    stand_in::wait_for(&flag);
  }
}
class SharedCounters {
 public:
  explicit SharedCounters(unsigned* first) : first_(first) {}
  void add(unsigned counter, unsigned count) const { atomicAdd(first_ + counter, count); }
  unsigned exchange_add(unsigned counter, unsigned count) const {
    return atomicAdd(first_ + counter, count);
  }

 private:
  unsigned* first_;
};
template <class T>
T* dynamic_shared() {
  return static_cast<T*>(stand_in::dynamic_shared_bytes());
}

#endif

}  // namespace bench::cuda
