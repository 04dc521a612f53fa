#include "harness/simd/isa.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <type_traits>

namespace bench::simd {
namespace {

TEST(IsaTest, TheBaselineRunsEverywhereAndComesFirst) {
  const std::vector<Isa> sets = available();
  ASSERT_FALSE(sets.empty());
  EXPECT_EQ(sets.front(), Isa::baseline);
  EXPECT_TRUE(std::is_sorted(sets.begin(), sets.end())) << "the widest last";
  EXPECT_EQ(std::adjacent_find(sets.begin(), sets.end()), sets.end());
}

TEST(IsaTest, Names) {
  EXPECT_EQ(name_of(Isa::baseline), "baseline");
  EXPECT_EQ(name_of(Isa::avx2), "avx2");
  EXPECT_EQ(name_of(Isa::avx512), "avx512");
}

TEST(IsaTest, DispatchCallsTheTagOfTheSet) {
  const auto tag = []<class Tag>() {
    if (std::is_same_v<Tag, avx512>) return Isa::avx512;
    if (std::is_same_v<Tag, sve>) return Isa::sve;
    return std::is_same_v<Tag, avx2> ? Isa::avx2 : Isa::baseline;
  };
  for (const Isa isa : available()) EXPECT_EQ(with(isa, tag), isa);
}

}  // namespace
}  // namespace bench::simd
