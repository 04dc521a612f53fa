// polar_distance on all cores of the job: how far two points (ρ₁, θ₁) and (ρ₂, θ₂) lie apart.
//
// A map with four inputs: equal contiguous parts for the threads, 20 bytes per element in f32.
// Cores multiply the arithmetic but share one memory: four functions per element keep a few of them
// busy, one on vectors does not.

#include "kernels/polar_distance/element.hpp"
#include "kernels/polar_distance/polar_distance.hpp"
#include "kernels/streaming.hpp"

namespace kernels::polar_distance {
namespace {

// Here: the plain loop, divided among the threads.
// Price: starting the team costs microseconds; tiny arrays get slower.
void naive(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
           Real* distance, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i)
    distance[i] = by_coordinates(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

// Above: sine and cosine of two angles.
// Here: one sine, of half the angle between the points; no difference of nearly equal numbers.
// Price: a formula that one has to look up.
void half_angle(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
                Real* distance, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i)
    distance[i] = by_half_angle(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

// Above: each core still computes one element at a time.
// Here: threads over the loop and vectors inside each part: `parallel for simd`.
// Price: results differ from the library's in the last bits; half the angle must stay below
// sin_reach.
void simd(const Real* rho_1, const Real* theta_1, const Real* rho_2, const Real* theta_2,
          Real* distance, std::size_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i)
    distance[i] = vector_distance(rho_1[i], theta_1[i], rho_2[i], theta_2[i]);
}

// Above: every line of `distance` is read only to be overwritten (write-allocate).
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; the fence is per thread.
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
      {"half_angle", "one sine, of half the angle: nothing cancels", half_angle},
      {"simd", "threads over the loop, vectors inside each part", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::polar_distance
