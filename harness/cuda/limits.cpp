#include "harness/cuda/limits.hpp"

#include "harness/cuda/launch.hpp"

namespace bench::cuda {
namespace {

/// Results per clock of additions, multiplications and both at once, of one multiprocessor: the
/// table of arithmetic instructions in NVIDIA's CUDA C++ Programming Guide.
struct Units {
  int major;
  int minor;
  int f32;
  int f64;
};
constexpr Units known[] = {{6, 0, 64, 32},   {6, 1, 128, 4}, {7, 0, 64, 32}, {7, 5, 64, 2},
                           {8, 0, 64, 32},   {8, 6, 128, 2}, {8, 9, 128, 2}, {9, 0, 128, 64},
                           {10, 0, 128, 64}, {12, 0, 128, 2}};

}  // namespace

GpuLimits limits(int device, int major, int minor) {
  const auto most = [device](cudaDeviceAttr attribute) {
    return known_attribute(attribute, device);
  };
  GpuLimits all;
  all.warp = most(cudaDevAttrWarpSize);
  all.threads_per_block = most(cudaDevAttrMaxThreadsPerBlock);
  all.block = {most(cudaDevAttrMaxBlockDimX), most(cudaDevAttrMaxBlockDimY),
               most(cudaDevAttrMaxBlockDimZ)};
  all.grid = {most(cudaDevAttrMaxGridDimX), most(cudaDevAttrMaxGridDimY),
              most(cudaDevAttrMaxGridDimZ)};
  all.shared_bytes_per_block = most(cudaDevAttrMaxSharedMemoryPerBlock);
  all.shared_bytes_per_block_opt_in = most(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  all.registers_per_block = most(cudaDevAttrMaxRegistersPerBlock);
  all.threads_per_multiprocessor = most(cudaDevAttrMaxThreadsPerMultiProcessor);
  all.blocks_per_multiprocessor = most(cudaDevAttrMaxBlocksPerMultiprocessor);
  all.shared_bytes_per_multiprocessor = most(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  all.registers_per_multiprocessor = most(cudaDevAttrMaxRegistersPerMultiprocessor);
  for (const Units& one : known) {
    if (one.major != major || one.minor != minor) continue;
    all.f32_per_clock_per_multiprocessor = one.f32;
    all.f64_per_clock_per_multiprocessor = one.f64;
  }
  return all;
}

}  // namespace bench::cuda
