#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::sin_cos {

/// product[i] = sin(x[i]) · cos(y[i]) for i < n, angles in radians.
template <class Real>
using Kernel = void(const Real* x, const Real* y, Real* product, std::size_t n);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::sin_cos
