#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::column_sums {

/// out[j] = Σᵢ in[i][j]: `in` is rows × cols, row-major, any shape; 0 where there are no rows.
/// `totals` has room for a double per column, or for most_side_by_side where that is more.
template <class Real>
using Kernel = void(const Real* in, Real* out, std::size_t rows, std::size_t cols, double* totals);

constexpr std::size_t most_side_by_side = 32;

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::column_sums
