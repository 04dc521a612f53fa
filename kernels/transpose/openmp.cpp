// transpose on all cores of the job: out[j][i] = in[i][j], rows × cols, any shape.
//
// No arithmetic: 8 bytes per element in f32, one load and one store. Each core brings its own
// caches and its own outstanding misses, so even the plain loop gains from threads; but a line that
// is fetched for a single element wastes the memory that they share. Threads and order are two
// ideas.

#include "harness/simd/target.hpp"
#include "kernels/transpose/transpose.hpp"

namespace kernels::transpose {
namespace {

// Here: the plain loop, the rows of the input divided among the threads.
// Price: starting the team costs microseconds; a matrix of one row keeps all threads but one idle.
void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) out[j * rows + i] = in[i * cols + j];
  }
}

// Above: a line of the output is fetched for one element and gone before the next one needs it.
// Here: square tiles, so that a line of either side is used up while near; equal shares of tiles.
// Price: four loops; where a row is a power of two, the lines of a tile compete for few cache sets.
void tiled(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr std::size_t tile = 32;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t top = 0; top < rows; top += tile) {
    for (std::size_t left = 0; left < cols; left += tile) {
      const std::size_t bottom = top + tile < rows ? top + tile : rows;
      const std::size_t right = left + tile < cols ? left + tile : cols;
      for (std::size_t j = left; j < right; ++j) {
        for (std::size_t i = top; i < bottom; ++i) out[j * rows + i] = in[i * cols + j];
      }
    }
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, its rows divided among the threads", naive},
      {"tiled", "square tiles: each line is used up while near, divided among the threads", tiled},
  };
  return ladder;
}

}  // namespace kernels::transpose
