#include "harness/workload/verify.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "harness/test/support.hpp"

namespace bench::test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

template <class Real>
class Ulps : public testing::Test {
 protected:
  static Real after(Real value) {
    return std::nextafter(value, std::numeric_limits<Real>::infinity());
  }
  static Real before(Real value) {
    return std::nextafter(value, -std::numeric_limits<Real>::infinity());
  }
  static double error(Real got, Real want) { return ulp_error(got, static_cast<double>(want)); }
};

template <class Real>
Real before_max() {
  return std::nextafter(std::numeric_limits<Real>::max(), Real{0});
}

using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Ulps, Reals);

TYPED_TEST(Ulps, ExactIsZero) {
  using Limits = std::numeric_limits<TypeParam>;
  for (const TypeParam value : {TypeParam{0}, TypeParam{1}, TypeParam{-3.5}, Limits::max(),
                                Limits::lowest(), Limits::min(), Limits::denorm_min()}) {
    EXPECT_EQ(this->error(value, value), 0) << value;
  }
}

TYPED_TEST(Ulps, NeighboursAreOneApart) {
  using Limits = std::numeric_limits<TypeParam>;
  for (const TypeParam value :
       {TypeParam{1}, TypeParam{1.25}, TypeParam{-1.25}, TypeParam{1024}, TypeParam{-0.09375},
        Limits::min(), Limits::denorm_min(), Limits::min() / 4, before_max<TypeParam>()}) {
    EXPECT_EQ(this->error(this->after(value), value), 1) << value;
  }
  EXPECT_EQ(this->error(this->before(TypeParam{1.25}), TypeParam{1.25}), 1);
  EXPECT_EQ(this->error(this->before(TypeParam{1}), TypeParam{1}), 0.5)
      << "below a power of two numbers are twice as dense";
  EXPECT_EQ(this->error(this->after(this->after(TypeParam{3})), TypeParam{3}), 2);
}

TYPED_TEST(Ulps, ZeroIsMeasuredInTheSmallestUnit) {
  using Limits = std::numeric_limits<TypeParam>;
  EXPECT_EQ(this->error(Limits::denorm_min(), 0), 1);
  EXPECT_EQ(this->error(-Limits::denorm_min(), 0), 1);
  EXPECT_EQ(this->error(TypeParam{-0.0}, 0), 0);
  EXPECT_EQ(this->error(0, Limits::denorm_min()), 1);
  EXPECT_GT(this->error(1, 0), 1e40);
  EXPECT_EQ(this->error(-Limits::denorm_min(), Limits::denorm_min()), 2);
}

TYPED_TEST(Ulps, InfinitiesAndNansAreInfinitelyWrongUnlessWanted) {
  using Limits = std::numeric_limits<TypeParam>;
  const TypeParam nan = Limits::quiet_NaN();
  const TypeParam inf = Limits::infinity();
  EXPECT_EQ(this->error(nan, 1), infinite);
  EXPECT_EQ(this->error(nan, 0), infinite);
  EXPECT_EQ(this->error(nan, inf), infinite);
  EXPECT_EQ(this->error(1, nan), infinite);
  EXPECT_EQ(this->error(inf, nan), infinite);
  EXPECT_EQ(this->error(nan, nan), 0);
  EXPECT_EQ(this->error(inf, 1), infinite);
  EXPECT_EQ(this->error(Limits::max(), inf), infinite);
  EXPECT_EQ(this->error(inf, -inf), infinite);
  EXPECT_EQ(this->error(inf, inf), 0);
  EXPECT_EQ(this->error(-inf, -inf), 0);
}

TYPED_TEST(Ulps, OppositeSignsAreFarApart) {
  EXPECT_GT(this->error(-1, 1), 1e6);
  EXPECT_GT(
      this->error(std::numeric_limits<TypeParam>::max(), std::numeric_limits<TypeParam>::lowest()),
      1e6);
}

TEST(UlpsOfFloat, MeasureFromTheDefinitionBeforeRounding) {
  const double want = 1 + std::ldexp(0.75, -23);  // three quarters between two floats
  EXPECT_EQ(ulp_error(std::nextafter(1.0F, 2.0F), want), 0) << "the nearest float is right";
  EXPECT_EQ(ulp_error(1.0F, want), 0.75);
}

