// row_norms on one core: out[i] = √(Σⱼ in[i][j]²), rows × cols, any shape.
//
// Two operations for the 4 bytes of an element in f32, and one store per row: memory could deliver
// ten times what a naive loop adds. That loop is bound by latency: each addition needs the result
// of the one before, four cycles later (a loop-carried dependency). In strict IEEE arithmetic the
// compiler must not change the order. In rows of a few elements the square root takes longest.

#include "kernels/row_norms/row_norms.hpp"
#include "kernels/row_norms/rows.hpp"

namespace kernels::row_norms {
namespace {

// Change: row after row, one total in double.
// Cost: none, this is the baseline. Its additions wait for each other.
void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* /*parts*/) {
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < cols; ++j) {
      const double value = in[i * cols + j];
      sum += value * value;
    }
    out[i] = static_cast<Real>(std::sqrt(sum));
  }
}

// Before: one addition in flight, of one element.
// Change: eight accumulators along the row, which fill whole vectors and are independent.
// Cost: another order of additions. Rows shorter than eight elements do not gain.
void simd(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* /*parts*/) {
  for (std::size_t i = 0; i < rows; ++i) out[i] = norm(in + i * cols, cols);
}

// Before: short rows are added element by element, and each waits for its own root.
// Change: eight short rows together: eight accumulators, and roots by whole vectors.
// Cost: elements that are added together are a row apart, and are gathered one by one.
void short_rows(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts) {
  if (cols >= short_row) return simd(in, out, rows, cols, parts);
  const std::size_t whole = rows - rows % side_by_side;
  for (std::size_t i = 0; i < whole; i += side_by_side) {
    norms_side_by_side(in + i * cols, out + i, cols);
  }
  for (std::size_t i = whole; i < rows; ++i) out[i] = norm(in + i * cols, cols);
}

// Before: one row is read after the other, and memory delivers less to one stream.
// Change: four rows at a time: as many streams of lines, and the same sums.
// Cost: four times as many accumulators. The last rows are read one by one.
void streams_of_rows(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts) {
  if (cols < short_row) return short_rows(in, out, rows, cols, parts);
  const std::size_t whole = rows - rows % streams;
  for (std::size_t i = 0; i < whole; i += streams) norms_in_streams(in + i * cols, out + i, cols);
  for (std::size_t i = whole; i < rows; ++i) out[i] = norm(in + i * cols, cols);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "eight accumulators along the row: independent additions, full SIMD vectors", simd},
      {"short_rows", "eight short rows at a time, with vectorised roots", short_rows},
      {"streams", "four rows at a time, read as four streams", streams_of_rows},
  };
  return ladder;
}

}  // namespace kernels::row_norms
