#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/workload/variant.hpp"

namespace kernels::histogram {

using Count = std::uint32_t;

constexpr std::size_t max_bins = 65'536;

/// counts[b] = how many of the n elements are in bin b of `bins` equal bins over [lo, hi). Elements
/// outside, and NaN, are not counted. For lo ≤ x < hi the bin is min(int((x − lo)·scale), bins − 1)
/// with scale = bins/(hi − lo). Any other rounding of the position is also right. Zeroing the
/// counts is part of the work. 1 ≤ bins ≤ max_bins.
template <class Real>
using Kernel = void(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo,
                    Real hi);

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

}  // namespace kernels::histogram