TEST(UlpsOfFloat, ATooLargeDefinitionIsInfinite) {
  EXPECT_EQ(ulp_error(std::numeric_limits<float>::infinity(), 1e300), 0);
  EXPECT_EQ(ulp_error(std::numeric_limits<float>::max(), 1e300), infinite);
}

TEST(Poison, IsNoNumberThatArithmeticMakes) {
  float single = 0;
  double twofold = 0;
  std::uint32_t count = 0;
  std::memset(&single, poison_byte, sizeof single);
  std::memset(&twofold, poison_byte, sizeof twofold);
  std::memset(&count, poison_byte, sizeof count);
  EXPECT_TRUE(is_poison(single));
  EXPECT_TRUE(is_poison(twofold));
  EXPECT_TRUE(is_poison(count));
  EXPECT_TRUE(std::isnan(single));
  EXPECT_TRUE(std::isnan(twofold));
  EXPECT_FALSE(is_poison(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(is_poison(-std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(is_poison(0.0F));
  EXPECT_FALSE(is_poison(count - 1));
}

template <class Real>
Real poison() {
  Real value = 0;
  std::memset(&value, poison_byte, sizeof value);
  return value;
}

double index_of(std::size_t i) { return static_cast<double>(i); }

std::vector<float> indices(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i);
  return values;
}

TEST(Kept, ADefinitionIsAskedOncePerElementWhereTheArraysKeepIt) {
  std::size_t asked = 0;
  const auto definition = [&asked](std::size_t i) {
    ++asked;
    return static_cast<double>(i) / 2;
  };
  Arrays arrays;
  EXPECT_EQ(kept(arrays, 10, definition)(3), 1.5);
  EXPECT_EQ(asked, 1U) << "nowhere to keep it";
  ReferenceResult reference;
  arrays.kept = &reference;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(kept(arrays, 10, definition)(3), 1.5);
  EXPECT_EQ(asked, 1U + 10U);
}

TEST(Kept, OfChangedElementsTheDefinitionOfNowIsTakenAndThenForgotten) {
  double shift = 0;
  const auto definition = [&shift](std::size_t i) { return static_cast<double>(i) + shift; };
  const Elements changed = Elements::some({7, 2, 7});
  ReferenceResult reference;
  Arrays arrays;
  arrays.kept = &reference;
  kept(arrays, 10, definition);
  shift = 0.5;
  arrays.changed = &changed;
  {
    const auto want = kept(arrays, 10, definition);
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(want(i), static_cast<double>(i) + (i == 2 || i == 7 ? 0.5 : 0));
    }
  }
  arrays.changed = nullptr;
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_EQ(kept(arrays, 10, definition)(i), static_cast<double>(i));
  }
}

TEST(CheckReals, PassesWhatIsRight) {
  const std::vector<float> output = indices(5000);
  const Verdict verdict = check_reals(output.data(), Elements::all(output.size()), exact, index_of);
  EXPECT_TRUE(verdict.passed);
  EXPECT_EQ(verdict.reason, "");
  EXPECT_EQ(verdict.metric, "ulp");
  EXPECT_EQ(verdict.max_error, 0);
  EXPECT_EQ(verdict.tolerance, 0);
  EXPECT_TRUE(check_reals(output.data(), Elements::all(0), exact, index_of).passed);
}

TEST(CheckReals, FindsOneWrongElementWhereverItIs) {
  for (const std::size_t at : {std::size_t{1}, std::size_t{2500}, std::size_t{4999}}) {
    std::vector<float> output = indices(5000);
    output[at] = std::nextafter(output[at], 1e9F);
    const Verdict strict =
        check_reals(output.data(), Elements::all(output.size()), exact, index_of);
    EXPECT_FALSE(strict.passed);
    EXPECT_EQ(strict.max_error, 1);
    expect_contains(strict.reason,
                    "1 of 5000 elements are wrong, the first at index " + std::to_string(at));
    EXPECT_TRUE(check_reals(output.data(), Elements::all(output.size()), ulps(1), index_of).passed);
    EXPECT_FALSE(
        check_reals(output.data(), Elements::all(output.size()), ulps(0.5), index_of).passed);
  }
}

TEST(CheckReals, ShowsBothNumbers) {
  std::vector<float> output = indices(10);
  output[3] = 2.5;
  output[8] = -1;
  EXPECT_EQ(check_reals(output.data(), Elements::all(10), ulps(4), index_of).reason,
            "2 of 10 elements are wrong, the first at index 3: 2.5 instead of 3");
  output[3] = std::nextafter(3.0F, 4.0F);
  EXPECT_EQ(check_reals(output.data(), Elements::all(8), ulps(0.5), index_of).reason,
            "1 of 8 elements are wrong, the first at index 3: 3.00000024 instead of 3 "
            "(error 1 ulp, tolerance 0.5)");
}

// A sum of reals in another order: both numbers have the same nine digits.
TEST(CheckReals, AScalarOfDoublesIsToldApartFromTheDefinition) {
  const double want = 3333256.61;
  const double sum = std::nextafter(std::nextafter(want, 4e6), 4e6);
  EXPECT_EQ(
      check_reals(&sum, Elements::all(1), ulps(1), [want](std::size_t) { return want; }).reason,
      "the result is wrong: 3333256.6100000008 instead of 3333256.6099999999 "
      "(error 2 ulp, tolerance 1)");
}

TEST(CheckReals, PoisonIsCountedAsLeftOut) {
  std::vector<double> output(6, poison<double>());
  EXPECT_EQ(check_reals(output.data(), Elements::all(6), ulps(1e9), index_of).reason,
            "wrote nothing, or added to what was there: the output is not zero at first");
  output[0] = 0;
  output[3] = 3;
  const Verdict verdict = check_reals(output.data(), Elements::all(6), ulps(1e9), index_of);
  EXPECT_EQ(verdict.reason, "left out 4 of 6 elements, the first at index 1");
  EXPECT_EQ(verdict.max_error, infinite);
  EXPECT_FALSE(verdict.passed);
}

TEST(CheckReals, NanNeverPasses) {
  for (const double tolerance : {0.0, 1e9, 1e300, std::numeric_limits<double>::max(), infinite}) {
    std::vector<float> output = indices(4);
    output[2] = std::numeric_limits<float>::quiet_NaN();
    const Verdict verdict = check_reals(output.data(), Elements::all(4), ulps(tolerance), index_of);
    EXPECT_FALSE(verdict.passed) << tolerance;
    EXPECT_EQ(verdict.reason, "1 of 4 elements are wrong, the first at index 2: NaN instead of 2");
    output[2] = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(check_reals(output.data(), Elements::all(4), ulps(tolerance), index_of).passed)
        << tolerance;
  }
}

TEST(CheckReals, ANanThatIsDefinedPasses) {
  const float output = std::numeric_limits<float>::quiet_NaN();
  const auto nan = [](std::size_t) { return std::numeric_limits<double>::quiet_NaN(); };
  EXPECT_TRUE(check_reals(&output, Elements::all(1), exact, nan).passed);
  const float number = 1;
  EXPECT_FALSE(check_reals(&number, Elements::all(1), ulps(1e300), nan).passed);
}

TEST(CheckCounts, MustBeEqual) {
  const std::vector<std::uint32_t> expected{1, 0, 7};
  EXPECT_TRUE(check_counts(expected.data(), expected).passed);
  const std::vector<std::uint32_t> off{1, 0, 8};
  const Verdict verdict = check_counts(off.data(), expected);
  EXPECT_EQ(verdict.reason, "1 of 3 elements are wrong, the first at index 2: 8 instead of 7");
  EXPECT_EQ(verdict.metric, "count");
  EXPECT_EQ(verdict.max_error, 1);
  EXPECT_TRUE(check_counts(nullptr, {}).passed);
}

TEST(CheckCounts, PoisonIsCountedAsLeftOutUnlessItIsTheCount) {
  const std::vector<std::uint32_t> output{1, poison<std::uint32_t>()};
  EXPECT_EQ(check_counts(output.data(), {1, 5}).reason,
            "left out 1 of 2 elements, the first at index 1");
  EXPECT_TRUE(check_counts(output.data(), {1, 0xFFFFFFFFU}).passed);
}

// ---- errors in a unit of the workload's ----

TEST(ScaledError, IsInUnitsOfTheScale) {
  EXPECT_EQ(scaled_error(1.5, 1.0, 0.25), 2);
  EXPECT_EQ(scaled_error(1.0F, 1.0 + 1e-12, 1e-30), 0) << "the same, rounded to float";
}

TEST(ScaledError, WithoutAScaleTheResultMustBeEqual) {
  EXPECT_EQ(scaled_error(0.0, 0.0, 0.0), 0);
  EXPECT_EQ(scaled_error(1e-300, 0.0, 0.0), infinite);
}

TEST(ScaledError, NotANumberIsRightWhereItIsWanted) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(scaled_error(nan, nan, 1.0), 0);
  EXPECT_EQ(scaled_error(1.0, nan, 1.0), infinite);
  EXPECT_EQ(scaled_error(nan, 1.0, 1.0), infinite);
  EXPECT_EQ(scaled_error(infinite, infinite, 1.0), 0);
  EXPECT_EQ(scaled_error(-infinite, infinite, 1.0), infinite);
  EXPECT_EQ(scaled_error(std::numeric_limits<float>::infinity(), 1e39, 1.0), 0)
      << "too large for float";
}

