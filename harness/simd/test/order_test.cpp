#include "harness/simd/order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace bench::simd {
namespace {

template <class Real>
Vector<Real> numbered(Real first) {
  Vector<Real> v{};
  for (std::size_t i = 0; i < lanes<Real>; ++i) v[i] = first + static_cast<Real>(i);
  return v;
}

template <class Real>
class Order : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Order, Types);

TYPED_TEST(Order, OfEachLane) {
  Vector<TypeParam> low = numbered<TypeParam>(1);
  Vector<TypeParam> high = numbered<TypeParam>(0);
  low[0] = -1;
  order(low, high);
  EXPECT_EQ(low[0], -1);
  EXPECT_EQ(high[0], 0);
  for (std::size_t i = 1; i < lanes<TypeParam>; ++i) {
    EXPECT_EQ(low[i], static_cast<TypeParam>(i));
    EXPECT_EQ(high[i], static_cast<TypeParam>(i + 1));
  }
}

TYPED_TEST(Order, BothZerosStay) {
  for (const bool negative_first : {true, false}) {
    Vector<TypeParam> low{};
    Vector<TypeParam> high{};
    Vector<TypeParam>& negative = negative_first ? low : high;
    negative = -negative;
    order(low, high);
    for (std::size_t i = 0; i < lanes<TypeParam>; ++i) {
      EXPECT_NE(std::signbit(low[i]), std::signbit(high[i])) << "of two zeros one was lost";
    }
  }
}

TYPED_TEST(Order, LanesMoveToWhereItSays) {
  const auto a = numbered<TypeParam>(0);
  const auto b = numbered<TypeParam>(100);
  const auto exchange = exchanged<TypeParam, 1>(a);
  const auto mixed = by_bit<TypeParam, 1>(a, b);
  auto first = a;
  auto second = b;
  cross<TypeParam, 1>(first, second);
  for (std::size_t i = 0; i < lanes<TypeParam>; ++i) {
    const bool odd = i % 2 != 0;
    EXPECT_EQ(exchange[i], a[i ^ 1]);
    EXPECT_EQ(mixed[i], odd ? b[i] : a[i]);
    EXPECT_EQ(first[i], odd ? b[i - 1] : a[i]);
    EXPECT_EQ(second[i], odd ? b[i] : a[i + 1]);
  }
}

/// All sets of lanes below the limit, with room for one vector and for more.
TYPED_TEST(Order, LanesAreStoredApart) {
  constexpr std::size_t n = lanes<TypeParam>;
  for (std::size_t set = 0; set < std::size_t{1} << n; ++set) {
    for (const std::size_t room : {n, 2 * n, 2 * n + 1}) {
      std::vector<TypeParam> from(n);
      for (std::size_t i = 0; i < n; ++i) {
        from[i] = static_cast<TypeParam>((set >> i & 1U) != 0 ? i : 1000 + i);
      }
      std::vector<TypeParam> to(room + 2, -1);
      TypeParam* low = to.data() + 1;
      TypeParam* high = low + room;
      store_vector_apart(from.data(), TypeParam{1000}, low, high);
      const auto below = static_cast<std::size_t>(__builtin_popcountl(set));
      ASSERT_EQ(low, to.data() + 1 + below);
      ASSERT_EQ(high, to.data() + 1 + room - (n - below));
      std::vector<TypeParam> stored(to.data() + 1, low);
      stored.insert(stored.end(), high, to.data() + 1 + room);
      EXPECT_TRUE(std::is_permutation(stored.begin(), stored.end(), from.begin())) << set;
      EXPECT_TRUE(std::all_of(to.data() + 1, low, [](TypeParam x) { return x < 1000; })) << set;
      EXPECT_EQ(to.front(), -1);
      EXPECT_EQ(to.back(), -1);
    }
  }
}

TYPED_TEST(Order, OneElementIsStoredApart) {
  TypeParam to[3] = {};
  TypeParam* low = to;
  TypeParam* high = to + 3;
  for (const int x : {5, 1, 7}) store_apart(static_cast<TypeParam>(x), TypeParam{5}, low, high);
  EXPECT_EQ(low, high);
  EXPECT_EQ(low, to + 1);
  EXPECT_EQ(to[0], 1);
  EXPECT_EQ(to[1] + to[2], 12);
}

}  // namespace
}  // namespace bench::simd
