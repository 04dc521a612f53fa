// The same for AMD GPUs: by the matrix cores of those whose warps have 64 lanes, elsewhere by the
// ordinary units. Included by ../half.hpp.
#pragma once

namespace bench::cuda {

constexpr int tensor_edge = 16;

__device__ inline float widened(Half x) {
  return static_cast<float>(*reinterpret_cast<const _Float16*>(&x));
}

#if defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || \
    defined(__gfx942__)

// Of A a lane has four elements of a row, of B and the sums four of a column.
using FourHalves = _Float16 __attribute__((ext_vector_type(4)));
using FourFloats = float __attribute__((ext_vector_type(4)));
struct TileOfA {
  FourHalves x;
};
struct TileOfB {
  FourHalves x;
};
struct TileOfSums {
  FourFloats x;
};

__device__ inline unsigned in_sixteen() { return threadIdx.x % 16; }
__device__ inline unsigned first_of_four() { return threadIdx.x % 64 / 16 * 4; }

__device__ inline void load_tile(TileOfA& tile, const Half* from, unsigned pitch) {
  const auto* const row = reinterpret_cast<const _Float16*>(from) + in_sixteen() * pitch;
  for (unsigned i = 0; i < 4; ++i) tile.x[i] = row[first_of_four() + i];
}
__device__ inline void load_tile(TileOfB& tile, const Half* from, unsigned pitch) {
  const auto* const col = reinterpret_cast<const _Float16*>(from) + in_sixteen();
  for (unsigned i = 0; i < 4; ++i) tile.x[i] = col[(first_of_four() + i) * pitch];
}
__device__ inline void add_product(TileOfSums& sums, const TileOfA& a, const TileOfB& b) {
  sums.x = __builtin_amdgcn_mfma_f32_16x16x16f16(a.x, b.x, sums.x, 0, 0, 0);
}
__device__ inline void store_tile(float* to, const TileOfSums& sums, unsigned pitch) {
  for (unsigned i = 0; i < 4; ++i) to[(first_of_four() + i) * pitch + in_sixteen()] = sums.x[i];
}
__device__ inline void set_to_zero(TileOfSums& sums) { sums.x = 0; }

#else

/// Where a tile is: its elements are read when it is multiplied.
struct TileOfA {
  const Half* from;
  unsigned pitch;
};
using TileOfB = TileOfA;
struct TileOfSums {
  static constexpr unsigned each = 256 / warp_lanes;  ///< of a lane
  float x[each];
};

__device__ inline float at(const TileOfA& tile, unsigned row, unsigned col) {
  return widened(tile.from[row * tile.pitch + col]);
}
__device__ inline unsigned first_of_lane() { return threadIdx.x % warp_lanes * TileOfSums::each; }
__device__ inline void load_tile(TileOfA& tile, const Half* from, unsigned pitch) {
  tile = {from, pitch};
}
__device__ inline void add_product(TileOfSums& sums, const TileOfA& a, const TileOfB& b) {
  for (unsigned e = 0; e < TileOfSums::each; ++e) {
    const unsigned row = (first_of_lane() + e) / tensor_edge;
    const unsigned col = (first_of_lane() + e) % tensor_edge;
    for (unsigned p = 0; p < tensor_edge; ++p) sums.x[e] += at(a, row, p) * at(b, p, col);
  }
}
__device__ inline void store_tile(float* to, const TileOfSums& sums, unsigned pitch) {
  for (unsigned e = 0; e < TileOfSums::each; ++e) {
    const unsigned number = first_of_lane() + e;
    to[number / tensor_edge * pitch + number % tensor_edge] = sums.x[e];
  }
}
__device__ inline void set_to_zero(TileOfSums& sums) {
  for (float& one : sums.x) one = 0;
}

#endif

}  // namespace bench::cuda
