#include <algorithm>

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

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): each bit of its argument changes half
/// of the result's.
__device__ unsigned long long mixed(unsigned long long z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31U);
}

__global__ void digest_kernel(const unsigned* words, std::size_t count,
                              unsigned long long* digest) {
  constexpr unsigned long long golden = 0x9e3779b97f4a7c15ULL;
  unsigned long long sum = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    sum += mixed(words[i] + (i + 1) * golden);
  }
  atomicAdd(digest, sum);
}

/// A block for each.
__global__ void move_kernel(Moves moves) {
  const Move& move = moves.all[blockIdx.x];
  for (std::size_t i = threadIdx.x; i < move.bytes; i += blockDim.x) {
    static_cast<unsigned char*>(move.to)[i] = static_cast<const unsigned char*>(move.from)[i];
  }
}

/// A block for each.
__global__ void compare_kernel(BandList bands, unsigned long long* others) {
  const Band& band = bands.all[blockIdx.x];
  for (std::size_t i = threadIdx.x; i < band.bytes; i += blockDim.x) {
    if (band.data[i] != band.value) atomicAdd(others, 1ULL);
  }
}

}  // namespace

void launch_nothing() { launch_unrecorded(nothing_kernel, {1, 1}); }

void launch_read(unsigned blocks, const unsigned* data, std::size_t words,
                 unsigned* never_written) {
  constexpr unsigned block = 256;
  launch_unrecorded(read_kernel, {blocks, block}, data, words, never_written);
}

void launch_digest(const unsigned* words, std::size_t count, unsigned long long* digest) {
  constexpr unsigned block = 256;
  constexpr std::size_t words_per_block = 64 * block;
  constexpr std::size_t most_blocks = 1024;
  const std::size_t blocks = std::clamp(count / words_per_block, std::size_t{1}, most_blocks);
  launch_unrecorded(digest_kernel, {static_cast<unsigned>(blocks), block}, words, count, digest);
}

void launch_moves(const Moves& moves) {
  constexpr unsigned block = 32;
  launch_unrecorded(move_kernel, {moves.count, block}, moves);
}

void launch_compare(const BandList& bands, unsigned long long* others) {
  constexpr unsigned block = 256;
  launch_unrecorded(compare_kernel, {bands.count, block}, bands, others);
}

void launch_wait(volatile unsigned* words, unsigned long long cycles) {
  launch_unrecorded(wait_kernel, {1, 1}, words, cycles);
}

}  // namespace bench::cuda
