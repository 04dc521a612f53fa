#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::sort {

/// out = the n elements of `in` in ascending order; −0 and +0 are equal, and NaN does not occur.
/// `work` is workspace: room for workspace_for(n) elements, a second array and counters of digits.
template <class Real>
using Kernel = void(const Real* in, Real* out, Real* work, std::size_t n);

/// Room for n elements, for 256 counters of each 4096 of them, and for those of all.
constexpr std::size_t workspace_for(std::size_t n) { return n + n / 16 + 4096; }

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
