#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::sum_of_squares {

/// Doubles of workspace between the steps of a variant.
constexpr std::size_t partials = 4096;

/// sum[0] = x[0]² + x[1]² + … + x[n − 1]², a double for f32 too; 0 for n = 0. `partial` is
/// workspace.
template <class Real>
using Kernel = void(const Real* x, std::size_t n, double* sum, double* partial);

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
template <class Real>
bench::Ladder<Kernel<Real>> library();

extern const bench::Workload workload;

}  // namespace kernels::sum_of_squares
