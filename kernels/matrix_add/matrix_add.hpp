#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::matrix_add {

/// C = A + B: three matrices of rows × cols, row-major, any shape.
template <class Real>
using Kernel = void(const Real* a, const Real* b, Real* c, std::size_t rows, std::size_t cols);

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::matrix_add
