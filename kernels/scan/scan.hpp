#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/workload/variant.hpp"

namespace kernels::scan {

/// What a flag is.
using Word = std::uint32_t;

/// out[i] = x[0] + … + x[i] for i < n (an inclusive scan); whole numbers modulo 2³². `sums` and
/// `flags` are workspace: room for n/256 + 4096 of each.
template <class Real>
using Kernel = void(const Real* x, Real* out, std::size_t n, double* sums, Word* flags);

/// How many sums of parts, and how many flags, there is room for.
constexpr std::size_t workspace_for(std::size_t n) { return n / 256 + 4096; }

template <class Isa, class Real>
bench::Ladder<Kernel<Real>> serial();
template <class Isa, class Real>
bench::Ladder<Kernel<Real>> openmp();
template <class Real>
bench::Ladder<Kernel<Real>> cuda();
template <class Real>
bench::Ladder<Kernel<Real>> library();

extern const bench::Workload workload;

}  // namespace kernels::scan
