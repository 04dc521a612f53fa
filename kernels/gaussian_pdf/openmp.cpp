// gaussian_pdf on all cores of the job: the density of the normal distribution, pdf(x) =
// exp(−½((x−μ)/σ)²) / (σ√(2π)), with μ and σ known only at run time.
//
// A map: equal contiguous parts for the threads, which synchronise only at the end. One exponential
// and 8 bytes (f32) per element. The naive loop is compute bound and gains from every core. The
// vectorised one is soon memory bound, since the cores share the memory.

#include <cmath>

#include "harness/simd/math.hpp"
#include "kernels/gaussian_pdf/element.hpp"
#include "kernels/gaussian_pdf/gaussian_pdf.hpp"
#include "kernels/streaming.hpp"

namespace kernels::gaussian_pdf {
namespace {

// Change: the naive loop, divided among the threads.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    const Real z = (x[i] - mu) / sigma;
    pdf[i] = scale * std::exp(-z * z / 2);
  }
}

// Before: each core still computes one element at a time.
// Change: threads over the loop and SIMD within each part: `parallel for simd`.
// Cost: beyond |z| = 13 (f32; 37 in f64) the density stays at 1e-38 (1e-308) instead of falling to
// 0.
void simd(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    const Real z = (x[i] - mu) / sigma;
    pdf[i] = scale * vector_exp(-z * z / 2);
  }
}

// Before: every line of `pdf` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real inverse = 1 / sigma;
  const Real scale = inverse / sqrt_two_pi;
  const auto density_at = [=](std::size_t i) { return density(x[i], mu, inverse, scale); };
  const Lines lines = store_ends(pdf, n, density_at);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_elements(pdf, first, density_at);
    }
    stream_fence();
  }
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
