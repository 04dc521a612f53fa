// hypot on one core: c = √(a² + b²), also where a² would overflow or underflow.
//
// A map with two inputs: 12 bytes per element in f32 (two loads, one store), and little arithmetic
// beside a division and a square root. Squaring naively is wrong for large and small arguments
// (1e20² is infinite in f32), so the formula is c = m·√(1 + (k/m)²) with m the larger and k the
// smaller magnitude, and the ends need care: 0/0 and ∞/∞ are no numbers.

#include <cmath>
#include <limits>

#include "harness/simd/stream.hpp"
#include "harness/simd/target.hpp"
#include "kernels/hypot/hypot.hpp"

namespace kernels::hypot {
namespace {

// Here: the library's function, which gets every case right, one element after the other.
// Price: nothing; this is the baseline. The calls keep the compiler from using vectors.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
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

// Above: one element per call; the vector units do nothing.
// Here: the scaled formula with selections in place of branches, so that it runs on vectors.
// Price: three roundings more than the library: up to 2 units in the last place.
void simd(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) c[i] = length_of(a[i], b[i]);
}

// Above: every line of `c` is read before it is overwritten, memory traffic for nothing.
// Here: the results of one cache line at a time, written by streaming stores.
// Price: the results are in no cache afterwards; small arrays get slower.
void streaming(const Real* a, const Real* b, Real* c, std::size_t n) {
  constexpr std::size_t step = cache_line / sizeof(Real);
  const std::size_t before = elements_before_line(c);
  const std::size_t head = before < n ? before : n;
  std::size_t first = 0;
  for (; first < head; ++first) c[first] = length_of(a[first], b[first]);
  for (; first + step <= n; first += step) {
    alignas(cache_line) Real results[step];
#pragma omp simd
    for (std::size_t i = 0; i < step; ++i) results[i] = length_of(a[first + i], b[first + i]);
    stream_line(c + first, results);
  }
  for (; first < n; ++first) c[first] = length_of(a[first], b[first]);
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "the scaled formula without branches: whole vectors at a time", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::hypot
