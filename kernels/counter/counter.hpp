#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/workload/variant.hpp"

namespace kernels::counter {

using Count = std::uint32_t;

/// count[0] = how many x[i] < threshold; NaN is not.
template <class Real>
using Kernel = void(const Real* x, std::size_t n, Real threshold, Count* count);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();
template <class Real>
bench::Ladder<Kernel<Real>> library();

extern const bench::Workload workload;

}  // namespace kernels::counter
