// Which part of C a block of threads computes.
#pragma once

#include "harness/cuda/kernel.hpp"

namespace kernels::matmul {
namespace {

/// Rows and columns of a tile with one thread per element, and rows of a smaller block.
constexpr unsigned edge = 32;
constexpr unsigned few_rows = 8;

/// The first row and column of a block.
struct Place {
  std::size_t row;
  std::size_t col;
};

// Blocks have one index, since only in x a grid may have more than 65 535 of them.

__device__ inline Place place_of_block(std::size_t n, unsigned height, unsigned width) {
  const auto in_a_row = static_cast<unsigned>((n + width - 1) / width);
  const unsigned down = blockIdx.x / in_a_row;
  return {std::size_t{down} * height, std::size_t{blockIdx.x - down * in_a_row} * width};
}

bench::cuda::Configuration blocks_of(std::size_t m, std::size_t n, std::size_t height,
                                     std::size_t width, dim3 block) {
  const std::size_t blocks = ((m + height - 1) / height) * ((n + width - 1) / width);
  return {static_cast<unsigned>(blocks), block};
}

}  // namespace
}  // namespace kernels::matmul
