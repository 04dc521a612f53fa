#include "kernels/histogram/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/histogram/histogram.hpp"

namespace kernels::histogram {
namespace {

template <class Real>
class HistogramLevels : public testing::Test {
 protected:
  static constexpr Real lo = -4;
  static constexpr Real hi = 4;

  static std::size_t definition(Real x, std::size_t bins) {
    const Real scale = static_cast<Real>(bins) / (hi - lo);
    const auto bin = static_cast<std::size_t>((x - lo) * scale);
    return bin < bins ? bin : bins - 1;
  }
  /// The search that CUB does: the last level that is not above x.
  static std::size_t looked_up(Real x, const std::vector<Real>& all) {
    return static_cast<std::size_t>(std::upper_bound(all.begin(), all.end(), x) - all.begin()) - 1;
  }
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(HistogramLevels, Reals);

// Next to each level the reference changes from one bin to the next.
TYPED_TEST(HistogramLevels, AreThoseOfTheDefinition) {
  for (const std::size_t bins : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{10},
                                 std::size_t{257}, max_bins}) {
    const std::vector<TypeParam> all = levels(bins, this->lo, this->hi);
    ASSERT_EQ(all.size(), bins + 1);
    EXPECT_EQ(all.front(), this->lo);
    EXPECT_EQ(all.back(), this->hi);
    for (const TypeParam level : all) {
      for (const TypeParam x :
           {std::nextafter(level, this->lo), level, std::nextafter(level, this->hi)}) {
        if (x >= this->hi) continue;
        ASSERT_EQ(this->looked_up(x, all), this->definition(x, bins)) << bins << " bins, " << x;
      }
    }
  }
}

TYPED_TEST(HistogramLevels, WhatLiesOutsideHasNoLevel) {
  const std::vector<TypeParam> all = levels(std::size_t{7}, this->lo, this->hi);
  EXPECT_EQ(std::upper_bound(all.begin(), all.end(), std::nextafter(this->lo, TypeParam{-5})),
            all.begin());
  EXPECT_EQ(std::upper_bound(all.begin(), all.end(), this->hi), all.end());
}

// CUB's HistogramEven is given this end, and must compute the same scale with it.
TYPED_TEST(HistogramLevels, OnlyTheLastNumberIsPutBackAndTheRangeStays) {
  for (std::size_t bins = 1; bins <= max_bins; ++bins) {
    const TypeParam end = first_put_back(bins, this->lo, this->hi);
    ASSERT_EQ(end, std::nextafter(this->hi, this->lo)) << bins;
    ASSERT_EQ(end - this->lo, this->hi - this->lo) << bins;
  }
}

}  // namespace
}  // namespace kernels::histogram
