// transpose on all cores by the parallel algorithms of C++: out[j][i] = in[i][j], rows × cols, any
// shape.
//
// Algorithms go over one range. Rows, or tiles, are numbered, and the loops within one are ordinary
// loops: how the data move through the caches is left to the program, as with any other model.

#include <algorithm>
#include <execution>

#include "harness/workload/target.hpp"
#include "kernels/indices.hpp"
#include "kernels/transpose/transpose.hpp"

namespace kernels::transpose {
namespace {

// Change: the naive loops, the outer one as std::for_each.
// Cost: a matrix of one row leaves all threads but one idle.
void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  std::for_each(std::execution::par_unseq, Index(0), Index(rows), [=](std::size_t i) {
    for (std::size_t j = 0; j < cols; ++j) out[j * rows + i] = in[i * cols + j];
  });
}

// Before: a line of the output is fetched for one element and evicted before the next one needs it.
// Change: square tiles (cache blocking), numbered: each line is fully used while it is cached.
// Cost: the number of a tile has to be taken apart; OpenMP's collapse(2) does that.
void tiled(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr std::size_t tile = 32;
  const std::size_t across = (cols + tile - 1) / tile;
  const std::size_t tiles = (rows + tile - 1) / tile * across;
  std::for_each(std::execution::par_unseq, Index(0), Index(tiles), [=](std::size_t t) {
    const std::size_t top = t / across * tile;
    const std::size_t left = t % across * tile;
    const std::size_t bottom = top + tile < rows ? top + tile : rows;
    const std::size_t right = left + tile < cols ? left + tile : cols;
    for (std::size_t j = left; j < right; ++j) {
      for (std::size_t i = top; i < bottom; ++i) out[j * rows + i] = in[i * cols + j];
    }
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> stdpar<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loops, rows as std::for_each", naive},
      {"tiled", "square tiles: each line is fully used while it is cached", tiled},
  };
  return ladder;
}

}  // namespace kernels::transpose
