// transpose on all cores of the job: out[j][i] = in[i][j], rows × cols, any shape.
//
// No arithmetic: 8 bytes per element in f32, one load and one store. Each core has its own caches
// and outstanding misses, so even the naive loop gains from threads. But a line that is fetched for
// a single element wastes the shared bandwidth. Threads and order are two ideas.

#include "kernels/transpose/strips.hpp"
#include "kernels/transpose/transpose.hpp"

namespace kernels::transpose {
namespace {

// Change: the naive loop, the rows of the input divided among the threads.
// Cost: fork/join takes microseconds; a matrix of one row leaves all threads but one idle.
void naive(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) out[j * rows + i] = in[i * cols + j];
  }
}

// Before: a line of the output is fetched for one element and evicted before the next one needs it.
// Change: square tiles (cache blocking), divided equally: each line is fully used while it is
// cached.
// Cost: four loops. If a row is a power of two, the lines of a tile compete for few cache sets
// (conflict misses).
void tiled(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr std::size_t tile = 32;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t top = 0; top < rows; top += tile) {
    for (std::size_t left = 0; left < cols; left += tile) {
      const std::size_t bottom = top + tile < rows ? top + tile : rows;
      const std::size_t right = left + tile < cols ? left + tile : cols;
      for (std::size_t j = left; j < right; ++j) {
        for (std::size_t i = top; i < bottom; ++i) out[j * rows + i] = in[i * cols + j];
      }
    }
  }
}

constexpr std::size_t panel = 4096;  // columns: a matrix of few rows must feed all threads, too

// Before: every element is loaded and stored separately.
// Change: small squares are transposed in vector registers; a strip gives two lines of each output
// row, which are written together.
// Cost: a buffer of some kilobytes; the edges are processed element by element.
void in_register(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  constexpr std::size_t tall = 2 * line;
#pragma omp parallel for collapse(2) schedule(static)
  for (std::size_t top = 0; top < rows; top += tall) {
    for (std::size_t first = 0; first < cols; first += panel) {
      Real block[line][tall];
      const std::size_t bottom = top + tall < rows ? top + tall : rows;
      const std::size_t last = first + panel < cols ? first + panel : cols;
      std::size_t j = first;
      for (; bottom - top == tall && j + line <= last; j += line) {
        transpose_strip(in + top * cols + j, cols, block);
        for (std::size_t k = 0; k < line; ++k) {
          __builtin_memcpy(out + (j + k) * rows + top, block[k], sizeof block[k]);
        }
      }
      for (; j < last; ++j) column(in, out, rows, cols, j, top, bottom);
    }
  }
}

/// Strips of `tall` rows, written in full lines of the output. If rows are not a multiple of a
/// line, each row of the output starts at another position in its line. Then `extra` is a line, and
/// each strip reads `extra` more rows.
template <std::size_t tall, std::size_t extra>
inline void by_lines(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
#pragma omp parallel
  {
    alignas(cache_line) Real block[line][tall + extra];
#pragma omp for collapse(2) schedule(static) nowait
    for (std::size_t top = 0; top < rows; top += tall) {
      for (std::size_t first = 0; first < cols; first += panel) {
        const std::size_t last = first + panel < cols ? first + panel : cols;
        std::size_t j = first;
        for (; top + tall + extra <= rows && j + line <= last; j += line) {
          // The hardware prefetcher is bad at rows that start anywhere in a line.
          for (std::size_t i = 0; extra > 0 && i < tall + extra; ++i) {
            __builtin_prefetch(in + (top + i) * cols + j + 4 * line);
          }
          transpose_strip(in + top * cols + j, cols, block);
          for (std::size_t k = 0; k < line; ++k) {
            Real* const row = out + (j + k) * rows;
            const Part part = part_of<tall, extra>(row, top, rows);
            std::size_t i = part.begin;
            for (; i < part.lines; ++i) row[i] = block[k][i - top];
            for (; i < part.lines + tall; i += line) stream_line(row + i, &block[k][i - top]);
            for (; i < part.end; ++i) row[i] = block[k][i - top];
          }
        }
        for (; j < last; ++j) {
          const Part part = part_of<tall, extra>(out + j * rows, top, rows);
          column(in, out, rows, cols, j, part.begin, part.end);
        }
      }
    }
    stream_fence();
  }
}

// Before: every line of the output is read before it is overwritten (write-allocate), a third of
// all traffic.
// Change: full lines of the output with streaming (non-temporal) stores.
// Cost: if rows are not a multiple of a line, a part of the input is read twice; a narrow matrix
// has too few full lines.
void streaming(const Real* in, Real* out, std::size_t rows, std::size_t cols) {
  if (rows < 5 * line || cols < line) return in_register(in, out, rows, cols);
  const bool straight = rows % line == 0 && elements_before_line(out) == 0;
  (straight ? by_lines<2 * line, 0> : by_lines<4 * line, line>)(in, out, rows, cols);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, its rows divided among the threads", naive},
      {"tiled", "square tiles, divided among the threads: each line is fully used", tiled},
      {"in_register", "small squares transposed in vector registers, two lines of output at a time",
       in_register},
      {"streaming", "full lines of the output with streaming stores, for any shape", streaming},
  };
  return ladder;
}

}  // namespace kernels::transpose
