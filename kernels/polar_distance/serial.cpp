// polar_distance on one core: the distance between two points (ρ₁, θ₁) and (ρ₂, θ₂).
//
// A map with four inputs: 20 bytes per element in f32 (four loads, one store). The cost is in the
// functions, and formulas that are equal on paper are not equal in floating point. Two of the three
// below are accurate, and the faster one of these needs one function instead of four. Compute
// bound, until the sine is vectorised.

#include "kernels/polar_distance/element.hpp"
#include "kernels/polar_distance/polar_distance.hpp"
#include "kernels/streaming.hpp"

namespace kernels::polar_distance {
namespace {

// Change: both points to Cartesian coordinates, and Pythagoras.
// Cost: none, this is the baseline. Four library calls; compilers join sine and cosine of an angle.
void naive(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
           Real* distance, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    distance[i] = by_coordinates(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

// Before: sine and cosine of two angles.
// Change: the law of cosines, √(ρ₁² + ρ₂² − 2·ρ₁·ρ₂·cos(θ₁ − θ₂)): one cosine.
// Cost: wrong for close points. The difference of nearly equal numbers loses their common digits
// (cancellation), and may even be negative.
void law_of_cosines(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
                    Real* distance, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const Real product = rho_1[i] * rho_2[i] * std::cos(theta_1[i] - theta_2[i]);
    distance[i] = std::sqrt(rho_1[i] * rho_1[i] + rho_2[i] * rho_2[i] - 2 * product);
  }
}

// Before: a difference of large numbers.
// Change: the same law with half the angle, √((ρ₁ − ρ₂)² + 4·ρ₁·ρ₂·sin²((θ₁ − θ₂)/2)): one sine,
// and a sum of terms that are small for close points.
// Cost: a less familiar formula.
void half_angle(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
                Real* distance, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    distance[i] = by_half_angle(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

// Before: one element per call of sin; the vector units are idle.
// Change: a branch-free sine without its sign, which the square drops. One SIMD instruction
// computes 4 to 16 elements.
// Cost: results differ from the library's in the last bits; half the angle must stay below
// sin_reach.
void simd(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
          Real* distance, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i)
    distance[i] = vector_distance(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

// Before: every line of `distance` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
               Real* distance, std::size_t n) {
  const auto element = [=](std::size_t i) {
    return vector_distance(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
  };
  const Lines lines = store_ends(distance, n, element);
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_elements(distance, first, element);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"law_of_cosines", "one cosine: cancellation loses digits", law_of_cosines, bench::any_size,
       bench::kernel_only, bench::wrong_on_purpose},
      {"half_angle", "one sine, of half the angle: no cancellation", half_angle},
      {"simd", "branch-free sine: full SIMD vectors", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::polar_distance
