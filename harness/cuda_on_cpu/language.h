// What a user's CUDA file finds where g++ compiles it for the stand-in: next to what our own
// kernels use, the words of the language that a course teaches. Included before its first line.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <limits>
#include <type_traits>
#include <utility>

#include "harness/cuda_on_cpu/control.hpp"
#include "harness/cuda_on_cpu/cuda_runtime.hpp"
#include "harness/cuda_on_cpu/sanitizers.hpp"

// Internal linkage: shared arrays of templates would not fit into one section else.
#undef __global__
#define __global__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__
#define __CUDACC__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_EXTENDED_LAMBDA__

// ---- types of several numbers ----

// With the alignment of two and of four of them.
#define BENCH_VECTORS(type, name, two, four)                                  \
  struct name##1 {                                                            \
    type x;                                                                   \
  };                                                                          \
  struct __attribute__((aligned(two))) name##2 {                              \
    type x, y;                                                                \
  };                                                                          \
  struct __attribute__((aligned(four))) name##4 {                             \
    type x, y, z, w;                                                          \
  };                                                                          \
  inline name##1 make_##name##1(type x) { return {x}; }                       \
  inline name##2 make_##name##2(type x, type y) { return {x, y}; }            \
  inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
  inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
#define BENCH_VECTORS_AND_3(type, name, two, four) \
  struct name##3 {                                 \
    type x, y, z;                                  \
  };                                               \
  BENCH_VECTORS(type, name, two, four)
BENCH_VECTORS_AND_3(signed char, char, 2, 4)
BENCH_VECTORS_AND_3(unsigned char, uchar, 2, 4)
BENCH_VECTORS_AND_3(short, short, 4, 8)
BENCH_VECTORS_AND_3(unsigned short, ushort, 4, 8)
BENCH_VECTORS_AND_3(int, int, 8, 16)
BENCH_VECTORS(unsigned, uint, 8, 16)
BENCH_VECTORS_AND_3(long, long, 16, 16)
BENCH_VECTORS_AND_3(unsigned long, ulong, 16, 16)
BENCH_VECTORS_AND_3(long long, longlong, 16, 16)
BENCH_VECTORS_AND_3(unsigned long long, ulonglong, 16, 16)
BENCH_VECTORS_AND_3(float, float, 8, 16)
BENCH_VECTORS_AND_3(double, double, 16, 16)
#undef BENCH_VECTORS_AND_3
#undef BENCH_VECTORS

// ---- functions ----

// For std::min() and std::max() next to them: no templates where both arguments are alike.
#define BENCH_LEAST_AND_MOST(type)                          \
  inline type min(type a, type b) { return b < a ? b : a; } \
  inline type max(type a, type b) { return a < b ? b : a; }
BENCH_LEAST_AND_MOST(int)
BENCH_LEAST_AND_MOST(unsigned)
BENCH_LEAST_AND_MOST(long)
BENCH_LEAST_AND_MOST(unsigned long)
BENCH_LEAST_AND_MOST(long long)
BENCH_LEAST_AND_MOST(unsigned long long)
BENCH_LEAST_AND_MOST(float)
BENCH_LEAST_AND_MOST(double)
#undef BENCH_LEAST_AND_MOST
template <class A, class B, class = std::enable_if_t<!std::is_same_v<A, B>>>
auto min(A a, B b) {
  using Both = std::common_type_t<A, B>;
  return static_cast<Both>(b) < static_cast<Both>(a) ? static_cast<Both>(b) : static_cast<Both>(a);
}
template <class A, class B, class = std::enable_if_t<!std::is_same_v<A, B>>>
auto max(A a, B b) {
  using Both = std::common_type_t<A, B>;
  return static_cast<Both>(a) < static_cast<Both>(b) ? static_cast<Both>(b) : static_cast<Both>(a);
}

