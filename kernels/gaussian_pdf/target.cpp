// gaussian_pdf on a device by the directives of OpenMP: the density of the normal distribution,
// pdf(x) = exp(−½((x−μ)/σ)²) / (σ√(2π)), with μ and σ known only at run time.
//
// Scalars of the host are known in a region: each is passed with the launch (firstprivate).

#include <cmath>

#include "kernels/gaussian_pdf/element.hpp"
#include "kernels/gaussian_pdf/gaussian_pdf.hpp"

namespace kernels::gaussian_pdf {
namespace {

inline Real density_of(Real x, Real mu, Real sigma, Real scale) {
  const Real z = (x - mu) / sigma;
  return scale * std::exp(-z * z / 2);
}

// Change: the naive loop in a region on the device. Its arrays move there and back.
// Cost: each call allocates memory on the device and moves both arrays over the bus.
void map(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
#pragma omp target teams distribute parallel for simd map(to : x[:n]) map(from : pdf[:n])
  for (std::size_t i = 0; i < n; ++i) pdf[i] = density_of(x[i], mu, sigma, scale);
}

// Before: the arrays travel with every call.
// Change: they are on the device already, and the region takes their addresses there.
// Cost: the program has to put them there, and to know which pointer is of which memory.
void resident(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma) {
  const Real scale = 1 / (sigma * sqrt_two_pi);
#pragma omp target teams distribute parallel for simd is_device_ptr(x, pdf)
  for (std::size_t i = 0; i < n; ++i) pdf[i] = density_of(x[i], mu, sigma, scale);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> target<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"map", "the naive loop on the device; arrays move with each call", map, bench::any_size,
       bench::with_transfers},
      {"resident", "arrays that stay on the device", resident},
  };
  return ladder;
}

}  // namespace kernels::gaussian_pdf
