#pragma once

#include <cstddef>

#include "harness/workload/variant.hpp"

namespace kernels::multiply_add {

/// y[i] = the result of 512 steps v ← 511/512·v + 1/256, starting with v = x[i], for i < n.
template <class Real>
using Kernel = void(const Real* x, Real* y, std::size_t n);

// Exact in every precision. Each step brings v closer to 2, by 1/512 of the distance. After the
// last step 37 % of it is left, so that neither a step nor the input is lost.
constexpr unsigned steps = 512;
constexpr double factor = 511.0 / 512;
constexpr double summand = 1.0 / 256;

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();

extern const bench::Workload workload;

}  // namespace kernels::multiply_add