inline float rsqrtf(float x) { return 1 / sqrtf(x); }
inline double rsqrt(double x) { return 1 / sqrt(x); }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __tanf(float x) { return tanf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __log10f(float x) { return log10f(x); }
inline float __exp10f(float x) { return powf(10, x); }
inline void __sincosf(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }
inline float sinpif(float x) { return static_cast<float>(sin(M_PI * fmod(x, 2))); }
inline float cospif(float x) { return static_cast<float>(cos(M_PI * fmod(x, 2))); }
inline double sinpi(double x) { return sin(M_PI * fmod(x, 2)); }
inline double cospi(double x) { return cos(M_PI * fmod(x, 2)); }
inline float rcbrtf(float x) { return 1 / cbrtf(x); }
inline float norm3df(float x, float y, float z) { return hypotf(hypotf(x, y), z); }
inline float rhypotf(float x, float y) { return 1 / hypotf(x, y); }
inline float normcdff(float x) { return erfcf(x * -0.70710678118654752F) / 2; }
inline float fdividef(float x, float y) { return x / y; }

#define CUDART_PI_F 3.141592653589793F
#define CUDART_PI 3.141592653589793
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_NAN __builtin_nan("")
#define CUDART_SQRT_TWO_F 1.4142135623730951F
#define CUDART_MAX_NORMAL_F 3.4028234664e38F

// To the nearest, as everything here.
#define BENCH_ROUNDED(type, f, d)                                           \
  inline type __##f##add_rn(type x, type y) { return x + y; }               \
  inline type __##f##sub_rn(type x, type y) { return x - y; }               \
  inline type __##f##mul_rn(type x, type y) { return x * y; }               \
  inline type __##f##div_rn(type x, type y) { return x / y; }               \
  inline type __##f##rcp_rn(type x) { return 1 / x; }                       \
  inline type __##f##sqrt_rn(type x) { return static_cast<type>(sqrt(x)); } \
  inline type __fma##d##_rn(type x, type y, type z) { return ::fma##d(x, y, z); }
BENCH_ROUNDED(float, f, f)
BENCH_ROUNDED(double, d, )
#undef BENCH_ROUNDED
inline float __frsqrt_rn(float x) { return 1 / sqrtf(x); }

// From real numbers to whole ones; what no whole number holds becomes the nearest that does.
template <class To, class From>
To bench_whole(From x) {
  if (!(x == x)) return 0;
  constexpr auto most = std::numeric_limits<To>::max();
  constexpr auto least = std::numeric_limits<To>::min();
  if (x >= static_cast<From>(most)) return most;
  return x <= static_cast<From>(least) ? least : static_cast<To>(x);
}
#define BENCH_CONVERSIONS(from, to, type)                                          \
  inline type __##from##2##to##_rn(from x) { return bench_whole<type>(rint(x)); }  \
  inline type __##from##2##to##_rz(from x) { return bench_whole<type>(trunc(x)); } \
  inline type __##from##2##to##_rd(from x) { return bench_whole<type>(floor(x)); } \
  inline type __##from##2##to##_ru(from x) { return bench_whole<type>(ceil(x)); }  \
  inline from __##to##2##from##_rn(type x) { return static_cast<from>(x); }
#define BENCH_ALL_CONVERSIONS(from)       \
  BENCH_CONVERSIONS(from, int, int)       \
  BENCH_CONVERSIONS(from, uint, unsigned) \
  BENCH_CONVERSIONS(from, ll, long long)  \
  BENCH_CONVERSIONS(from, ull, unsigned long long)
BENCH_ALL_CONVERSIONS(float)
BENCH_ALL_CONVERSIONS(double)
#undef BENCH_ALL_CONVERSIONS
#undef BENCH_CONVERSIONS
inline float __double2float_rn(double x) { return static_cast<float>(x); }
inline float __saturatef(float x) { return fminf(fmaxf(x, 0), 1); }
inline int __mulhi(int a, int b) { return static_cast<int>(int64_t{a} * b >> 32); }
inline int __mul24(int a, int b) { return a * b; }
inline int __hadd(int a, int b) { return static_cast<int>((int64_t{a} + b) >> 1); }
inline int __rhadd(int a, int b) { return static_cast<int>((int64_t{a} + b + 1) >> 1); }
inline unsigned __umul24(unsigned a, unsigned b) { return a * b; }
inline unsigned __sad(int a, int b, unsigned c) {
  return c + static_cast<unsigned>(llabs(static_cast<long long>(a) - b));
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(uint64_t{a} * b >> 32U);
}
inline int __ffsll(long long bits) { return __builtin_ffsll(bits); }
inline int __clzll(long long bits) {
  return bits == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(bits));
}
inline unsigned long long __brevll(unsigned long long bits) {
  unsigned long long turned = 0;
  for (int i = 0; i < 64; ++i) turned |= (bits >> i & 1U) << (63 - i);
  return turned;
}
inline unsigned __brev(unsigned bits) { return static_cast<unsigned>(__brevll(bits) >> 32U); }
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32U | low;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    result |= static_cast<unsigned>(both >> (selector >> 4 * i & 7U) * 8 & 0xFFU) << 8 * i;
  }
  return result;
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32U | low;
  return static_cast<unsigned>(both << (shift & 31U) >> 32U);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  const unsigned long long both = static_cast<unsigned long long>(high) << 32U | low;
  return static_cast<unsigned>(both >> (shift & 31U));
}
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned>(bits)); }

