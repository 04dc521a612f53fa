// column_sums on one core: out[j] = Σᵢ in[i][j], rows × cols, any shape.
//
// One addition for the 4 bytes of an element in f32, and one store per column: bound by memory, if
// the matrix is walked through in the order in which it lies there. Then the columns take turns,
// and each needs a total that waits in memory: near or far, loaded and stored for each element. The
// totals are double: thousands of float additions, one after the other, would lose digits.

#include "kernels/column_sums/strips.hpp"

namespace kernels::column_sums {
namespace {

// Here: row after row is added to a table of totals in double.
// Price: nothing; this is the baseline. For each element a total is loaded and stored.
void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* totals) {
  for (std::size_t j = 0; j < cols; ++j) totals[j] = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) totals[j] += in[i * cols + j];
  }
  for (std::size_t j = 0; j < cols; ++j) out[j] = static_cast<Real>(totals[j]);
}

// Above: the total of a column goes to memory and back for each element.
// Here: the two loops exchanged (loop interchange): a column at a time, its total in a register.
// Price: slow on purpose: a cache line, and often a page (a TLB miss), for each element.
void by_columns(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* /*totals*/) {
  for (std::size_t j = 0; j < cols; ++j) {
    double total = 0;
    for (std::size_t i = 0; i < rows; ++i) total += in[i * cols + j];
    out[j] = static_cast<Real>(total);
  }
}

// Above: a cache line is fetched for one element and gone before the next column needs it.
// Here: along the rows again, but in strips of 4096 columns (loop tiling, cache blocking): lines
// are used up at once, and the totals of a strip stay in the L1 or L2 cache until its last row.
// They are an array of this function, which no row can overlap: the compiler may add two rows at a
// time.
// Price: the hardware prefetcher begins anew with each row of a strip; up to 4096 columns are a
// single strip, which is the plain loop.
void strips(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* /*totals*/) {
  for (std::size_t left = 0; left < cols; left += strip) {
    const std::size_t n = width_of(left, cols);
    double totals[strip];
    clear(totals, n);
    for (std::size_t i = 0; i < rows; ++i) add_row(in + i * cols + left, n, totals);
    for (std::size_t j = 0; j < n; ++j) out[left + j] = static_cast<Real>(totals[j]);
  }
}

// Above: for each element a total is loaded and stored, and in f32 the element converted.
// Here: eight rows at a time (unroll and jam), added up in Real first: one access to the total for
// eight elements.
// Price: seven roundings in f32; eight numbers near the largest float overflow, and their column is
// added once more.
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
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"by_columns", "the loops exchanged: a cache line for each element, slow on purpose",
       by_columns},
      {"strips", "strips of columns, whose totals stay in the L1 cache", strips},
      {"rows_together", "eight rows at a time: one access to a total for eight elements",
       rows_together},
  };
  return ladder;
}

}  // namespace kernels::column_sums
