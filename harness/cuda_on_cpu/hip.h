// What a user's HIP file finds in addition: the words that CUDA does not have. Those that begin
// with `hip` are CUDA's by then (harness/guests/translate.hpp). Warps have 64 lanes.
#pragma once

#include "harness/cuda_on_cpu/language.h"

#define __HIPCC__
#define __HIP_PLATFORM_AMD__
#undef __CUDACC__
#undef __CUDACC_VER_MAJOR__
#undef __CUDACC_VER_MINOR__
#undef __CUDACC_EXTENDED_LAMBDA__
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(symbol) symbol
#define cudaErrorOutOfMemory cudaErrorMemoryAllocation
using cudaDeviceProp_t = cudaDeviceProp;
template <class T>
cudaError_t cudaHostMalloc(T** memory, std::size_t bytes, unsigned = 0) {
  return cudaMallocHost(memory, bytes);
}
inline cudaError_t cudaHostFree(void* memory) { return cudaFreeHost(memory); }

// Without a mask: of those lanes that come to this place.
#define BENCH_OF_ALL_HERE [[gnu::always_inline]] inline
template <class T>
BENCH_OF_ALL_HERE T __shfl(T value, int from, int width = warpSize) {
  return __shfl_sync(__activemask(), value, from, width);
}
template <class T>
BENCH_OF_ALL_HERE T __shfl_down(T value, unsigned delta, int width = warpSize) {
  return __shfl_down_sync(__activemask(), value, delta, width);
}
template <class T>
BENCH_OF_ALL_HERE T __shfl_up(T value, unsigned delta, int width = warpSize) {
  return __shfl_up_sync(__activemask(), value, delta, width);
}
template <class T>
BENCH_OF_ALL_HERE T __shfl_xor(T value, int lanes, int width = warpSize) {
  return __shfl_xor_sync(__activemask(), value, lanes, width);
}
BENCH_OF_ALL_HERE unsigned long long __ballot(int predicate) {
  return __ballot_sync(__activemask(), predicate);
}
BENCH_OF_ALL_HERE int __any(int predicate) { return __any_sync(__activemask(), predicate); }
BENCH_OF_ALL_HERE int __all(int predicate) { return __all_sync(__activemask(), predicate); }
inline unsigned __lane_id() { return bench::cuda::stand_in::lane(); }
#undef BENCH_OF_ALL_HERE
