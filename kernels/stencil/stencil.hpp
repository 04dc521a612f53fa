#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::stencil {

/// `steps` steps of the heat equation on a plate of rows × cols temperatures, row-major. A step
/// adds 0.2·(up + down + left + right − 4u) to each u but those at the edges. `u` stays as it is;
/// `out` is the plate after the last step; `spare` is workspace: another plate.
template <class Real>
using Kernel = void(const Real* u, Real* out, Real* spare, std::size_t rows, std::size_t cols,
                    std::size_t steps);

/// What flows to a neighbour in a step, of the difference.
constexpr double conduction = 0.2;

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::stencil
