#pragma once

#include <cstddef>
#include <vector>

namespace kernels::histogram {

/// Where each bin begins, and at last hi: level b is the smallest x that the definition counts in
/// bin b or above, rounding and all.
template <class Real>
std::vector<Real> levels(std::size_t bins, Real lo, Real hi);

/// The first x below hi that rounding moves out of the last bin, (x − lo)·scale ≥ bins, so that the
/// definition has to put it back; hi where there is none.
template <class Real>
Real first_put_back(std::size_t bins, Real lo, Real hi);

}  // namespace kernels::histogram
