#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::hypot {

/// c[i] = √(a[i]² + b[i]²) for i < n, without avoidable overflow or underflow; 0 for (0, 0), and
/// infinity where an argument is infinite.
template <class Real>
using Kernel = void(const Real* a, const Real* b, Real* c, std::size_t n);

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

}  // namespace kernels::hypot
