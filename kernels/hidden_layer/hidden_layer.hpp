#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::hidden_layer {

/// activation[i] = tanh(gray[i] / 255 · weight[i]) for i < n. `scaled` and `weighted`, of n
/// elements each, are workspace for values between the steps.
template <class Real>
using Kernel = void(const Real* gray, const Real* weight, Real* activation, Real* scaled,
                    Real* weighted, std::size_t n);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::hidden_layer
