#include "harness/command/comparison_text.hpp"

#include <gtest/gtest.h>

#include "harness/base/reasons.hpp"
#include "harness/compare/test/timed.hpp"
#include "harness/test/languages.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

TEST(TextOfComparison, WhatAllCasesDifferInStandsFirst) {
  std::vector<Case> before;
  std::vector<Case> after;
  for (int i = 0; i < 30; ++i) {
    const std::string backend = "backend" + std::to_string(i);
    before.push_back(timed(1, "energy", backend.c_str()));
    after.push_back(before.back());
    after.back().dtype = Dtype::f64;
    after.back() = named(after.back());
  }
  const std::string said =
      with_plain_blanks(text(compare(timed_run(before), timed_run(after), 0.05), 0.05));
  const std::size_t whole =
      said.find("differs: precision: f32 in the first run, f64 in the second");
  ASSERT_NE(whole, std::string::npos) << said;
  EXPECT_LT(whole, said.find("only in one"));
  expect_contains(said, "only in one: and 50 more");
}

TEST(TextOfComparison, EndsOfIntervalsThatSayNothingAreShort) {
  Comparisons found;
  found.cases = {{"a", {1, {0.98, 1.031}}}, {"b", {1, {1e-40, 6e37}}}};
  const std::string all = text(found, 0.05);
  expect_contains(all, "[0.980, 1.031]");
  expect_contains(all, "[< 0.01, > 100]");
}

/// Two runs that differ in every way that there is a sentence for.
std::string every_sentence(Language language) {
  const auto with = [](Case one, Status status, const Reason& reason) {
    one.status = status;
    one.reason = reason;
    one.timing = {};
    return one;
  };
  const auto workload = [](const char* name, double seconds) {
    Case copy = timed(seconds, "copy");
    copy.beside = Beside{name, "1000"};
    copy.reference = true;
    return group_of({timed(seconds, name), named(copy)});
  };
  const Case vanishing = timed(1, "energy", "openmp");
  const Case failing = timed(1, "energy", "python");
  Document before = document_of_groups({group_of({vanishing, failing, timed(1), timed(1, "read")}),
                                        workload("hypot", 1), group_of({timed(1, "histogram")})});
  Case busy = timed(2, "histogram");
  busy.timing.preempted = 10;
  Document after = document_of_groups(
      {group_of({with(vanishing, Status::skipped, said<reasons::system_refused>("8 GB")),
                 with(failing, Status::failed, said<reasons::wrote_into_input>()), timed(1.2),
                 timed(1.05, "add")}),
       workload("hypot", 2), group_of({busy})});
  for (CaseRecord& one : after.cases) {
    if (one.seconds && !one.seconds->preempted) one.seconds->preempted = 0;
  }
  after.context.run.node = "n2";
  after.context.run.seed = 7;
  after.context.run.thread_cpus = {"0", "0"};
  before.context.run.input_hash = {{"energy", {{"f32/1000", "xxh3:1"}}}};
  after.context.run.input_hash = {{"energy", {{"f32/1000", "xxh3:2"}}}};
  return text(compare(before, after, 0.05), 0.05, language) +
         text(compare(before, timed_run({timed(1, "x")}), 0.05), 0.05, language) +
         text(compare(timed_run(2), timed_run(1), 0.05), 0.05, language) +
         text(compare(timed_run(1), timed_run(1.05), 0.05), 0.05, language);
}

TEST(TextOfComparison, LeavesNoEnglishInOtherLanguages) {
  const std::string english = every_sentence(Language::en);
  for (const char* part :
       {"time of the second run", "SLOWER", "faster", " unclear\n", "unclear: node",
        "unclear: busy", "\nnode: the fastest copy", "\nbusy: more than",
        "failed in the second run: ", "absent in the second run: ", "not comparable: seed",
        "not comparable: inputs of", "differs: node: ", "differs: cpus of the threads",
        "(first run)", "(second run)", "no case was measured in both runs"}) {
    expect_contains(english, part);
  }
  for (const Language language : translations) {
    const std::string text = every_sentence(language);
    EXPECT_EQ(left_in_english(
                  english, text,
                  {"energy", "hypot", "histogram", "copy", "add", "read", "x", "serial", "openmp",
                   "python", "naive", "backend", "f", "n", "Bonferroni", "correction"}),
              Words{})
        << text;
  }
  expect_contains(every_sentence(Language::pt), "1,200  [1,19");
  expect_contains(every_sentence(Language::fr), "occupé : plus d’un cinquième");
  expect_contains(every_sentence(Language::es), "difiere: nodo: ");
}

/// A run in which the threads were `factor` times faster than one.
Document run(double factor) { return timed_run({timed(1), timed(1 / factor, "energy", "openmp")}); }

TEST(TextOfReproduction, IsSaidInAllLanguages) {
  const std::string all = text(reproduce(run(4), run(3), 0.1));
  for (const Language language : translations) {
    const std::string said = text(reproduce(run(4), run(3), 0.1), language);
    expect_contains(said, "energy/openmp/naive/f32/1000/kernel");
    EXPECT_EQ(left_in_english(all, said, {"energy", "f", "naive", "openmp", "serial", "somewhere"}),
              Words{});
  }
  expect_contains(all, "4.00×     3.00×  [0.750, 0.750]  NOT CONFIRMED");
  expect_contains(all, "confirmed: 0, not confirmed: 1, inconclusive: 0, failed: 0");
}

TEST(TextOfReproduction, SaysWhyAClaimIsInconclusive) {
  Document here = run(3);
  here.cases.at(1).seconds->preempted = 20;
  expect_contains(text(reproduce(run(4), here, 0.1)), "inconclusive: busy");
  here.cases.at(1).rounds = 5;
  expect_contains(text(reproduce(run(4), here, 0.1)), "inconclusive: fewer than 6 samples");
  here.cases.pop_back();
  expect_contains(text(reproduce(run(4), here, 0.1)), "not measured here");
}

TEST(TextOfFalseAlarms, CountsPairsAndNamesCases) {
  const FalseAlarms found = false_alarms({run(4), run(2), run(4), run(4)}, 0.05);
  const std::string all = text(found);
  expect_contains(all, "pairs with a false alarm: 3 of 6");
  expect_contains(all, "cases called faster or slower: 3 of 12");
  expect_contains(all, "3× energy/openmp/naive/f32/1000/kernel");
  for (const Language language : translations) {
    EXPECT_EQ(text(found, language).find("pairs"), std::string::npos) << text(found, language);
  }
}

}  // namespace
}  // namespace bench::test
