#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::pulse_train {

/// wave[i] = amplitude · max(sin(i/period) − 0.3, 0) + noise[i] for i < n; i is rounded to Real.
/// The quotient is within [0, 23]. `pulses`, of n elements, is workspace between the steps.
template <class Real>
using Kernel = void(const Real* noise, Real* wave, Real* pulses, std::size_t n, Real amplitude,
                    Real period);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::pulse_train
