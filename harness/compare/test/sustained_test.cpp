#include "harness/compare/sustained.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/compare/finding_text.hpp"
#include "harness/compare/health_text.hpp"
#include "harness/document/test/records.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

const std::set<std::string> computing_at_work{"multiply_add"};

/// A pass of ten seconds whose multiply_add takes `cores` times as long.
Pass pass_at_work(int number, double cores, double clock) {
  Document made{context(), {}, {}, {}};
  made.context.machine.frequency_mhz = Frequency{{}, {}, clock};
  const auto add = [&made](const char* workload, double seconds) {
    CaseRecord& one = made.cases.emplace_back();
    one.workload = workload;
    one.backend = "openmp";
    one.variant = "simd";
    one.size = "1000";
    one.status = Status::measured;
    one.threads = 16;
    one.rounds = 10;
    one.seconds.emplace().median = seconds;
    one.seconds->ci95 = {seconds * 0.99, seconds * 1.01};
    one.name = one.name_with({});
  };
  const double noise = 1 + 0.002 * (number % 3);
  add("copy", noise);
  add("multiply_add", 3 * noise * cores);
  return {{node_run(made, "", {"*/openmp/simd"})}, 10.0 * number};
}

/// Twelve passes, slower by `factor` from the fifth one on.
std::vector<Pass> slower_from_the_fifth(double factor) {
  std::vector<Pass> passes;
  for (int i = 1; i <= 12; ++i) {
    passes.push_back(pass_at_work(i, i < 5 ? 1 : factor, i < 5 ? 3400 : 3400 / factor));
  }
  return passes;
}

Health as_fast_as_expected() { return {HealthWord::ok, {}, {}}; }

TEST(Sustained, ANodeThatIsSlowLaterIsFoundWithItsClock) {
  Health found = as_fast_as_expected();
  add_sustained(found, slower_from_the_fifth(1.3), computing_at_work, 0.1);
  EXPECT_EQ(found.word, HealthWord::slow);
  ASSERT_EQ(found.parts.size(), 2U);
  EXPECT_EQ(found.parts[0].name, "sustained cores");
  EXPECT_EQ(found.parts[0].verdict, NodeVerdict::slow);
  EXPECT_NEAR(found.parts[0].ratio.value, 1.3, 0.01);
  EXPECT_EQ(found.parts[1].verdict, NodeVerdict::same) << "its memory is not";
  const std::string line = health_line("n17", found, 118);
  expect_contains(line, "n17 SLOW sustained cores 1.30x [1.");
  expect_contains(line, " of the first 40 s");
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(sentence(found.findings[0]), "clock 2615 MHz (at first 3400)");
}

TEST(Sustained, ANodeThatStaysAsItIsIsFine) {
  Health found = as_fast_as_expected();
  add_sustained(found, slower_from_the_fifth(1), computing_at_work, 0.1);
  EXPECT_EQ(found.word, HealthWord::ok);
  EXPECT_TRUE(found.findings.empty());
}

TEST(Sustained, OfFewPassesNothingIsSaid) {
  std::vector<Pass> passes = slower_from_the_fifth(1.3);
  passes.resize(5);
  Health found = as_fast_as_expected();
  add_sustained(found, passes, computing_at_work, 0.1);
  EXPECT_EQ(found.word, HealthWord::unclear);
  EXPECT_EQ(health_line("n17", found, 20), "n17 UNCLEAR sustained speed not compared; 20 s");
}

TEST(Sustained, EachPassHasALine) {
  const auto lines = course_of(slower_from_the_fifth(1.3), computing_at_work);
  ASSERT_EQ(lines.size(), 12U);
  EXPECT_EQ(lines[1], "20 s: memory 1.00x, cores 1.00x, clock 3400 MHz");
  EXPECT_EQ(lines[7], "80 s: cores 1.30x, memory 1.00x, clock 2615 MHz");
}

}  // namespace
}  // namespace bench::test
