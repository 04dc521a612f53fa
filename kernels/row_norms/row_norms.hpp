#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::row_norms {

/// out[i] = √(Σⱼ in[i][j]²): `in` is rows × cols, row-major, any shape; 0 without columns. Squares
/// and sums are double. `parts` has room for most_parts sums of parts of rows.
template <class Real>
using Kernel = void(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* parts);

constexpr std::size_t most_parts = 4096;

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();
template <class Real>
bench::Ladder<Kernel<Real>> library();

extern const bench::Workload workload;

}  // namespace kernels::row_norms
