// stencil on all cores of the job: several steps of the heat equation on a plate, edges fixed.
//
// A step reads and writes 8 bytes per element in f32, for 7 operations: bound by memory where the
// plate is larger than the caches of all cores. A row can be a step ahead only when its neighbours
// are there: all threads wait for each other after each step. If they take several steps at once,
// they compute some rows twice and wait less often.

#include <omp.h>

#include "kernels/stencil/levels.hpp"
#include "kernels/stencil/stencil.hpp"
#include "kernels/stencil/steps.hpp"

namespace kernels::stencil {
namespace {

// Change: a parallel loop over the rows for each step. Its end is the barrier between two steps.
// Cost: a team is woken up for each step; every element is asked whether it is at an edge.
void naive(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
           std::size_t steps) {
  if (steps == 0) return copy(u, out, rows * cols);
  const Real* from = u;
  for (std::size_t step = 1; step <= steps; ++step) {
    Real* const to = plate_after(step, steps, out, spare);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        const std::size_t k = i * cols + j;
        const bool edge = i == 0 || i + 1 == rows || j == 0 || j + 1 == cols;
        to[k] = edge ? from[k]
                     : from[k] + c * (from[k - cols] + from[k + cols] + from[k - 1] + from[k + 1] -
                                      4 * from[k]);
      }
    }
    from = to;
  }
}

// Before: one element at a time, with a comparison, five loads for each.
// Change: edges apart, so that the loop has no branch; whole vectors of two rows at a time.
// Cost: a function of more cases.
void simd(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
          std::size_t steps) {
  if (steps == 0) return copy(u, out, rows * cols);
  const Real* from = u;
  for (std::size_t step = 1; step <= steps; ++step) {
    Real* const to = plate_after(step, steps, out, spare);
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < rows; i += 2) step_rows(from, to, i, rows, cols, step_pair);
    from = to;
  }
}

// Before: the team ends and begins with each step (fork/join).
// Change: one team for all steps; a barrier at the end of each loop.
// Cost: each thread counts the steps itself. It shows where a step takes microseconds.
void one_region(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
                std::size_t steps) {
  if (steps == 0) return copy(u, out, rows * cols);
#pragma omp parallel
  {
    const Real* from = u;
    for (std::size_t step = 1; step <= steps; ++step) {
      Real* const to = plate_after(step, steps, out, spare);
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < rows; i += 2) step_rows(from, to, i, rows, cols, step_pair);
      from = to;
    }
  }
}

// Before: every line of `to` is read only to be overwritten (write-allocate).
// Change: write full cache lines with streaming (non-temporal) stores, and ask for the next rows
// early (prefetch).
// Cost: results bypass the cache; each thread needs a fence before the barrier.
void streaming(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
               std::size_t steps) {
  if (steps == 0) return copy(u, out, rows * cols);
#pragma omp parallel
  {
    const Real* from = u;
    for (std::size_t step = 1; step <= steps; ++step) {
      Real* const to = plate_after(step, steps, out, spare);
#pragma omp for schedule(static) nowait
      for (std::size_t i = 0; i < rows; i += 2) step_rows(from, to, i, rows, cols, stream_pair);
      stream_fence();
#pragma omp barrier
      from = to;
    }
  }
}

// Before: each step moves the plate from memory and back.
// Change: a pass takes up to eight steps of a band of rows for each thread, while they are in its
// cache (temporal blocking, see levels.hpp).
// Cost: threads compute up to eight rows on either side of their band twice: they do not wait.
void blocked_in_time(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
                     std::size_t steps) {
  if (steps == 0) return copy(u, out, rows * cols);
  const std::size_t passes = passes_of(steps);
#pragma omp parallel
  {
    const auto bands = static_cast<std::size_t>(omp_get_num_threads());
    const Real* from = u;
    for (std::size_t pass = 1; pass <= passes; ++pass) {
      Real* const to = plate_after(pass, passes, out, spare);
      Levels plate(from, to, rows, cols, steps_of(pass, steps));
#pragma omp for collapse(2) schedule(static)
      for (std::size_t band = 0; band < bands; ++band) {
        for (std::size_t left = 0; left < cols; left += strip) {
          plate.advance({rows * band / bands, rows * (band + 1) / bands}, strip_from(left, cols));
        }
      }
      from = to;
    }
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, its rows divided among the threads", naive},
      {"simd", "edges apart, whole vectors of two rows at a time", simd},
      {"one_region", "one team for all steps, a barrier after each", one_region},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
      {"blocked_in_time", "several steps of a band of rows while it is in the cache",
       blocked_in_time},
  };
  return ladder;
}

}  // namespace kernels::stencil
