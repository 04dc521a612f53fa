// broadcast_add on all cores of the job: out[i][j] = in[i][j] + v[j].
//
// 8 bytes per element in f32 and one addition: a few cores saturate the memory. All threads share
// v: each core keeps a copy in its cache, and since no core writes v, no copy is invalidated.

#include "kernels/broadcast_add/broadcast_add.hpp"
#include "kernels/broadcast_add/wrapped.hpp"
#include "kernels/streaming.hpp"

namespace kernels::broadcast_add {
namespace {

// Change: the rows divided among the threads.
// Cost: fork/join takes microseconds; a single row is the work of one thread.
void naive(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) out[i * cols + j] = in[i * cols + j] + v[j];
  }
}

// Before: the work is divided by rows, vectors end with rows, and write-allocate reads lines of
// `out`.
// Change: the matrix as one flat array, divided in full cache lines, which are written with
// streaming (non-temporal) stores. v is repeated past its end, so that vectors start at any column.
// Cost: tracks the column of each line; results bypass the cache.
void streaming(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols) {
  const Wrapped wrapped(v, cols);
  const auto sum = [=, &wrapped](std::size_t k) { return in[k] + v[wrapped.column(k)]; };
  const Lines lines = store_ends(out, rows * cols, sum);
#pragma omp parallel
  {
    std::size_t next = rows * cols;  // none
    std::size_t j = 0;
#pragma omp for schedule(static) nowait
    for (std::size_t k = lines.begin; k < lines.end; k += line) {
      j = k == next ? wrapped.behind(j) : wrapped.column(k);
      stream_sums(in, wrapped, out, k, j);
      next = k + line;
    }
    stream_fence();
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::broadcast_add
