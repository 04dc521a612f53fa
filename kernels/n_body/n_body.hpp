#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::n_body {

/// Accelerations of n bodies at x, y, z with the masses m. Of body i they are a[i], a[n + i] and
/// a[2n + i], the sums of m[j]·d / (|d|² + 0.001)^(3/2) over all j, where d leads from body i to j.
template <class Real>
using Kernel = void(const Real* x, const Real* y, const Real* z, const Real* m, Real* a,
                    std::size_t n);

// ε²: without it bodies at the same place would have no acceleration at all, but NaN.
constexpr double softening = 1e-3;

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::n_body
