// Halves on a device, and products of tiles of them by tensor cores: all lanes of a warp call these
// together. Tiles are row by row in the block's memory or global memory, and begin at a multiple of
// 32 bytes; `pitch` elements, a multiple of 8, from one row to the next.
#pragma once

#include "harness/cuda/kernel.hpp"

#if defined(BENCH_WITH_HIP)
#include "harness/cuda/hip/half.hpp"
#else

#if defined(BENCH_WITH_CUDA)
#include <mma.h>
#else
#include "harness/cuda_on_cpu/mma.h"
#endif

namespace bench::cuda {

/// Rows, columns and products of a tile.
constexpr int tensor_edge = 16;

#if defined(BENCH_WITH_CUDA)
using TensorInput = __half;
__device__ inline float widened(Half x) { return __half2float(__ushort_as_half(x.bits)); }
#else
using TensorInput = Half;
inline float widened(Half x) { return static_cast<float>(x); }
#endif

template <class Use, class T, class Layout = void>
using TensorTile = nvcuda::wmma::fragment<Use, tensor_edge, tensor_edge, tensor_edge, T, Layout>;
using TileOfA = TensorTile<nvcuda::wmma::matrix_a, TensorInput, nvcuda::wmma::row_major>;
using TileOfB = TensorTile<nvcuda::wmma::matrix_b, TensorInput, nvcuda::wmma::row_major>;
using TileOfSums = TensorTile<nvcuda::wmma::accumulator, float>;

template <class Tile>
__device__ inline void load_tile(Tile& tile, const Half* from, unsigned pitch) {
  nvcuda::wmma::load_matrix_sync(tile, reinterpret_cast<const TensorInput*>(from), pitch);
}
__device__ inline void set_to_zero(TileOfSums& sums) { nvcuda::wmma::fill_fragment(sums, 0.0F); }
/// sums += a·b
__device__ inline void add_product(TileOfSums& sums, const TileOfA& a, const TileOfB& b) {
  nvcuda::wmma::mma_sync(sums, a, b, sums);
}
/// `pitch`: a multiple of 4.
__device__ inline void store_tile(float* to, const TileOfSums& sums, unsigned pitch) {
  nvcuda::wmma::store_matrix_sync(to, sums, pitch, nvcuda::wmma::mem_row_major);
}

}  // namespace bench::cuda

#endif