// Hints for caches.
#define BENCH_LOAD(name)  \
  template <class T>      \
  T name(const T* from) { \
    return *from;         \
  }
#define BENCH_STORE(name)                                \
  template <class T>                                     \
  void name(T* to, const std::common_type_t<T>& value) { \
    *to = value;                                         \
  }
BENCH_LOAD(__ldg)
BENCH_LOAD(__ldca)
BENCH_LOAD(__ldcg)
BENCH_LOAD(__ldcs)
BENCH_LOAD(__ldlu)
BENCH_LOAD(__ldcv)
BENCH_STORE(__stwb)
BENCH_STORE(__stcg)
BENCH_STORE(__stcs)
BENCH_STORE(__stwt)
#undef BENCH_LOAD
#undef BENCH_STORE

using bench::cuda::stand_in::LaneMask;

/// The lanes of the mask that have the same value.
template <class T>
LaneMask __match_any_sync(LaneMask mask, T value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  const uint64_t* const all = bench::cuda::stand_in::meet(mask, bits);
  LaneMask same = 0;
  for (unsigned i = 0; i < warpSize; ++i) {
    if ((mask >> i & 1U) != 0 && all[i] == bits) same |= LaneMask{1} << i;
  }
  return same;
}
template <class T>
LaneMask __match_all_sync(LaneMask mask, T value, int* all) {
  *all = __match_any_sync(mask, value) == mask;
  return *all ? mask : 0;
}

#define BENCH_REDUCE(name, type, operation)                                                      \
  inline type __reduce_##name##_sync(LaneMask mask, type value) {                                \
    const uint64_t* const all = bench::cuda::stand_in::meet(mask, static_cast<uint64_t>(value)); \
    bool first = true;                                                                           \
    type a = 0;                                                                                  \
    for (unsigned i = 0; i < warpSize; ++i) {                                                    \
      if ((mask >> i & 1U) == 0) continue;                                                       \
      const auto b = static_cast<type>(all[i]);                                                  \
      a = first ? b : operation;                                                                 \
      first = false;                                                                             \
    }                                                                                            \
    return a;                                                                                    \
  }
BENCH_REDUCE(add, unsigned, a + b)
BENCH_REDUCE(min, unsigned, min(a, b))
BENCH_REDUCE(max, unsigned, max(a, b))
BENCH_REDUCE(and, unsigned, a& b)
BENCH_REDUCE(or, unsigned, a | b)
BENCH_REDUCE(xor, unsigned, a ^ b)
BENCH_REDUCE(add, int, a + b)
BENCH_REDUCE(min, int, min(a, b))
BENCH_REDUCE(max, int, max(a, b))
#undef BENCH_REDUCE

