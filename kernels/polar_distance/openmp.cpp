// polar_distance on all cores of the job: the distance between two points (ρ₁, θ₁) and (ρ₂, θ₂).
//
// A map with four inputs: equal contiguous parts for the threads, 20 bytes per element in f32. More
// cores multiply the arithmetic but share one memory. Four library functions per element keep a few
// cores busy, one vectorised function does not.

#include "kernels/polar_distance/element.hpp"
#include "kernels/polar_distance/polar_distance.hpp"
#include "kernels/streaming.hpp"

namespace kernels::polar_distance {
namespace {

// Change: the naive loop, divided among the threads.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
           Real* distance, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i)
    distance[i] = by_coordinates(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

// Before: sine and cosine of two angles.
// Change: one sine, of half the angle between the points, without cancellation.
// Cost: a less familiar formula.
void half_angle(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
                Real* distance, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i)
    distance[i] = by_half_angle(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

// Before: each core still computes one element at a time.
// Change: threads over the loop and SIMD within each part: `parallel for simd`.
// Cost: results differ from the library's in the last bits; half the angle must stay below
// sin_reach.
void simd(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
          Real* distance, std::size_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i)
    distance[i] = vector_distance(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

// Before: every line of `distance` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
               Real* distance, std::size_t n) {
  const auto element = [=](std::size_t i) {
    return vector_distance(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
  };
  const Lines lines = store_ends(distance, n, element);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_elements(distance, first, element);
    }
    stream_fence();
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive},
      {"half_angle", "one sine, of half the angle: no cancellation", half_angle},
      {"simd", "threads over the loop, vectors inside each part", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::polar_distance
