// gaussian_pdf on one core: the density of the normal distribution,
// pdf(x) = exp(−½((x−μ)/σ)²) / (σ√(2π)), with μ and σ known only at run time.
//
// A map with one exponential per element and 8 bytes moved in f32 (one load, one store). With the
// library's exp the arithmetic takes several times as long as the bytes; with vectors the memory
// becomes the limit.

#include <cmath>

#include "harness/simd/math.hpp"
#include "harness/simd/stream.hpp"
#include "harness/simd/target.hpp"
#include "kernels/gaussian_pdf/gaussian_pdf.hpp"

namespace kernels::gaussian_pdf {
namespace {

constexpr Real sqrt_two_pi = static_cast<Real>(2.5066282746310005);

// Here: the formula, one element after the other; what does not depend on x is computed once.
// Price: nothing; this is the baseline. The call of exp keeps the compiler from using vectors.
void naive(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
  for (std::size_t i = 0; i < n; ++i) {
    const Real z = (x[i] - mu) / sigma;
    pdf[i] = scale * std::exp(-z * z / 2);
  }
}

// Above: one element per call of exp; the vector units do nothing.
// Here: an exp without branches, so that one instruction works on 4 to 16 elements.
// Price: beyond |z| = 13 (f32; 37 in f64) the density stops falling, at 1e-38 (1e-308).
void simd(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
#pragma omp simd
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
// Price: the results are in no cache afterwards; small arrays get slower.
void streaming(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  constexpr std::size_t step = cache_line / sizeof(Real);
  const Real inverse = 1 / sigma;
  const Real scale = inverse / sqrt_two_pi;
  const std::size_t before = elements_before_line(pdf);
  const std::size_t head = before < n ? before : n;
  std::size_t first = 0;
  for (; first < head; ++first) pdf[first] = density(x[first], mu, inverse, scale);
  for (; first + step <= n; first += step) {
    alignas(cache_line) Real results[step];
#pragma omp simd
    for (std::size_t i = 0; i < step; ++i) results[i] = density(x[first + i], mu, inverse, scale);
    stream_line(pdf + first, results);
  }
  for (; first < n; ++first) pdf[first] = density(x[first], mu, inverse, scale);
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "branch-free exp: whole vectors at a time", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::gaussian_pdf
