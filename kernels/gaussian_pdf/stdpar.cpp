// gaussian_pdf on all cores by the parallel algorithms of C++: the density of the normal
// distribution, pdf(x) = exp(−½((x−μ)/σ)²) / (σ√(2π)), with μ and σ known only at run time.
//
// A map is std::transform; what does not change from element to element is captured. One
// exponential and 8 bytes (f32) per element: with the library's exponential it is compute bound, as
// a vector it soon is memory bound.

#include <algorithm>
#include <cmath>
#include <execution>

#include "harness/simd/math.hpp"
#include "kernels/gaussian_pdf/element.hpp"
#include "kernels/gaussian_pdf/gaussian_pdf.hpp"

namespace kernels::gaussian_pdf {
namespace {

// Change: the naive loop as std::transform.
// Cost: TBB cuts the work as it goes. Library calls prevent vectorisation, as in the loop.
void naive(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
  std::transform(std::execution::par_unseq, x, x + n, pdf, [=](Real value) {
    const Real z = (value - mu) / sigma;
    return scale * std::exp(-z * z / 2);
  });
}

// Before: each core still computes one element at a time.
// Change: an exponential without calls: now `unseq` takes effect, and the loop is vectorised.
// Cost: beyond |z| = 13 (f32; 37 in f64) the density stays at 1e-38 (1e-308) instead of falling to
// 0.
void simd(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real inverse = 1 / sigma;
  const Real scale = inverse / sqrt_two_pi;
  std::transform(std::execution::par_unseq, x, x + n, pdf,
                 [=](Real value) { return density(value, mu, inverse, scale); });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> stdpar<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop as std::transform", naive},
      {"simd", "a body without calls, which the compiler may vectorise", simd},
  };
  return ladder;
}

}  // namespace kernels::gaussian_pdf
