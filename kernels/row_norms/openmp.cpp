// row_norms on all cores of the job: out[i] = √(Σⱼ in[i][j]²), rows × cols, any shape.
//
// Two operations for the 4 bytes of an element in f32, and one store per row. Rows are independent,
// so they are easily divided. But the additions of a row wait for each other (latency), and a
// matrix of few rows has too little to divide. The limit of all cores is memory bandwidth.

#include "kernels/row_norms/row_norms.hpp"
#include "kernels/row_norms/rows.hpp"

namespace kernels::row_norms {
namespace {

// Change: the naive loop, the rows divided among the threads.
// Cost: fork/join takes microseconds; additions wait for each other on every core.
void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* /*parts*/) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < cols; ++j) {
      const double value = in[i * cols + j];
      sum += value * value;
    }
    out[i] = static_cast<Real>(std::sqrt(sum));
  }
}

// Before: one addition in flight per core, of one element.
// Change: eight accumulators along the row, which fill whole vectors and are independent.
// Cost: another order of additions. Rows shorter than eight elements do not gain.
void simd(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* /*parts*/) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i) out[i] = norm(in + i * cols, cols);
}

// Before: short rows are added element by element, and each waits for its own root.
// Change: eight short rows together: eight accumulators, and roots by whole vectors.
// Cost: elements that are added together are a row apart, and are gathered one by one.
void short_rows(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts) {
  if (cols >= short_row) return simd(in, out, rows, cols, parts);
  const std::size_t whole = rows - rows % side_by_side;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < whole; i += side_by_side) {
    norms_side_by_side(in + i * cols, out + i, cols);
  }
  for (std::size_t i = whole; i < rows; ++i) out[i] = norm(in + i * cols, cols);
}

// Before: each core reads one row after the other, and memory delivers less to one stream.
// Change: four rows at a time: as many streams of lines, and the same sums.
// Cost: four times as many accumulators. The last rows are read one by one.
void streams_of_rows(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts) {
  if (cols < short_row) return short_rows(in, out, rows, cols, parts);
  const std::size_t whole = rows - rows % streams;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < whole; i += streams) norms_in_streams(in + i * cols, out + i, cols);
  for (std::size_t i = whole; i < rows; ++i) out[i] = norm(in + i * cols, cols);
}

/// The number of pieces that each row is cut into: enough for all cores, but none shorter than a
/// page.
inline std::size_t pieces_per_row(std::size_t rows, std::size_t cols) {
  constexpr std::size_t least = 4096 / sizeof(Real);
  if (rows == 0 || rows > most_parts || cols < least) return 1;
  const std::size_t most = most_parts / rows;
  return cols / least < most ? cols / least : most;
}

// Before: a matrix of few rows leaves most cores idle.
// Change: the rows are cut into pieces, which are divided among the threads. Their sums are added
// at the end.
// Cost: a barrier before the sums are added.
void any_shape(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts) {
  const std::size_t pieces = pieces_per_row(rows, cols);
  if (pieces == 1) return streams_of_rows(in, out, rows, cols, parts);
#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(static)
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        const std::size_t first = cols * piece / pieces;
        const std::size_t end = cols * (piece + 1) / pieces;
        parts[i * pieces + piece] = sum_of_squares(in + i * cols + first, end - first);
      }
    }
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < rows; ++i) {
      double sum = 0;
      for (std::size_t piece = 0; piece < pieces; ++piece) sum += parts[i * pieces + piece];
      out[i] = static_cast<Real>(std::sqrt(sum));
    }
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, its rows divided among the threads", naive},
      {"simd", "eight accumulators along the row: independent additions, full SIMD vectors", simd},
      {"short_rows", "eight short rows at a time, with vectorised roots", short_rows},
      {"streams", "four rows at a time, read as four streams", streams_of_rows},
      {"any_shape", "few long rows are also cut, so that all threads have a part", any_shape},
  };
  return ladder;
}

}  // namespace kernels::row_norms