TEST(CheckScaled, SaysUnitAndTolerance) {
  const std::vector<double> output{1, 2.5, 3};
  const auto check = [&](double tolerance) {
    return check_scaled(
        output.data(), Elements::all(output.size()), tolerance, "eps",
        [](std::size_t i) { return static_cast<double>(i + 1); }, [](std::size_t) { return 0.1; });
  };
  EXPECT_TRUE(check(5).passed);
  const Verdict verdict = check(4);
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.metric, "eps");
  EXPECT_DOUBLE_EQ(verdict.max_error, 5);
  EXPECT_EQ(verdict.reason,
            "1 of 3 elements are wrong, the first at index 1: 2.5 instead of 2 (error 5 eps, "
            "tolerance 4)");
}

TEST(CheckScaled, WhatWasNotWrittenIsFound) {
  std::vector<double> output(3);
  std::memset(output.data(), poison_byte, 3 * sizeof(double));
  const Verdict verdict = check_scaled(
      output.data(), Elements::all(output.size()), 1e300, "eps", [](std::size_t) { return 1.0; },
      [](std::size_t) { return 1.0; });
  expect_contains(verdict.reason, "wrote nothing");
}

TEST(Sum, KeepsWhatADoubleLoses) {
  Sum sum;
  sum.add(1e100);
  for (int i = 0; i < 1000; ++i) sum.add(0.001);
  sum.add(-1e100);
  EXPECT_NEAR(sum.value(), 1, 1e-12);
}

