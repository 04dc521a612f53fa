// gaussian_pdf on all cores of the job: the density of the normal distribution,
// pdf(x) = exp(−½((x−μ)/σ)²) / (σ√(2π)), with μ and σ known only at run time.
//
// A map: equal contiguous parts for the threads, which meet only at the end. One exponential and 8
// bytes (f32) per element: the plain loop is bound by arithmetic and gains from every core, the
// vectorised one soon by the memory that the cores share.

#include <cmath>

#include "harness/simd/math.hpp"
#include "harness/simd/stream.hpp"
#include "harness/simd/target.hpp"
#include "kernels/gaussian_pdf/gaussian_pdf.hpp"

namespace kernels::gaussian_pdf {
namespace {

constexpr Real sqrt_two_pi = static_cast<Real>(2.5066282746310005);

// Here: the plain loop, divided among the threads.
// Price: starting the team costs microseconds; tiny arrays get slower.
void naive(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    const Real z = (x[i] - mu) / sigma;
    pdf[i] = scale * std::exp(-z * z / 2);
  }
}

// Above: each core still computes one element at a time.
// Here: threads over the loop and vectors inside each part: `parallel for simd`.
// Price: beyond |z| = 13 (f32; 37 in f64) the density stops falling, at 1e-38 (1e-308).
void simd(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    const Real z = (x[i] - mu) / sigma;
    pdf[i] = scale * vector_exp(-z * z / 2);
  }
}

/// The density at x, without branches, for factors that are the same for all x. What z² loses by
/// rounding is given back (exp(a + r) ≈ exp(a)·(1 + r)); without FMA it is not known, and counts 0.
inline Real density(Real x, Real mu, Real inverse_sigma, Real scale) {
  const Real z = (x - mu) * inverse_sigma;
  const Real square = z * z;
  const Real lost = square < 2000 ? mul_add(z, z, -square) : 0;  // beyond, the density is gone
  const Real power = scale * vector_exp(square * static_cast<Real>(-0.5));
  return mul_add(power * lost, static_cast<Real>(-0.5), power);
}

// Above: every line of `pdf` is read before it is overwritten, memory traffic for nothing.
// Here: the results of one cache line at a time, written by streaming stores.
// Price: the results are in no cache afterwards; the fence is per thread.
void streaming(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  constexpr std::size_t step = cache_line / sizeof(Real);
  const Real inverse = 1 / sigma;
  const Real scale = inverse / sqrt_two_pi;
  const std::size_t before = elements_before_line(pdf);
  const std::size_t head = before < n ? before : n;
  const std::size_t lines = (n - head) / step;
  for (std::size_t i = 0; i < head; ++i) pdf[i] = density(x[i], mu, inverse, scale);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t line = 0; line < lines; ++line) {
      alignas(cache_line) Real results[step];
      const Real* const from = x + head + line * step;
#pragma omp simd
      for (std::size_t i = 0; i < step; ++i) results[i] = density(from[i], mu, inverse, scale);
      stream_line(pdf + head + line * step, results);
    }
    stream_fence();
  }
  for (std::size_t i = head + lines * step; i < n; ++i) pdf[i] = density(x[i], mu, inverse, scale);
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

}  // namespace kernels::gaussian_pdf
