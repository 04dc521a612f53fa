#include "harness/compare/false_alarms.hpp"

#include <gtest/gtest.h>

#include "harness/tables/test/documents.hpp"
#include "harness/test/languages.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

Document run_of(double seconds) {
  return document_of(
      {measured("work", "serial", "naive", 8e-3), measured("work", "openmp", "fast", seconds)});
}

TEST(FalseAlarms, EqualRunsRaiseNone) {
  const FalseAlarms found = false_alarms({run_of(1e-3), run_of(1e-3), run_of(1e-3)}, 0.05);
  EXPECT_EQ(found.pairs, 3U);
  EXPECT_EQ(found.cases, 6U);
  EXPECT_EQ(found.alarms, 0U);
  EXPECT_EQ(exit_code(found), 0);
  expect_contains(text(found), "pairs with a false alarm: 0 of 3");
}

TEST(FalseAlarms, EachPairOfARunThatDiffersIsOne) {
  const FalseAlarms found =
      false_alarms({run_of(1e-3), run_of(2e-3), run_of(1e-3), run_of(1e-3)}, 0.05);
  EXPECT_EQ(found.pairs, 6U);
  EXPECT_EQ(found.pairs_with_alarm, 3U);
  EXPECT_EQ(found.alarms, 3U);
  EXPECT_EQ(exit_code(found), 3);
  const std::string all = text(found);
  expect_contains(all, "cases called faster or slower: 3 of 12");
  expect_contains(all, "3× work/openmp/fast/f32/10/kernel");
}

TEST(FalseAlarms, TheThresholdIsTheUsers) {
  EXPECT_EQ(false_alarms({run_of(1e-3), run_of(1.5e-3)}, 0.8).alarms, 0U);
}

TEST(FalseAlarms, SpeakAllLanguages) {
  for (const Language language : translations) {
    const std::string all = text(false_alarms({run_of(1e-3), run_of(2e-3)}, 0.05, language));
    EXPECT_EQ(all.find("pairs"), std::string::npos) << all;
  }
}

}  // namespace
}  // namespace bench::test
