// hypot on all cores of the job: c = √(a² + b²), also where a² would overflow or underflow.
//
// A map with two inputs: equal contiguous parts for the threads. 12 bytes per element in f32 (two
// loads, one store) against a division and a square root: once vectorised, the cores together
// outrun the memory that they share.

#include <cmath>
#include <limits>

#include "harness/simd/stream.hpp"
#include "harness/simd/target.hpp"
#include "kernels/hypot/hypot.hpp"

namespace kernels::hypot {
namespace {

// Here: the plain loop, divided among the threads.
// Price: starting the team costs microseconds; tiny arrays get slower.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) c[i] = std::hypot(a[i], b[i]);
}

/// √(x² + y²) without branches: the larger one is taken out of the root.
inline Real length_of(Real a, Real b) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const Real x = std::abs(a);
  const Real y = std::abs(b);
  const Real large = x > y ? x : y;
  const Real small = x > y ? y : x;
  const Real ratio = small == large ? 1 : small / large;  // 0/0 and ∞/∞ among them
  const Real length = large * std::sqrt(1 + ratio * ratio);
  return x == infinity || y == infinity ? infinity : length;
}

// Above: each core still computes one element per call.
// Here: threads over the loop and vectors inside each part: `parallel for simd`.
// Price: three roundings more than the library: up to 2 units in the last place.
void simd(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) c[i] = length_of(a[i], b[i]);
}

// Above: every line of `c` is read before it is overwritten, memory traffic for nothing.
// Here: the results of one cache line at a time, written by streaming stores.
// Price: the results are in no cache afterwards; the fence is per thread.
void streaming(const Real* a, const Real* b, Real* c, std::size_t n) {
  constexpr std::size_t step = cache_line / sizeof(Real);
  const std::size_t before = elements_before_line(c);
  const std::size_t head = before < n ? before : n;
  const std::size_t lines = (n - head) / step;
  for (std::size_t i = 0; i < head; ++i) c[i] = length_of(a[i], b[i]);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t line = 0; line < lines; ++line) {
      alignas(cache_line) Real results[step];
      const std::size_t first = head + line * step;
#pragma omp simd
      for (std::size_t i = 0; i < step; ++i) results[i] = length_of(a[first + i], b[first + i]);
      stream_line(c + first, results);
    }
    stream_fence();
  }
  for (std::size_t i = head + lines * step; i < n; ++i) c[i] = length_of(a[i], b[i]);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive},
      {"simd", "threads over the loop, vectors inside each part", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::hypot
