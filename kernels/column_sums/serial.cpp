// column_sums on one core: out[j] = Σᵢ in[i][j], rows × cols, any shape.
//
// One addition for the 4 bytes of an element in f32, and one store per column. It is memory bound
// if the matrix is read in memory order. Then the columns take turns: each has a total in memory or
// in a cache, which is loaded and stored for each element. Totals are double, since a long sum in
// float would lose digits.

#include "kernels/column_sums/strips.hpp"

namespace kernels::column_sums {
namespace {

// Change: row after row is added to a table of totals in double.
// Cost: none, this is the baseline. Each element costs a load and a store of its total.
void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* totals) {
  for (std::size_t j = 0; j < cols; ++j) totals[j] = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) totals[j] += in[i * cols + j];
  }
  for (std::size_t j = 0; j < cols; ++j) out[j] = static_cast<Real>(totals[j]);
}

// Before: the total of a column is loaded and stored for each element.
// Change: loop interchange: one column at a time, its total in a register.
// Cost: deliberately slow: a cache line, and often a page (a TLB miss), for each element.
void by_columns(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* /*totals*/) {
  for (std::size_t j = 0; j < cols; ++j) {
    double total = 0;
    for (std::size_t i = 0; i < rows; ++i) total += in[i * cols + j];
    out[j] = static_cast<Real>(total);
  }
}

// Before: a cache line is fetched for one element and evicted before the next column needs it.
// Change: along the rows again, in strips of 4096 columns (cache blocking). The totals of a strip
// stay in the L1 cache. They are a local array, which does not alias the rows, so the compiler may
// add two rows at a time.
// Cost: the hardware prefetcher restarts at each row of a strip. Up to 4096 columns are one strip.
void strips(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* /*totals*/) {
  for (std::size_t left = 0; left < cols; left += strip) {
    const std::size_t n = width_of(left, cols);
    double totals[strip];
    clear(totals, n);
    for (std::size_t i = 0; i < rows; ++i) add_row(in + i * cols + left, n, totals);
    for (std::size_t j = 0; j < n; ++j) out[left + j] = static_cast<Real>(totals[j]);
  }
}

// Before: each element costs a load and a store of its total, and in f32 a conversion.
// Change: eight rows at a time (unroll and jam), added up in Real first: one access to the total
// for eight elements.
// Cost: seven roundings in f32. If eight numbers near the largest float overflow, their column is
// added again.
void rows_together(const Real* in, Real* out, std::size_t rows, std::size_t cols,
                   double* /*totals*/) {
  for (std::size_t left = 0; left < cols; left += strip) {
    const std::size_t n = width_of(left, cols);
    double totals[strip];
    clear(totals, n);
    add_rows(in + left, rows, cols, n, totals);
    for (std::size_t j = 0; j < n; ++j) {
      out[left + j] = result_of(totals[j], in, rows, cols, left + j);
    }
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"by_columns", "loop interchange, deliberately slow: a cache line for each element",
       by_columns},
      {"strips", "strips of columns, whose totals stay in the L1 cache", strips},
      {"rows_together", "eight rows at a time: one access to a total for eight elements",
       rows_together},
  };
  return ladder;
}

}  // namespace kernels::column_sums
