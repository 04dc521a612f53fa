#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::sort {

/// out = the n elements of `in` in ascending order; −0 and +0 are equal, and there is no NaN.
/// `work`, of n elements, is there for those who go from one array to the other and back.
template <class Real>
using Kernel = void(const Real* in, Real* out, Real* work, std::size_t n);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

/// What the standard library and CUB have for it.
template <class Real>
bench::Ladder<Kernel<Real>> serial_library();
template <class Real>
bench::Ladder<Kernel<Real>> openmp_library();
template <class Real>
bench::Ladder<Kernel<Real>> library();

extern const bench::Workload workload;

}  // namespace kernels::sort
