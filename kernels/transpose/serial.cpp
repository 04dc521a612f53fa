// transpose on one core: out[j][i] = in[i][j], rows × cols, any shape.
//
// No arithmetic: 8 bytes per element in f32, one load and one store, like copy. But rows of the
// input become columns of the output: whichever way the loop runs, one side jumps by a whole row
// from element to element, touching a new cache line (and often a new page) each time. The lesson
// is the order of the work, nothing else.

#include "harness/simd/target.hpp"
#include "kernels/transpose/transpose.hpp"

namespace kernels::transpose {
namespace {

// Here: row by row through the input; the output is written with a stride of a whole row.
// Price: nothing; this is the baseline. Each store touches another line, used again only much
// later.
void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) out[j * rows + i] = in[i * cols + j];
  }
}

// Above: a line of the output is fetched for one element and gone before the next one needs it.
// Here: square tiles, so that a line of either side is used up while it is in a near cache.
// Price: four loops; where a row is a power of two, the lines of a tile compete for few cache sets.
void tiled(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr std::size_t tile = 32;
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
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"tiled", "square tiles: each line is used up while it is in a near cache", tiled},
  };
  return ladder;
}

}  // namespace kernels::transpose
