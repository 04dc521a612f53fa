#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::broadcast_add {

/// out[i][j] = in[i][j] + v[j]; in and out row by row, rows × cols, v has cols elements.
template <class Real>
using Kernel = void(const Real* in, const Real* v, Real* out, std::size_t rows, std::size_t cols);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::broadcast_add
