// The CUDA runtime: the real one in builds with CUDA, HIP's under the same names in builds with
// HIP, otherwise one that runs kernels on the CPU.
#pragma once

#include <cstddef>

#if defined(BENCH_WITH_CUDA)
#include <cuda_runtime.h>
#elif defined(BENCH_WITH_HIP)
#include "harness/cuda/hip/runtime.hpp"
#else
#include "harness/cuda_on_cpu/cuda_runtime.hpp"
#endif

namespace bench::cuda {

/// Launches `kernel`; `arguments` point to its arguments.
template <class... P>
cudaError_t launch_kernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                          std::size_t shared_bytes, cudaStream_t stream) {
#if defined(BENCH_WITH_CUDA) || defined(BENCH_WITH_HIP)
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                          shared_bytes, stream);
#else
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
#endif
}

/// The same of a grid whose blocks may wait for each other.
template <class... P>
cudaError_t launch_cooperative_kernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared_bytes, cudaStream_t stream) {
#if defined(BENCH_WITH_CUDA) || defined(BENCH_WITH_HIP)
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments,
                                     shared_bytes, stream);
#else
  return cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared_bytes, stream);
#endif
}

}  // namespace bench::cuda