TEST(Sum, KeepsTheRoundingErrorOfAProduct) {
  const double x = 1 + std::ldexp(1.0, -30);
  Sum sum;
  sum.add_product(x, x);
  sum.add(-1 - std::ldexp(1.0, -29));
  EXPECT_EQ(sum.value(), std::ldexp(1.0, -60));
}

TEST(Sum, PartsAreJoined) {
  Sum one;
  one.add(1e16);
  one.add(1);
  Sum other;
  other.add(1);
  other.add(-1e16);
  one.add(other);
  EXPECT_EQ(one.value(), 2);
}

TEST(Sum, InfinityStays) {
  Sum sum;
  sum.add(infinite);
  sum.add(1);
  EXPECT_EQ(sum.value(), infinite);
}

// It admits 64 terms one after the other, and refuses a float total of many.
TEST(SumTolerance, AdmitsBlocksAndRefusesOneFloatTotal) {
  const auto error = [](std::size_t n, std::size_t block) {
    double blocks = 0;
    Sum right;
    for (std::size_t first = 0; first < n; first += block) {
      float total = 0;
      for (std::size_t i = first; i < std::min(n, first + block); ++i) {
        const float x = static_cast<float>(i % 1013) / 1013;
        total += x * x;
        right.add_product(x, x);
      }
      blocks += static_cast<double>(total);
    }
    return scaled_error(blocks, right.value(),
                        right.value() * std::numeric_limits<float>::epsilon());
  };
  for (const std::size_t n : {64U, 1'000U, 1'000'000U}) {
    EXPECT_LE(error(n, 64), sum_tolerance<float>(n)) << n;
  }
  EXPECT_GT(error(1'000'000, 1'000'000), sum_tolerance<float>(1'000'000));
}

}  // namespace
}  // namespace bench::test
