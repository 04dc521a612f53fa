// hypot on all cores of the job: c = √(a² + b²), also where a² would overflow or underflow.
//
// A map with two inputs: equal contiguous parts for the threads. 12 bytes per element in f32 (two
// loads, one store) against a division and a square root: once vectorised, the cores together
// outrun the memory that they share.

#include <cmath>
#include <limits>

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

// Above: each core still computes one element per call.
// Here: threads over the loop and vectors inside each part: `parallel for simd`.
// Price: three roundings more than the library: up to 2 units in the last place.
void simd(const Real* a, const Real* b, Real* c, std::size_t n) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
#pragma omp parallel for simd schedule(static)
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
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive},
      {"simd", "threads over the loop, vectors inside each part", simd},
  };
  return ladder;
}

}  // namespace kernels::hypot
