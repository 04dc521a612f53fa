#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::gaussian_pdf {

/// pdf[i] = exp(−½((x[i]−mu)/sigma)²) / (sigma·√(2π)) for i < n; sigma > 0.
template <class Real>
using Kernel = void(const Real* x, Real* pdf, std::size_t n, Real mu, Real sigma);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> stdpar();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();
template <class Real>
bench::Ladder<Kernel<Real>> target();

extern const bench::Workload workload;

}  // namespace kernels::gaussian_pdf
