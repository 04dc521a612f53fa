#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::sort {

/// out = the n elements of `in` in ascending order; −0 and +0 are equal, and NaN does not occur.
/// `work`, of n elements, is workspace for sorts that need a second array.
template <class Real>
using Kernel = void(const Real* in, Real* out, Real* work, std::size_t n);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

/// The sorts of the standard library and of CUB.
template <class Real>
bench::Ladder<Kernel<Real>> serial_library();
template <class Real>
bench::Ladder<Kernel<Real>> openmp_library();
template <class Real>
bench::Ladder<Kernel<Real>> library();

extern const bench::Workload workload;

}  // namespace kernels::sort
