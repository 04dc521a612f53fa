// matrix_add on one core: C = A + B, rows × cols, any shape.
//
// 12 bytes per element in f32 (two loads, one store) and one addition: memory bandwidth is the
// limit, as for add. But memory moves in whole cache lines, and a matrix is stored row after row.
// Along a row the next element is in the same line. Down a column it is a whole row away, in
// another line and often on another page (a TLB miss). The inner loop decides how much of each line
// is used before it is evicted.

#include "kernels/matrix_add/matrix_add.hpp"
#include "kernels/streaming.hpp"

namespace kernels::matrix_add {
namespace {

// Change: row by row, in memory order; the compiler vectorises each row.
// Cost: none, this is the baseline. Rows shorter than a vector do not gain from vectors.
void naive(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) c[i * cols + j] = a[i * cols + j] + b[i * cols + j];
  }
}

// Before: both loops run in memory order.
// Change: loop interchange: the same additions, column by column.
// Cost: deliberately slow: each access is a whole row after the one before. A line is fetched for
// one element, and evicted before the next column needs it. No vectors.
void by_columns(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) c[i * cols + j] = a[i * cols + j] + b[i * cols + j];
  }
}

// Before: a stride. Even row by row each line of `c` is read before it is written (write-allocate),
// a quarter of all traffic.
// Change: the matrix as one flat array, written in full cache lines with streaming (non-temporal)
// stores.
// Cost: results bypass the cache, so small matrices get slower.
void streaming(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  const auto sum = [=](std::size_t k) { return a[k] + b[k]; };
  const Lines lines = store_ends(c, rows * cols, sum);
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_elements(c, first, sum);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, row by row, strict IEEE arithmetic, -O3", naive},
      {"by_columns", "loop interchange, deliberately slow: a stride of a row per element",
       by_columns},
      {"streaming", "one flat array, streaming stores: no line is read only to be overwritten",
       streaming},
  };
  return ladder;
}

}  // namespace kernels::matrix_add
