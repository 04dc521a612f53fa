// gaussian_pdf on one core: the density of the normal distribution, pdf(x) = exp(−½((x−μ)/σ)²) /
// (σ√(2π)), with μ and σ known only at run time.
//
// A map with one exponential per element and 8 bytes moved in f32 (one load, one store). With the
// library's exp the arithmetic takes several times as long as the bytes. Vectorised, memory
// bandwidth is the limit.

#include <cmath>

#include "harness/simd/math.hpp"
#include "kernels/gaussian_pdf/element.hpp"
#include "kernels/gaussian_pdf/gaussian_pdf.hpp"
#include "kernels/streaming.hpp"

namespace kernels::gaussian_pdf {
namespace {

// Change: the formula, one element after the other; subexpressions without x are computed once.
// Cost: none, this is the baseline. The call of exp prevents vectorisation.
void naive(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
  for (std::size_t i = 0; i < n; ++i) {
    const Real z = (x[i] - mu) / sigma;
    pdf[i] = scale * std::exp(-z * z / 2);
  }
}

// Before: one element per call of exp; the vector units are idle.
// Change: a branch-free exp, so that one SIMD instruction computes 4 to 16 elements.
// Cost: beyond |z| = 13 (f32; 37 in f64) the density stays at 1e-38 (1e-308) instead of falling to
// 0.
void simd(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) {
    const Real z = (x[i] - mu) / sigma;
    pdf[i] = scale * vector_exp(-z * z / 2);
  }
}

// Before: every line of `pdf` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real inverse = 1 / sigma;
  const Real scale = inverse / sqrt_two_pi;
  const auto density_at = [=](std::size_t i) { return density(x[i], mu, inverse, scale); };
  const Lines lines = store_ends(pdf, n, density_at);
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_elements(pdf, first, density_at);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "branch-free exp: full SIMD vectors", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::gaussian_pdf
