#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::energy {

/// energy[i] = sin²(x[i]) + √|x[i]| + exp(−x[i]²/50) for i < n.
template <class Real>
using Kernel = void(const Real* x, Real* energy, std::size_t n);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> stdpar();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();
template <class Real>
bench::Ladder<Kernel<Real>> target();

extern const bench::Workload workload;

}  // namespace kernels::energy
