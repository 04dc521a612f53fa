// matrix_add on one core: C = A + B, rows × cols, any shape.
//
// 12 bytes per element in f32 (two loads, one store) and one addition: the memory is the limit, as
// for add. But the memory is asked for whole cache lines, and a matrix lies in it row after row:
// along a row the next element is in the same line, down a column it is a stride of a whole row
// away, in another line and often on another page (a TLB miss). Which loop is the inner one decides
// how much of each line is used while it is near.

#include "kernels/matrix_add/matrix_add.hpp"
#include "kernels/streaming.hpp"

namespace kernels::matrix_add {
namespace {

// Here: row by row, in the order of the memory; the compiler turns each row into vectors.
// Price: nothing; this is the baseline. Rows shorter than a vector gain nothing by vectors.
void naive(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) c[i * cols + j] = a[i * cols + j] + b[i * cols + j];
  }
}

// Above: both indices run in the order of the memory, as if that went without saying.
// Here: the two loops exchanged (loop interchange), slow on purpose: the same additions, column by
// column.
// Price: each access is a stride of a whole row behind the one before: a line is fetched for one
// element and gone before the next column needs it; no vectors.
void by_columns(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) c[i * cols + j] = a[i * cols + j] + b[i * cols + j];
  }
}

// Above: a stride; and even row by row each line of `c` is read before it is written
// (write-allocate), a quarter of all traffic.
// Here: a matrix in memory is one long array, whose whole lines are written with streaming
// (non-temporal) stores, which go past the caches.
// Price: the result is not in any cache afterwards; small matrices get slower.
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
      {"naive", "the plain loop on one core, row by row, strict IEEE arithmetic, -O3", naive},
      {"by_columns", "the two loops exchanged, slow on purpose: a stride of a row per element",
       by_columns},
      {"streaming", "one long array, streaming stores: no line is read only to be overwritten",
       streaming},
  };
  return ladder;
}

}  // namespace kernels::matrix_add