/// A fence: threads that come here later have seen what was done before.
inline void __threadfence() {
  static char fence;
  bench::cuda::stand_in::tsan_release(&fence);
  bench::cuda::stand_in::tsan_acquire(&fence);
}
inline int __syncthreads_count(int predicate) {
  static int all;
  bench::cuda::stand_in::share(&all, sizeof all);
  __syncthreads();
  if (bench::cuda::stand_in::position.thread.x + bench::cuda::stand_in::position.thread.y +
          bench::cuda::stand_in::position.thread.z ==
      0) {
    all = 0;
  }
  __syncthreads();
  if (predicate != 0) atomicAdd(&all, 1);
  __syncthreads();
  return all;
}
inline int __syncthreads_or(int predicate) { return __syncthreads_count(predicate) != 0; }
inline int __syncthreads_and(int predicate) { return __syncthreads_count(!predicate) == 0; }
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }
inline void __nanosleep(unsigned) { bench::cuda::stand_in::give_way(); }
[[gnu::noinline]] inline LaneMask __activemask() {
  return static_cast<LaneMask>(bench::cuda::stand_in::active_lanes(__builtin_return_address(0)));
}
inline int __float_as_int(float x) {
  int bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline unsigned __float_as_uint(float x) { return static_cast<unsigned>(__float_as_int(x)); }
inline long long __double_as_longlong(double x) {
  long long bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline double __longlong_as_double(long long bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
inline float __int_as_float(int bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
inline float __uint_as_float(unsigned bits) { return __int_as_float(static_cast<int>(bits)); }

template <class T, class F>
T bench_atomically(T* address, F change) {
  const bench::cuda::stand_in::Atomic operation(address);
  T old;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  for (;;) {
    T wanted = change(old);
    if (__atomic_compare_exchange(address, &old, &wanted, true, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED)) {
      return old;
    }
  }
}
/// A type that is not concluded from this argument.
template <class T>
using Same = std::common_type_t<T>;
template <class T>
T atomicMax(T* address, Same<T> value) {
  return bench_atomically(address, [=](T old) { return old < value ? value : old; });
}
template <class T>
T atomicMin(T* address, Same<T> value) {
  return bench_atomically(address, [=](T old) { return value < old ? value : old; });
}
template <class T>
T atomicExch(T* address, Same<T> value) {
  return bench_atomically(address, [=](T) { return value; });
}
/// Unseen: loops around it, as NVIDIA's guide has them, read first without it.
template <class T>
BENCH_UNSEEN T atomicCAS(T* address, Same<T> compare, Same<T> value) {
  bench::cuda::stand_in::give_way();
  __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return compare;
}
template <class T>
T atomicSub(T* address, Same<T> value) {
  return bench_atomically(address, [=](T old) { return old - value; });
}
template <class T>
T atomicOr(T* address, Same<T> value) {
  return bench_atomically(address, [=](T old) { return old | value; });
}
template <class T>
T atomicAnd(T* address, Same<T> value) {
  return bench_atomically(address, [=](T old) { return old & value; });
}
inline int atomicXor(int* address, int value) {
  return bench_atomically(address, [=](int old) { return old ^ value; });
}
inline unsigned long long atomicXor(unsigned long long* address, unsigned long long value) {
  return bench_atomically(address, [=](unsigned long long old) { return old ^ value; });
}
template <class T>
T atomicAdd_block(T* address, Same<T> value) {
  return atomicAdd(address, value);
}
template <class T>
T atomicAdd_system(T* address, Same<T> value) {
  return atomicAdd(address, value);
}
inline unsigned atomicInc(unsigned* address, unsigned most) {
  return bench_atomically(address, [=](unsigned old) { return old >= most ? 0 : old + 1; });
}
inline unsigned atomicDec(unsigned* address, unsigned most) {
  return bench_atomically(address,
                          [=](unsigned old) { return old == 0 || old > most ? most : old - 1; });
}

// ---- launches ----

namespace bench_guest {

using bench::cuda::stand_in::Line;

/// The first launch or copy that the device refused, with its line.
inline char refused_launch[512];
template <class... Arguments>
void refuse(const Line& line, const char* format, const Arguments&... arguments) {
  if (refused_launch[0] != '\0') return;
  const int length =
      snprintf(refused_launch, 256, "%s%s%d: ", line.header == nullptr ? "line " : line.header,
               line.header == nullptr ? "" : ":", line.number);
  snprintf(refused_launch + length, sizeof refused_launch - 256, format, arguments...);
  if (bench::cuda::stand_in::looks_only()) fprintf(stderr, "%s\n", refused_launch);
}

/// What a grid or a block has too much of.
inline const char* excess(const dim3& grid, const dim3& block) {
  if (grid.y > 65'535 || grid.z > 65'535) return ": at most 65535 blocks in y and in z";
  if (grid.x > INT32_MAX) return ": at most 2147483647 blocks in x";
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return ": it has 0 blocks";
  if (block.x == 0 || block.y == 0 || block.z == 0) return ": its blocks have 0 threads";
  return block.z > 64 ? ": at most 64 threads in z" : ": at most 1024 threads in a block";
}

/// A kernel that is a template has no address: who asks for more shared memory asks for all.
inline const void* any_kernel() { return refused_launch; }

/// kernel<<<grid, block, shared_bytes, stream>>>(arguments) of a line.
struct Launch {
  Launch(const Line& line_, dim3 grid_, dim3 block_, size_t shared_bytes_ = 0,
         cudaStream_t stream_ = nullptr)
      : line(line_), grid(grid_), block(block_), shared_bytes(shared_bytes_), stream(stream_) {}

  /// What the kernel is given: no array of the host.
  template <class... Arguments>
  const Launch& given(const Arguments&... arguments) const {
    int number = 0;
    (look_at(++number, arguments), ...);
    return *this;
  }

  /// `call`: of the kernel, with copies of its arguments, as each thread makes it.
  template <class Call>
  void operator()(const Call& call) const {
    const cudaError_t status = bench::cuda::stand_in::start(
        any_kernel(), grid, block, shared_bytes, stream, bench::cuda::stand_in::call<const Call>,
        std::make_shared<const Call>(call));
    // After a kernel that has failed all is refused.
    if (status == cudaSuccess || status == cudaErrorLaunchFailure) return;
    refuse(line, "the launch <<<(%u,%u,%u), (%u,%u,%u), %zu>>> is refused: %s%s", grid.x, grid.y,
           grid.z, block.x, block.y, block.z, shared_bytes, cudaGetErrorString(status),
           status == cudaErrorInvalidConfiguration ? excess(grid, block) : "");
  }

  template <class T>
  void look_at(int number, const T& argument) const {
    using Type = std::decay_t<T>;
    if constexpr (std::is_pointer_v<Type> && !std::is_function_v<std::remove_pointer_t<Type>>) {
      const void* const memory = argument;
      if (memory == nullptr || bench::cuda::stand_in::within_reach(memory)) return;
      bench::cuda::stand_in::fail_next("cudaLaunchKernel", cudaErrorIllegalAddress);
      refuse(line,
             "argument %d of the kernel is in the host's memory, where no kernel gets: cudaMalloc "
             "and cudaMemcpy bring it to the device",
             number);
    }
  }

  Line line;
  dim3 grid;
  dim3 block;
  size_t shared_bytes;
  cudaStream_t stream;
};

}  // namespace bench_guest

namespace bench_guest {

/// The arrays that a user's function is given: whose they are.
inline const void* lent[32];
inline void lend(const void* array, const void* instead_of = nullptr) {
  for (const void*& one : lent) {
    if (one != instead_of) continue;
    one = array;
    return;
  }
}

inline cudaError_t free_own(const Line& line, const char* text, void* memory) {
  for (const void* const one : lent) {
    if (memory == nullptr || one != memory) continue;
    refuse(line, "cudaFree(%s): this array is not the function's, and is still needed", text);
    bench::cuda::stand_in::fail_next("cudaFree", cudaErrorInvalidValue);
    memory = nullptr;
  }
  return cudaFree(memory);
}

/// The end of the first argument of a call.
inline const char* end_of_argument(const char* text) {
  for (int depth = 0; *text != '\0' && (*text != ',' || depth > 0); ++text) {
    depth += *text == '(' || *text == '[' ? 1 : *text == ')' || *text == ']' ? -1 : 0;
  }
  return text;
}

/// Explains a copy as a first lesson makes it: from the host's memory and back. The arguments of a
/// user's function are on the device already. `text`: the copy's own arguments.
inline void explain_copy(const Line& line, const char* name, const char* text, const void* to,
                         const void* from, cudaMemcpyKind kind) {
  const bool up = kind == cudaMemcpyHostToDevice;
  if (!bench::cuda::stand_in::within_reach(up ? from : to)) return;
  const char* end = end_of_argument(text);
  const char* const begin = !up || *end == '\0' ? text : end + 1 + (end[1] == ' ' ? 1 : 0);
  if (up) end = end_of_argument(begin);
  refuse(line, "%s(%s): %.*s is on the device already; %s", name, text,
         static_cast<int>(end - begin), begin,
         up ? "launch on it, without a copy" : "let the kernel write there, without a copy");
}
inline cudaError_t copy(const Line& line, const char* text, void* to, const void* from,
                        size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t status = cudaMemcpy(to, from, bytes, kind);
  if (status != cudaSuccess) explain_copy(line, "cudaMemcpy", text, to, from, kind);
  return status;
}
inline cudaError_t copy_async(const Line& line, const char* text, void* to, const void* from,
                              size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr) {
  const cudaError_t status = cudaMemcpyAsync(to, from, bytes, kind, stream);
  if (status != cudaSuccess) explain_copy(line, "cudaMemcpyAsync", text, to, from, kind);
  return status;
}

}  // namespace bench_guest

// ---- what a course calls, too ----

inline cudaError_t cudaDeviceReset() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
template <class... P>
cudaError_t cudaFuncSetCacheConfig(void (*)(P...), cudaFuncCache) {
  return cudaSuccess;
}
enum { cudaStreamDefault = 0, cudaHostAllocDefault = 0, cudaHostAllocPortable = 1 };

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

template <class T>
cudaError_t cudaMallocManaged(T** memory, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  void* any = nullptr;
  const cudaError_t status = cudaMallocManaged(&any, bytes, flags);
  *memory = static_cast<T*>(any);
  return status;
}

template <class T>
cudaError_t cudaMallocAsync(T** memory, size_t bytes, cudaStream_t) {
  return cudaMalloc(memory, bytes);
}
inline cudaError_t cudaFreeAsync(void* memory, cudaStream_t) { return cudaFree(memory); }

/// Pinned memory of the host.
template <class T>
cudaError_t cudaMallocHost(T** memory, size_t bytes) {
  *memory = static_cast<T*>(malloc(bytes));
  return cudaHostRegister(*memory, bytes, cudaHostRegisterDefault);
}
template <class T>
cudaError_t cudaHostAlloc(T** memory, size_t bytes, unsigned) {
  return cudaMallocHost(memory, bytes);
}
inline cudaError_t cudaFreeHost(void* memory) {
  cudaDeviceSynchronize();  // as on a device
  const cudaError_t status = cudaHostUnregister(memory);
  free(memory);
  return status;
}

/// Constant memory, which lies where the host's does.
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice) {
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) return status;
  if (offset + bytes > sizeof symbol) return cudaErrorInvalidValue;
  memcpy(reinterpret_cast<char*>(&symbol) + offset, from, bytes);
  return cudaSuccess;
}

template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost) {
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) return status;
  if (offset + bytes > sizeof symbol) return cudaErrorInvalidValue;
  memcpy(to, reinterpret_cast<const char*>(&symbol) + offset, bytes);
  bench::cuda::stand_in::seen_by_host();
  return cudaSuccess;
}

