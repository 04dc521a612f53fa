#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::standardize {

/// z[i] = (x[i] − mean)/σ for i < n, with the mean and the population's standard deviation
/// σ = √(Σ(x[i] − mean)²/n) of all x; NaN where all are equal. `sums` is workspace for `partials`
/// doubles.
template <class Real>
using Kernel = void(const Real* x, Real* z, std::size_t n, double* sums);

constexpr std::size_t partials = 4096;

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::standardize
