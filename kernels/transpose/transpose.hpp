#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::transpose {

/// out[j][i] = in[i][j]: `in` is rows × cols, `out` is cols × rows, both row-major, any shape.
template <class Real>
using Kernel = void(const Real* in, Real* out, std::size_t rows, std::size_t cols);

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

}  // namespace kernels::transpose
