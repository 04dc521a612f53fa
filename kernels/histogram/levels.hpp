#pragma once

#include <cstddef>
#include <vector>

namespace kernels::histogram {

/// Where each bin starts, and at last hi: level b is the smallest x that the reference counts in
/// bin b or above, with its rounding.
template <class Real>
std::vector<Real> levels(std::size_t bins, Real lo, Real hi);

/// The first x below hi with (x − lo)·scale ≥ bins, hi if there is none: rounding moves it out of
/// the last bin, and the reference has to put it back.
template <class Real>
Real first_put_back(std::size_t bins, Real lo, Real hi);

}  // namespace kernels::histogram
