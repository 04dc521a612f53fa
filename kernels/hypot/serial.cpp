// hypot on one core: c = √(a² + b²), also where a² would overflow or underflow.
//
// A map with two inputs: 12 bytes per element in f32 (two loads, one store), and little arithmetic
// beside a division and a square root. Squaring naively is wrong for large and small arguments
// (1e20² is infinite in f32), so the formula is c = m·√(1 + (k/m)²) with m the larger and k the
// smaller magnitude, and the ends need care: 0/0 and ∞/∞ are no numbers.

#include <cmath>
#include <limits>

#include "harness/simd/target.hpp"
#include "kernels/hypot/hypot.hpp"

namespace kernels::hypot {
namespace {

// Here: the library's function, which gets every case right, one element after the other.
// Price: nothing; this is the baseline. The calls keep the compiler from using vectors.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = std::hypot(a[i], b[i]);
}

// Above: one element per call; the vector units do nothing.
// Here: the scaled formula with selections in place of branches, so that it runs on vectors.
// Price: three roundings more than the library: up to 2 units in the last place.
void simd(const Real* a, const Real* b, Real* c, std::size_t n) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) {
    const Real x = std::abs(a[i]);
    const Real y = std::abs(b[i]);
    const Real large = x > y ? x : y;
    const Real small = x > y ? y : x;
    const Real ratio = small == large ? 1 : small / large;  // 0/0 and ∞/∞ among them
    const Real length = large * std::sqrt(1 + ratio * ratio);
    c[i] = x == infinity || y == infinity ? infinity : length;
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "the scaled formula without branches: whole vectors at a time", simd},
  };
  return ladder;
}

}  // namespace kernels::hypot
