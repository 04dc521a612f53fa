// What a CUDA ladder file sees of the harness. The build compiles each file once per precision.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "harness/base/half.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/cuda/overlap.hpp"
#include "harness/cuda/warp.hpp"
#include "harness/cuda/wide.hpp"
#include "harness/simd/unordered.hpp"
#include "harness/workload/variant.hpp"

#if defined(BENCH_WITH_CUDA)
#include "harness/cuda/instructions.hpp"
#elif defined(BENCH_WITH_HIP)
#include "harness/cuda/hip/instructions.hpp"
#endif

namespace {

using bench::Half;
using Real = BENCH_REAL;  // float, double, uint32_t, int16_t or Half

}  // namespace

namespace bench::cuda {

/// What is said of a library where it is NVIDIA's, and where it is AMD's.
constexpr const char* by_vendor([[maybe_unused]] const char* nvidia,
                                [[maybe_unused]] const char* amd) {
#if defined(BENCH_WITH_HIP)
  return amd;
#else
  return nvidia;
#endif
}

#if defined(BENCH_WITH_CUDA) || defined(BENCH_WITH_HIP)

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
template <class T>
__device__ Wide<T> load_wide(const T* from) {
  static_assert(sizeof(T) == 2, "types of other sizes are above");
  const uint4 v = *reinterpret_cast<const uint4*>(from);
  Wide<T> all;
  memcpy(&all, &v, sizeof all);
  return all;
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
