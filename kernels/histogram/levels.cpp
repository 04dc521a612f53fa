#include "kernels/histogram/levels.hpp"

namespace kernels::histogram {
namespace {

/// The smallest x in [lo, hi) with (x − lo)·scale ≥ bin, or hi. It halves the interval until
/// nothing is between its ends: the expression is monotonic in x.
template <class Real>
Real smallest(std::size_t bin, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  const auto wanted = static_cast<Real>(bin);
  if (wanted <= 0) return lo;
  Real below = lo;
  Real above = hi;
  for (;;) {
    const Real middle = below + (above - below) / 2;
    if (!(middle > below && middle < above)) return above;
    if ((middle - lo) * scale >= wanted) {
      above = middle;
    } else {
      below = middle;
    }
  }
}

}  // namespace

template <class Real>
std::vector<Real> levels(std::size_t bins, Real lo, Real hi) {
  std::vector<Real> all;
  for (std::size_t bin = 0; bin < bins; ++bin) all.push_back(smallest(bin, bins, lo, hi));
  all.push_back(hi);
  return all;
}

template <class Real>
Real first_put_back(std::size_t bins, Real lo, Real hi) {
  return smallest(bins, bins, lo, hi);
}

template std::vector<float> levels(std::size_t bins, float lo, float hi);
template std::vector<double> levels(std::size_t bins, double lo, double hi);
template float first_put_back(std::size_t bins, float lo, float hi);
template double first_put_back(std::size_t bins, double lo, double hi);

}  // namespace kernels::histogram
