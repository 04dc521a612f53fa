#include "harness/cuda/instrument.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/cuda/wait_kernel.cuh"

namespace bench::cuda {
namespace {

__global__ void nothing_kernel() {}

/// The sum is used, so that the compiler must read; it is 0, so that nothing is written.
__global__ void read_kernel(const unsigned* data, std::size_t words, unsigned* never_written) {
  unsigned sum = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += stride) {
    sum += data[i];
  }
  if (sum != 0) *never_written = sum;
}

}  // namespace

void launch_nothing() { launch_unrecorded(nothing_kernel, {1, 1}); }

void launch_read(unsigned blocks, const unsigned* data, std::size_t words,
                 unsigned* never_written) {
  constexpr unsigned block = 256;
  launch_unrecorded(read_kernel, {blocks, block}, data, words, never_written);
}

void launch_wait(volatile unsigned* words, unsigned long long cycles) {
  launch_unrecorded(wait_kernel, {1, 1}, words, cycles);
}

}  // namespace bench::cuda
