// matrix_add on all cores of the job: C = A + B, rows × cols, any shape.
//
// 12 bytes per element in f32 (two loads, one store) and one addition: a few cores saturate the
// memory. How the threads divide the matrix matters as much as the order of each thread. Whole rows
// are contiguous pieces of memory. A column touches as many cache lines as there are rows, and its
// neighbours are in the same lines.

#include "kernels/matrix_add/matrix_add.hpp"
#include "kernels/streaming.hpp"

namespace kernels::matrix_add {
namespace {

// Change: the naive loop, its rows divided among the threads in equal contiguous parts.
// Cost: fork/join takes microseconds; a matrix of one row leaves all threads but one idle.
void naive(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) c[i * cols + j] = a[i * cols + j] + b[i * cols + j];
  }
}

// Before: each thread has rows, and walks along them.
// Change: loop interchange: each thread has columns, and walks down them.
// Cost: deliberately slow: each access is a row apart and fetches a line for one element. Where the
// columns of two threads meet, both write to the same line (false sharing).
void by_columns(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
#pragma omp parallel for schedule(static)
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) c[i * cols + j] = a[i * cols + j] + b[i * cols + j];
  }
}

// Before: a stride. Even row by row each line of `c` is read before it is written (write-allocate),
// a quarter of all traffic.
// Change: the matrix as one flat array, divided in full cache lines, which are written with
// streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
  const auto sum = [=](std::size_t k) { return a[k] + b[k]; };
  const Lines lines = store_ends(c, rows * cols, sum);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_elements(c, first, sum);
    }
    stream_fence();
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, its rows divided among the threads", naive},
      {"by_columns", "each thread walks down its columns, deliberately slow: strides, shared lines",
       by_columns},
      {"streaming", "one flat array, streaming stores: no line is read only to be overwritten",
       streaming},
  };
  return ladder;
}

}  // namespace kernels::matrix_add
