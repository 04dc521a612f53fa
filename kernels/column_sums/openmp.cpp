// column_sums on all cores of the job: out[j] = Σᵢ in[i][j], rows × cols, any shape.
//
// One addition for the 4 bytes of an element in f32, and one store per column. Threads that divide
// the columns need nothing of each other, but a narrow matrix has too few for all; threads that
// divide the rows meet in the same totals, so that each needs a table of its own, to be joined at
// the end. What all cores cannot exceed is the bandwidth of their memory.

#include "kernels/column_sums/strips.hpp"

namespace kernels::column_sums {
namespace {

// Here: the plain loop, the columns divided among the threads in strips of 2 KB.
// Price: starting the team costs microseconds; few columns are few strips: 4096 floats are eight of
// them, and a ninth thread has nothing to do.
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

// Above: few columns leave most of the threads idle, and each thread reads small parts of rows.
// Here: the rows are divided; each thread adds them to private totals, which are joined at the end
// (a reduction).
// Price: threads join their totals one after the other, once for each strip of 4096 columns.
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

// Above: for each element a total is loaded and stored, and in f32 the element converted.
// Here: eight rows at a time, added up in Real first: one access to the total for eight elements.
// Price: seven roundings in f32; eight numbers near the largest float overflow, and their column is
// added once more.
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

/// A matrix of short rows as one of long rows: `together` of them side by side.
struct SideBySide {
  SideBySide(std::size_t all_rows, std::size_t all_cols)
      : together(all_cols == 0 || all_cols > most_side_by_side ? 1 : most_side_by_side / all_cols),
        rows(all_rows / together),
        cols(all_cols * together) {}

  std::size_t together;
  std::size_t rows;
  std::size_t cols;
};

/// The total of column j: what lies side by side is joined, and the rows added that were left over.
inline double joined_total(const Real* in, std::size_t rows, std::size_t cols,
                           const SideBySide& wide, const double* totals, std::size_t j) {
  double total = 0;
  for (std::size_t k = j; k < wide.cols; k += cols) total += totals[k];
  for (std::size_t i = wide.rows * wide.together; i < rows; ++i) total += in[i * cols + j];
  return total;
}

/// Adds a thread's totals of a strip to those that all threads share, and begins anew.
inline void join(double* mine, double* totals, std::size_t n) {
#pragma omp critical
  for (std::size_t j = 0; j < n; ++j) totals[j] += mine[j];
  clear(mine, n);
}

// Above: a row of a few elements ends before a vector of them is full; a matrix of few rows and
// many strips starts the team again and again, each time with too little to divide.
// Here: short rows side by side count as one long row; tiles of rows and columns are divided, and a
// thread joins its totals only when it goes on to another strip.
// Price: four loops, and barriers between them.
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
      {"private_sums", "rows divided, private totals for each thread, joined at the end",
       private_sums},
      {"rows_together", "eight rows at a time: one access to a total for eight elements",
       rows_together},
      {"any_shape", "tiles divided, short rows side by side: work for all threads", any_shape},
  };
  return ladder;
}

}  // namespace kernels::column_sums
