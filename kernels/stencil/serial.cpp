// stencil on one core: several steps of the heat equation on a plate, edges fixed.
//
// A step reads and writes 8 bytes per element in f32, for 7 operations: bound by memory where the
// plate is larger than the cache. Each element is loaded for five results, four of those times from
// the cache, while three rows fit into it. The next step wants all of them again, and by then a
// large plate is gone: a sweep per step cannot be faster than copying. So the ladder at last takes
// several steps while the rows are there.

#include "kernels/stencil/levels.hpp"
#include "kernels/stencil/stencil.hpp"
#include "kernels/stencil/steps.hpp"

namespace kernels::stencil {
namespace {

// Change: a sweep over the plate for each step, from one array into the other.
// Cost: none, this is the baseline. Every element is asked whether it is at an edge.
void naive(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
           std::size_t steps) {
  if (steps == 0) return copy(u, out, rows * cols);
  const Real* from = u;
  for (std::size_t step = 1; step <= steps; ++step) {
    Real* const to = plate_after(step, steps, out, spare);
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

// Before: a comparison for each element, and one element at a time.
// Change: edges apart from the rest, whose loop has no branch: whole vectors (SIMD).
// Cost: a function of more cases. Every line of `to` is read only to be overwritten
// (write-allocate), a third of all traffic.
void simd(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
          std::size_t steps) {
  if (steps == 0) return copy(u, out, rows * cols);
  const Real* from = u;
  for (std::size_t step = 1; step <= steps; ++step) {
    Real* const to = plate_after(step, steps, out, spare);
    for (std::size_t i = 0; i < rows; ++i) step_row(from, to, i, rows, cols);
    from = to;
  }
}

// Before: five loads from the cache for each result.
// Change: two rows at a time: the two in the middle serve for both, four loads for each result.
// Cost: little is gained where memory is the limit.
void two_rows(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
              std::size_t steps) {
  if (steps == 0) return copy(u, out, rows * cols);
  const Real* from = u;
  for (std::size_t step = 1; step <= steps; ++step) {
    Real* const to = plate_after(step, steps, out, spare);
    for (std::size_t i = 0; i < rows; i += 2) step_rows(from, to, i, rows, cols, step_pair);
    from = to;
  }
}

// Before: every line of `to` is read only to be overwritten (write-allocate).
// Change: write full cache lines with streaming (non-temporal) stores, and ask for the next rows
// early (prefetch).
// Cost: results bypass the cache, so small plates get slower. Rows that do not end with a line are
// written one at a time.
void streaming(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
               std::size_t steps) {
  if (steps == 0) return copy(u, out, rows * cols);
  const Real* from = u;
  for (std::size_t step = 1; step <= steps; ++step) {
    Real* const to = plate_after(step, steps, out, spare);
    for (std::size_t i = 0; i < rows; i += 2) step_rows(from, to, i, rows, cols, stream_pair);
    stream_fence();
    from = to;
  }
}

// Before: each step moves the plate from memory and back.
// Change: a pass takes up to eight steps: as soon as the rows that a row needs are a step ahead, it
// follows (see levels.hpp). What is between the first and the last step stays in the cache
// (temporal blocking).
// Cost: wide plates are cut into strips, and what is next to a strip is computed twice.
void blocked_in_time(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
                     std::size_t steps) {
  if (steps == 0) return copy(u, out, rows * cols);
  const std::size_t passes = passes_of(steps);
  const Real* from = u;
  for (std::size_t pass = 1; pass <= passes; ++pass) {
    Real* const to = plate_after(pass, passes, out, spare);
    Levels plate(from, to, rows, cols, steps_of(pass, steps));
    for (std::size_t left = 0; left < cols; left += strip) {
      plate.advance({0, rows}, strip_from(left, cols));
    }
    from = to;
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "edges apart: no branch in the loop, whole vectors", simd},
      {"two_rows", "two rows at a time: what is loaded serves for both", two_rows},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
      {"blocked_in_time", "several steps of a row while its neighbours are in the cache",
       blocked_in_time},
  };
  return ladder;
}

}  // namespace kernels::stencil
