#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::zero_suppress {

/// out[i] = 0 where in[i] < threshold, else in[i], for i < n. A NaN stays.
template <class Real>
using Kernel = void(const Real* in, Real* out, std::size_t n, Real threshold);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::zero_suppress