template <class T>
cudaError_t cudaGetSymbolAddress(void** address, T& symbol) {
  *address = &symbol;
  if (cudaHostRegister(&symbol, sizeof symbol, cudaHostRegisterDefault) != cudaSuccess) {
    cudaGetLastError();  // it was asked for before
  }
  return cudaSuccess;
}

/// Rows that begin at multiples of 512 bytes.
template <class T>
cudaError_t cudaMallocPitch(T** memory, size_t* pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return cudaMalloc(memory, *pitch * height);
}
inline cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                size_t width, size_t height, cudaMemcpyKind kind) {
  const cudaError_t status = cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind);
  return status == cudaSuccess ? cudaDeviceSynchronize() : status;
}
inline cudaError_t cudaMemset2D(void* memory, size_t pitch, int value, size_t width,
                                size_t height) {
  cudaError_t status = cudaSuccess;
  for (size_t row = 0; row < height && status == cudaSuccess; ++row) {
    status = cudaMemset(static_cast<char*>(memory) + row * pitch, value, width);
  }
  return status;
}

template <class... P>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...),
                                                          int threads, size_t shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      blocks, reinterpret_cast<const void*>(kernel), threads, shared_bytes);
}
template <class... P>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* least_blocks, int* threads,
                                               void (*kernel)(P...), size_t shared_bytes = 0,
                                               int most = 0) {
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  *threads = most > 0 && most < 256 ? most : 256;
  const cudaError_t status =
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(least_blocks, kernel, *threads, shared_bytes);
  *least_blocks *= multiprocessors;
  return status;
}
template <class... P>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}

template <class... P>
cudaError_t cudaFuncSetAttribute(void (*)(P...), cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(bench_guest::any_kernel(), attribute, value);
}
