// broadcast_add on one core: out[i][j] = in[i][j] + v[j].
//
// 8 bytes per element in f32 and one addition: memory bound. v is read for every row but moved
// once: between two rows it stays in a cache. So the limit is that of copying, and not that of
// adding two matrices. Making a matrix of v first (np.tile) moves 20 bytes per element instead of
// 8.

#include "kernels/broadcast_add/broadcast_add.hpp"
#include "kernels/broadcast_add/wrapped.hpp"
#include "kernels/streaming.hpp"

namespace kernels::broadcast_add {
namespace {

// Change: row by row, the naive way.
// Cost: short rows (1, 3 or 10 columns) do not fill a vector. Each row is a loop of its own, with a
// branch misprediction or two.
void naive(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) out[i * cols + j] = in[i * cols + j] + v[j];
  }
}

// Before: vectors end where rows end.
// Change: the matrix as one flat array, one cache line at a time. v is repeated past its end, so
// that whole vectors start at any column.
// Cost: tracks the column of each line; write-allocate reads every line of `out`.
void repeated(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols) {
  const std::size_t n = rows * cols;
  const Wrapped wrapped(v, cols);
  std::size_t j = 0;
  std::size_t k = 0;
  for (; k + line <= n; k += line, j = wrapped.behind(j)) add_line(in, wrapped, out + k, k, j);
  for (; k < n; ++k) out[k] = in[k] + v[wrapped.column(k)];
}

// Before: 12 bytes moved in f32, of which 8 are needed (write-allocate).
// Change: the same lines with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small matrices get slower.
void streaming(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols) {
  const Wrapped wrapped(v, cols);
  const auto sum = [=, &wrapped](std::size_t k) { return in[k] + v[wrapped.column(k)]; };
  const Lines lines = store_ends(out, rows * cols, sum);
  std::size_t j = lines.begin < lines.end ? wrapped.column(lines.begin) : 0;
  for (std::size_t k = lines.begin; k < lines.end; k += line, j = wrapped.behind(j)) {
    stream_sums(in, wrapped, out, k, j);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, row by row, strict IEEE arithmetic, -O3", naive},
      {"repeated", "one flat array; v repeated past its end: full SIMD vectors at any column",
       repeated},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::broadcast_add
