// Which tile of the matrix a block transposes.
#pragma once

#include "harness/cuda/kernel.hpp"

namespace kernels::transpose {
namespace {

/// First row and column of a block's tile.
struct Tile {
  std::size_t row;
  std::size_t col;
};

// Blocks have one index, since only in x a grid may have more than 65 535 of them. It is divided in
// 32 bits, since a 64-bit division takes dozens of instructions.

/// Neighbouring blocks take tiles next to each other in a row of tiles.
struct AlongRows {
  static __device__ Tile tile(std::size_t /*rows*/, std::size_t cols, unsigned height,
                              unsigned width) {
    const auto across = static_cast<unsigned>((cols + width - 1) / width);
    const unsigned down = blockIdx.x / across;
    return {std::size_t{down} * height, std::size_t{blockIdx.x - down * across} * width};
  }
};

/// Neighbouring blocks take tiles below each other.
struct DownColumns {
  static __device__ Tile tile(std::size_t rows, std::size_t /*cols*/, unsigned height,
                              unsigned width) {
    const auto down = static_cast<unsigned>((rows + height - 1) / height);
    const unsigned across = blockIdx.x / down;
    return {std::size_t{blockIdx.x - across * down} * height, std::size_t{across} * width};
  }
};

bench::cuda::Configuration one_block_per_tile(std::size_t rows, std::size_t cols, dim3 block,
                                              std::size_t height, std::size_t width) {
  const std::size_t tiles = ((rows + height - 1) / height) * ((cols + width - 1) / width);
  return {static_cast<unsigned>(tiles), block};
}

constexpr unsigned threads = 512;  ///< of a block that turns a large tile
constexpr unsigned large_edge = 64;
constexpr unsigned step = threads / large_edge;  ///< rows that such a block moves at a time

}  // namespace
}  // namespace kernels::transpose
