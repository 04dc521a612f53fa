#include "harness/cuda/instrument.hpp"
#include "harness/cuda/launch.hpp"

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

__global__ void wait_kernel(volatile unsigned* words, unsigned long long cycles) {
  const auto begin = static_cast<unsigned long long>(clock64());
  while (words[0] == 0) {
    if (static_cast<unsigned long long>(clock64()) - begin < cycles) continue;
    words[1] = 1;
    return;
  }
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
