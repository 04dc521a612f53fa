// column_sums on all cores of the job: out[j] = Σᵢ in[i][j], rows × cols, any shape.
//
// One addition for the 4 bytes of an element in f32, and one store per column. Threads that divide
// the columns are independent, but a narrow matrix has too few columns for all. Threads that divide
// the rows share the totals, so each needs a private table, and the tables are added at the end.
// The limit of all cores is memory bandwidth.

#include "kernels/column_sums/strips.hpp"

namespace kernels::column_sums {
namespace {

// Change: the naive loop, the columns divided among the threads in strips of 2 KB.
// Cost: fork/join takes microseconds. 4096 floats are eight strips, and a ninth thread is idle.
void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* totals) {
  constexpr std::size_t width = 2048 / sizeof(Real);
#pragma omp parallel for schedule(static)
  for (std::size_t left = 0; left < cols; left += width) {
    const std::size_t right = cols - left < width ? cols : left + width;
    for (std::size_t j = left; j < right; ++j) totals[j] = 0;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = left; j < right; ++j) totals[j] += in[i * cols + j];
    }
    for (std::size_t j = left; j < right; ++j) out[j] = static_cast<Real>(totals[j]);
  }
}

// Before: few columns leave most threads idle, and each thread reads small parts of rows.
// Change: divide the rows. Each thread adds them to private totals, which are added at the end (a
// reduction).
// Cost: threads add their totals one after the other, once for each strip of 4096 columns.
void private_sums(const Real* in, Real* out, std::size_t rows, std::size_t cols,
                  double* /*totals*/) {
  for (std::size_t left = 0; left < cols; left += strip) {
    const std::size_t n = width_of(left, cols);
    double totals[strip];
    clear(totals, n);
#pragma omp parallel for schedule(static) reduction(+ : totals[:n])
    for (std::size_t i = 0; i < rows; ++i) add_row(in + i * cols + left, n, totals);
    for (std::size_t j = 0; j < n; ++j) out[left + j] = static_cast<Real>(totals[j]);
  }
}

// Before: each element costs a load and a store of its total, and in f32 a conversion.
// Change: eight rows at a time, added up in Real first: one access to the total for eight elements.
// Cost: seven roundings in f32. If eight numbers near the largest float overflow, their column is
// added again.
void rows_together(const Real* in, Real* out, std::size_t rows, std::size_t cols,
                   double* /*totals*/) {
  for (std::size_t left = 0; left < cols; left += strip) {
    const std::size_t n = width_of(left, cols);
    double totals[strip];
    clear(totals, n);
#pragma omp parallel for schedule(static) reduction(+ : totals[:n])
    for (std::size_t i = 0; i < rows; i += 8) {
      add_rows(in + i * cols + left, rows - i < 8 ? rows - i : 8, cols, n, totals);
    }
    for (std::size_t j = 0; j < n; ++j) {
      out[left + j] = result_of(totals[j], in, rows, cols, left + j);
    }
  }
}

/// A matrix of short rows as one of long rows: `together` of them next to each other.
struct SideBySide {
  SideBySide(std::size_t all_rows, std::size_t all_cols)
      : together(all_cols == 0 || all_cols > most_side_by_side ? 1 : most_side_by_side / all_cols),
        rows(all_rows / together),
        cols(all_cols * together) {}

  std::size_t together;
  std::size_t rows;
  std::size_t cols;
};

/// The total of column j: the sums of its copies, and of the rows that were left over.
inline double joined_total(const Real* in, std::size_t rows, std::size_t cols,
                           const SideBySide& wide, const double* totals, std::size_t j) {
  double total = 0;
  for (std::size_t k = j; k < wide.cols; k += cols) total += totals[k];
  for (std::size_t i = wide.rows * wide.together; i < rows; ++i) total += in[i * cols + j];
  return total;
}

/// Adds a thread's totals of a strip to the shared ones, and resets them.
inline void join(double* mine, double* totals, std::size_t n) {
#pragma omp critical
  for (std::size_t j = 0; j < n; ++j) totals[j] += mine[j];
  clear(mine, n);
}

// Before: rows of a few elements do not fill a vector. Few rows and many strips start the team
// often, each time with too little work.
// Change: short rows next to each other count as one long row. Tiles of rows and columns are
// divided, and a thread adds its totals only when it changes to another strip.
// Cost: four loops, with barriers between them.
void any_shape(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* totals) {
  constexpr std::size_t tall = 16;
  const SideBySide wide(rows, cols);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::size_t j = 0; j < wide.cols; ++j) totals[j] = 0;
    double mine[strip] = {};
    std::size_t at = 0;  // the strip that they belong to
#pragma omp for collapse(2) schedule(static) nowait
    for (std::size_t left = 0; left < wide.cols; left += strip) {
      for (std::size_t top = 0; top < wide.rows; top += tall) {
        const std::size_t height = wide.rows - top < tall ? wide.rows - top : tall;
        if (left != at) join(mine, totals + at, width_of(at, wide.cols));
        at = left;
        add_rows(in + top * wide.cols + left, height, wide.cols, width_of(at, wide.cols), mine);
      }
    }
    join(mine, totals + at, width_of(at, wide.cols));
#pragma omp barrier
#pragma omp for schedule(static)
    for (std::size_t j = 0; j < cols; ++j) {
      const double total = joined_total(in, rows, cols, wide, totals, j);
      out[j] = result_of(total, in, rows, cols, j);
    }
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, its columns divided among the threads", naive},
      {"private_sums", "rows divided, private totals for each thread, added at the end",
       private_sums},
      {"rows_together", "eight rows at a time: one access to a total for eight elements",
       rows_together},
      {"any_shape", "tiles divided, short rows together: work for all threads", any_shape},
  };
  return ladder;
}

}  // namespace kernels::column_sums
