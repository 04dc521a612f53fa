// What somebody's CUDA file finds where g++ compiles it for the stand-in: beside what our own
// kernels use, the words of the language that a course teaches. Included before its first line.
#pragma once

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>
#include <utility>

#include "harness/cuda/stand_in/control.hpp"
#include "harness/cuda/stand_in/cuda_runtime.hpp"
#include "harness/cuda/stand_in/sanitizers.hpp"

// Internal linkage: shared arrays of templates would not fit into one section else.
#undef __global__
#define __global__ static
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __grid_constant__

// ---- types of several numbers ----

#define BENCH_VECTORS(type, name, bytes)                           \
  struct name##1 {                                                 \
    type x;                                                        \
  };                                                               \
  struct __attribute__((aligned(2 * sizeof(type)))) name##2 {      \
    type x, y;                                                     \
  };                                                               \
  struct BENCH_##name##3 {                                         \
    type x, y, z;                                                  \
  };                                                               \
  struct __attribute__((aligned(bytes))) name##4 {                 \
    type x, y, z, w;                                               \
  };                                                               \
  inline name##2 make_##name##2(type x, type y) { return {x, y}; } \
  inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
BENCH_VECTORS(float, float, 16)
BENCH_VECTORS(double, double, 16)
BENCH_VECTORS(int, int, 16)
BENCH_VECTORS(unsigned, uint, 16)
BENCH_VECTORS(unsigned char, uchar, 4)
#undef BENCH_VECTORS
using float3 = BENCH_float3;
using double3 = BENCH_double3;
using int3 = BENCH_int3;
inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }

// ---- functions ----

// For std::min() and std::max() beside them: no templates where both arguments are alike.
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
inline float __frcp_rn(float x) { return 1 / x; }
inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
inline float __saturatef(float x) { return fminf(fmaxf(x, 0), 1); }
inline int __float2int_rd(float x) { return static_cast<int>(floorf(x)); }
inline int __float2int_rz(float x) { return static_cast<int>(x); }
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(uint64_t{a} * b >> 32U);
}
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned>(bits)); }

template <class T>
T __ldg(const T* from) {
  return *from;
}

template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize) {
  return bench::cuda::stand_in::exchange(mask, value, bench::cuda::stand_in::lane() - delta, width);
}
/// Who comes here later has seen what was done before.
inline void __threadfence() {
  static char fence;
  bench::cuda::stand_in::tsan_release(&fence);
  bench::cuda::stand_in::tsan_acquire(&fence);
}
inline void __threadfence_block() { __threadfence(); }
inline unsigned __activemask() { return ~0U; }
inline int __float_as_int(float x) {
  int bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float __int_as_float(int bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

template <class T, class F>
T bench_atomically(T* address, F change) {
  bench::cuda::stand_in::give_way();
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
template <class T>
T atomicCAS(T* address, Same<T> compare, Same<T> value) {
  return bench_atomically(address, [=](T old) { return old == compare ? value : old; });
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

// ---- launches ----

namespace bench_guest {

/// The first launch that the device refused, with its line.
inline char refused_launch[256];

/// A kernel that is a template has no address: who asks for more shared memory asks for all.
inline const void* any_kernel() { return refused_launch; }

/// kernel<<<grid, block, shared_bytes, stream>>>(arguments) of a line.
struct Launch {
  Launch(int line_, dim3 grid_, dim3 block_, size_t shared_bytes_ = 0,
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
    if (status == cudaSuccess || refused_launch[0] != '\0') return;
    snprintf(refused_launch, sizeof refused_launch,
             "line %d: the launch <<<(%u,%u,%u), (%u,%u,%u), %zu>>> is refused: %s", line, grid.x,
             grid.y, grid.z, block.x, block.y, block.z, shared_bytes, cudaGetErrorString(status));
  }

  template <class T>
  void look_at(int number, const T& argument) const {
    using Type = std::decay_t<T>;
    if constexpr (std::is_pointer_v<Type> && !std::is_function_v<std::remove_pointer_t<Type>>) {
      const void* const memory = argument;
      if (memory == nullptr || bench::cuda::stand_in::within_reach(memory)) return;
      bench::cuda::stand_in::fail_next("cudaLaunchKernel", cudaErrorIllegalAddress);
      if (refused_launch[0] != '\0') return;
      snprintf(
          refused_launch, sizeof refused_launch,
          "line %d: argument %d of the kernel lies in the host's memory, where no kernel gets: "
          "cudaMalloc and cudaMemcpy bring it to the device",
          line, number);
    }
  }

  int line;
  dim3 grid;
  dim3 block;
  size_t shared_bytes;
  cudaStream_t stream;
};

}  // namespace bench_guest

// ---- what a course calls, too ----

inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking);
}

template <class T>
cudaError_t cudaMallocManaged(T** memory, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  void* any = nullptr;
  const cudaError_t status = cudaMallocManaged(&any, bytes, flags);
  *memory = static_cast<T*>(any);
  return status;
}

/// Pinned memory of the host.
template <class T>
cudaError_t cudaMallocHost(T** memory, size_t bytes) {
  *memory = static_cast<T*>(malloc(bytes));
  return cudaHostRegister(*memory, bytes, cudaHostRegisterDefault);
}
inline cudaError_t cudaFreeHost(void* memory) {
  const cudaError_t status = cudaHostUnregister(memory);
  free(memory);
  return status;
}

/// Constant memory, which lies where the host's does.
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) return status;
  if (kind != cudaMemcpyHostToDevice) return cudaErrorNotSupported;
  if (offset + bytes > sizeof symbol) return cudaErrorInvalidValue;
  memcpy(reinterpret_cast<char*>(&symbol) + offset, from, bytes);
  return cudaSuccess;
}

template <class... P>
cudaError_t cudaFuncSetAttribute(void (*)(P...), cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(bench_guest::any_kernel(), attribute, value);
}
