// matrix_add on all cores of the job: C = A + B, rows × cols, any shape.
//
// 12 bytes per element in f32 (two loads, one store), one addition: a few cores ask for all that
// the memory gives. What the threads divide matters as much as the order of each: whole rows are
// pieces of memory of their own, but each column lies in as many cache lines as there are rows, and
// its neighbours lie in the same ones.

#include "kernels/matrix_add/matrix_add.hpp"
#include "kernels/streaming.hpp"

namespace kernels::matrix_add {
namespace {

// Here: the plain loop, its rows divided among the threads in equal contiguous parts.
// Price: starting the team costs microseconds; a matrix of one row keeps all threads but one idle.
void naive(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) c[i * cols + j] = a[i * cols + j] + b[i * cols + j];
  }
}

// Above: each thread has rows, and goes along them.
// Here: the two loops exchanged (loop interchange), slow on purpose: each thread has columns, and
// goes down them.
// Price: a stride of a whole row from access to access, a line fetched for one element; and in each
// row, where the columns of two threads meet, both write to the same line (false sharing).
void by_columns(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols) {
#pragma omp parallel for schedule(static)
  for (std::size_t j = 0; j < cols; ++j) {
    for (std::size_t i = 0; i < rows; ++i) c[i * cols + j] = a[i * cols + j] + b[i * cols + j];
  }
}

// Above: a stride; and even row by row each line of `c` is read before it is written
// (write-allocate), a quarter of all traffic.
// Here: a matrix in memory is one long array, divided in whole lines, also where it has one row
// only; they are written with streaming (non-temporal) stores, which go past the caches.
// Price: the result is not in any cache afterwards; the fence is per thread.
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
      {"by_columns", "columns divided and gone down, slow on purpose: strides, shared lines",
       by_columns},
      {"streaming", "one long array, streaming stores: no line is read only to be overwritten",
       streaming},
  };
  return ladder;
}

}  // namespace kernels::matrix_add
