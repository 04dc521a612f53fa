#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::reverse {

/// out[i] = in[n − 1 − i] for i < n.
template <class Real>
using Kernel = void(const Real* in, Real* out, std::size_t n);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::reverse
