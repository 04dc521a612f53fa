#include "harness/command/progress.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/base/text.hpp"
#include "harness/measure/test/fakes.hpp"

namespace bench::test {
namespace {

TEST(Pace, KnowsItsShareOfTheWhole) {
  Pace pace({1, 1, 2});
  EXPECT_EQ(pace.done(0), 0);
  pace.next_group(0);
  EXPECT_EQ(pace.done(0.5), 0.125);
  pace.next_group(1);
  EXPECT_EQ(pace.done(0), 0.25);
  pace.next_group(2);
  EXPECT_EQ(pace.done(1), 1);
}

TEST(Pace, SaysNothingBeforeItHasSeenATenth) {
  Pace pace({1, 19});
  EXPECT_FALSE(pace.left(0));
  pace.next_group(0);
  EXPECT_FALSE(pace.left(5));
  pace.next_group(5);
  EXPECT_FALSE(pace.left(6)) << "a twentieth is done";
  Pace other({1, 9});
  other.next_group(0);
  other.next_group(5);
  EXPECT_TRUE(other.left(5));
}

TEST(Pace, LargerGroupsTakeLonger) {
  Pace pace({1, 3});
  pace.next_group(0);
  pace.next_group(2);
  EXPECT_EQ(pace.left(2), 6);
  EXPECT_EQ(pace.left(5), 3);
}

TEST(Pace, OnlyCountsDownWithinAGroup) {
  Pace pace({1, 1, 1, 1});
  pace.next_group(0);
  pace.next_group(10);
  double before = *pace.left(10);
  EXPECT_EQ(before, 30);
  for (int now = 11; now < 40; ++now) {
    const double left = *pace.left(now);
    EXPECT_LE(left, before);
    EXPECT_GE(left, 20) << "two groups have not begun yet";
    before = left;
  }
}

TEST(Pace, GroupsThatTakeNoTimeAreNoProgress) {
  Pace nothing({0, 0});
  nothing.next_group(0);
  nothing.next_group(0);
  EXPECT_EQ(nothing.done(1), 0);
  EXPECT_FALSE(nothing.left(1));
  Pace last({1, 0});
  last.next_group(0);
  last.next_group(3);
  EXPECT_EQ(last.done(0), 1);
  EXPECT_EQ(last.left(3), 0);
}

TEST(Progress, GroupsTakeAsLongAsTheyHaveCasesAndData) {
  planted() = honest;
  const auto workloads = registry();
  Settings settings;
  settings.filters = {"copy", "twice"};
  settings.sizes = {"100", "1000000000"};
  auto shares = expected_shares(plan(workloads, settings), settings);
  ASSERT_EQ(shares.size(), 4U);
  EXPECT_GT(shares[1], 50 * shares[0]) << "large after small";
  EXPECT_GT(shares[2], shares[0]) << "more variants, and the bandwidth references";
  settings.memory_allowance = [] { return MemoryAllowance{1'000'000'000, "a limit"}; };
  shares = expected_shares(plan(workloads, settings), settings);
  EXPECT_EQ(shares[1], 0) << "does not fit";
  EXPECT_GT(shares[0], 0);
}

TEST(Progress, TheTimeLeftHasFewDigits) {
  EXPECT_EQ(time_left(0), "a few seconds left");
  EXPECT_EQ(time_left(7), "a few seconds left");
  EXPECT_EQ(time_left(8), "about 10 s left");
  EXPECT_EQ(time_left(42), "about 40 s left");
  EXPECT_EQ(time_left(57), "about 55 s left");
  EXPECT_EQ(time_left(58), "about 1 min left");
  EXPECT_EQ(time_left(200), "about 3 min left");
  EXPECT_EQ(time_left(6000), "about 1.7 h left");
}

TEST(Progress, TextIsCutBetweenCharacters) {
  EXPECT_EQ(shortened("energy", 6), "energy");
  EXPECT_EQ(shortened("energy", 5), "ener…");
  EXPECT_EQ(shortened("µµµµ", 4), "µµµµ");
  EXPECT_EQ(shortened("µµµµ", 3), "µµ…");
  EXPECT_EQ(shortened("µµµµ", 1), "…");
  EXPECT_EQ(shortened("µµµµ", 0), "");
}

TEST(Progress, ALineNeverExceedsTheTerminal) {
  const std::string head = "[12/34] 56 % ";
  const std::string what = "measuring gaussian_pdf/openmp/streaming/f32/10000000/kernel";
  const std::string tail = " · about 40 s left";
  EXPECT_EQ(progress_text(head, what, tail, 200), head + what + tail);
  for (std::size_t width = 0; width < 100; ++width) {
    const std::string line = progress_text(head, what, tail, width);
    EXPECT_LE(columns(line), width) << line;
    EXPECT_EQ(line.empty(), width == 0);
  }
  const std::string narrow = progress_text(head, what, tail, 50);
  EXPECT_TRUE(narrow.ends_with(tail)) << narrow;
  EXPECT_TRUE(narrow.starts_with(head + "measuring")) << narrow;
}

}  // namespace
}  // namespace bench::test
