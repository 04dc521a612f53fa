#include "harness/compare/false_alarms.hpp"

#include <gtest/gtest.h>

#include "harness/tables/test/documents.hpp"
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
  EXPECT_EQ(found.pairs_with_alarm, 0U);
}

TEST(FalseAlarms, EachPairOfARunThatDiffersIsOne) {
  const FalseAlarms found =
      false_alarms({run_of(1e-3), run_of(2e-3), run_of(1e-3), run_of(1e-3)}, 0.05);
  EXPECT_EQ(found.pairs, 6U);
  EXPECT_EQ(found.pairs_with_alarm, 3U);
  EXPECT_EQ(found.alarms, 3U);
  EXPECT_EQ(exit_code(found), 3);
  EXPECT_EQ(found.cases, 12U);
  EXPECT_EQ(found.names,
            (std::map<std::string, std::size_t>{{"work/openmp/fast/f32/10/kernel", 3}}));
}

TEST(FalseAlarms, TheThresholdIsTheUsers) {
  EXPECT_EQ(false_alarms({run_of(1e-3), run_of(1.5e-3)}, 0.8).alarms, 0U);
}

}  // namespace
}  // namespace bench::test
