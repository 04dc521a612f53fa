#include "harness/compare/run_comparison.hpp"

#include <gtest/gtest.h>

#include "harness/base/reasons.hpp"
#include "harness/document/test/records.hpp"
#include "harness/test/languages.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// A case whose samples scatter by ±0.5 % around `seconds`.
Case timed(double seconds, const char* workload = "energy", const char* backend = "serial") {
  Case one = measured(workload, backend, "naive", seconds);
  one.size = "1000";
  one.timing.samples.clear();
  for (int i = 0; i < 40; ++i) {
    one.timing.samples.push_back(seconds * (1 + 0.005 * ((i * 7 % 11) - 5) / 5));
  }
  return named(one);
}

Document document(std::vector<Case> cases) {
  Document document = document_of_groups({group_of(std::move(cases))});
  document.context.run.input_hash = {{"energy", {{"f32/1000", "xxh3:1"}}}};
  return document;
}
Document document(double seconds) { return document({timed(seconds)}); }

Comparisons compared(const Document& before, const Document& after) {
  return compare(before, after, 0.05);
}

Change change(double before, double after) {
  return compared(document(before), document(after)).cases.at(0).change;
}

TEST(Compare, VerdictsNeedTheWholeInterval) {
  EXPECT_EQ(change(1.0, 1.0), Change::same);
  EXPECT_EQ(change(1.0, 1.02), Change::same);
  EXPECT_EQ(change(1.0, 1.05), Change::unclear);
  EXPECT_EQ(change(1.0, 1.2), Change::slower);
  EXPECT_EQ(change(1.0, 0.8), Change::faster);
}

TEST(Compare, WhatAllCasesDifferInStandsFirst) {
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
      with_plain_blanks(text(compared(document(before), document(after)), 0.05));
  const std::size_t whole =
      said.find("differs: precision: f32 in the first run, f64 in the second");
  ASSERT_NE(whole, std::string::npos) << said;
  EXPECT_LT(whole, said.find("only in one"));
  expect_contains(said, "only in one: and 50 more");
}

// A case that would be slower alone is unclear among many: one in twenty is beyond its interval.
TEST(Compare, IntervalsOfManyCasesHoldTogether) {
  Case before = timed(1);
  Case after = timed(1.0545);
  EXPECT_EQ(compared(document({before}), document({after})).cases.at(0).change, Change::slower);
  std::vector<Case> many_before{before};
  std::vector<Case> many_after{after};
  for (int i = 0; i < 120; ++i) {
    const std::string backend = "backend" + std::to_string(i);
    many_before.push_back(timed(1, "energy", backend.c_str()));
    many_after.push_back(many_before.back());
  }
  const Comparisons found = compared(document(many_before), document(many_after));
  for (const Comparison& one : found.cases) {
    const bool changed = one.name.find("/serial/") != std::string::npos;
    EXPECT_EQ(one.change, changed ? Change::unclear : Change::same) << one.name;
  }
}

TEST(Compare, ThresholdIsTheUsers) {
  EXPECT_EQ(compare(document(1), document(1.2), 0.5).cases.at(0).change, Change::same);
}

TEST(Compare, ExitCodes) {
  const auto code = [](const Document& a, const Document& b, bool forced = false) {
    return exit_code(compared(a, b), forced);
  };
  EXPECT_EQ(code(document(1), document(1)), 0);
  EXPECT_EQ(code(document(1), document(0.5)), 0);
  EXPECT_EQ(code(document(1), document(1.5)), 3);
  EXPECT_EQ(code(document(1), document(1.05)), 4);
  Document other_seed = document(1);
  other_seed.context.run.seed = 7;
  EXPECT_EQ(code(document(1), other_seed), 5);
  EXPECT_EQ(code(document(1), other_seed, true), 0);
  EXPECT_EQ(code(document(1), document({timed(1, "hypot")})), 5);
  EXPECT_EQ(code(document(1), document({timed(1, "hypot")}), true), 4);
}

TEST(Compare, NamesWhatIsUnlikeAndWhatMayExplain) {
  Document other = document(1);
  other.context.run.input_hash["energy"]["f32/1000"] = "xxh3:2";
  other.context.machine.cpu_model = "Y";
  other.context.machine.omp = {{"OMP_PROC_BIND", "master"}};
  other.context.run.thread_cpus = {"0", "0"};
  const Comparisons found = compared(document(1), other);
  EXPECT_EQ(found.unlike, std::vector<std::string>{"inputs of energy/f32/1000"});
  EXPECT_EQ(found.differences,
            (std::vector<std::string>{"cpu_model: Some Processor and Y",
                                      R"(omp: {} and {"OMP_PROC_BIND":"master"})",
                                      R"(cpus of the threads: [] and ["0","0"])"}));
  const std::string all = text(found, 0.05);
  expect_contains(all, "not comparable: inputs of energy/f32/1000");
  expect_contains(all, "cpu_model: Some Processor and Y");
}

TEST(Compare, CoresThatBenchHasChosenAreNoDifference) {
  Document first = document(1);
  Document second = document(1);
  first.context.run.thread_cpus = {"0", "1"};
  second.context.run.thread_cpus = {"1", "0"};
  EXPECT_EQ(compared(first, second).differences.size(), 1U);
  first.context.run.bound_by = Binder::bench;
  EXPECT_EQ(compared(first, second).differences.size(), 1U) << "one is bound otherwise";
  second.context.run.bound_by = Binder::bench;
  EXPECT_EQ(compared(first, second).differences, std::vector<std::string>());
}

TEST(Compare, CasesOfOneRunOnlyAreNamed) {
  Case failed = timed(1, "energy", "python");
  failed.status = Status::failed;
  failed.reason = "wrote nothing";
  failed.timing = {};
  const Comparisons found =
      compared(document(1), document({timed(1), timed(1, "energy", "openmp"), failed}));
  EXPECT_EQ(found.only_in_one,
            std::vector<std::string>{"energy/openmp/naive/f32/1000/kernel (second run)"});
  EXPECT_EQ(found.cases.size(), 1U);
  EXPECT_EQ(found.failed,
            std::vector<std::string>{"energy/python/naive/f32/1000/kernel: wrote nothing"});
  EXPECT_EQ(exit_code(found, false), 1) << "a variant that became wrong is no success";
}

TEST(Compare, WhatIsNotMeasuredAnyMoreIsNoSuccess) {
  Case skipped = timed(1, "energy", "openmp");
  skipped.status = Status::skipped;
  skipped.reason = "memory: needs 8 GB, 2 GB available";
  skipped.timing = {};
  const Comparisons found =
      compared(document({timed(1), timed(1, "energy", "openmp")}), document({timed(1), skipped}));
  EXPECT_EQ(found.absent, std::vector<std::string>{"energy/openmp/naive/f32/1000/kernel: memory: "
                                                   "needs 8 GB, 2 GB available"});
  EXPECT_TRUE(found.only_in_one.empty());
  EXPECT_EQ(exit_code(found, false), 4);
  expect_contains(text(found, 0.05), "absent in the second run: energy/openmp/naive");
}

/// The same, with a copy, measured with the case, that took `copy_seconds`.
Document with_copy(double seconds, double copy_seconds) {
  Case copy = timed(copy_seconds, "copy");
  copy.beside = Beside{"energy", "1000"};
  copy.reference = true;
  return document({timed(seconds), named(copy)});
}

// Where mere copying got slower as well, the node is another one, and the code is not to blame.
TEST(Compare, AChangedCopyMakesACaseUnclear) {
  const auto found = compared(with_copy(1, 1), with_copy(2, 2));
  ASSERT_EQ(found.cases.size(), 1U);
  EXPECT_EQ(found.cases[0].change, Change::unclear);
  EXPECT_EQ(found.cases[0].doubt, Doubt::node);
  expect_contains(text(found, 0.05), "unclear: node");
  EXPECT_EQ(compared(with_copy(1, 1), with_copy(2, 1)).cases.at(0).change, Change::slower);
}

// Samples that waited for a processor are the neighbours' as well as ours.
TEST(Compare, FewSamplesShowNoChange) {
  const auto change = [](std::size_t samples) {
    Case slow = timed(2);
    slow.timing.samples = samples_around(2, samples);
    return compared(document(1), document({slow})).cases.at(0).change;
  };
  EXPECT_EQ(change(5), Change::unclear);
  EXPECT_EQ(change(6), Change::slower);
}

TEST(Compare, ABusyNodeMakesACaseUnclear) {
  const auto waiting = [](double seconds, std::size_t samples) {
    Case one = timed(seconds);
    one.timing.preempted = samples;
    return document({one});
  };
  const auto found = compared(waiting(1, 0), waiting(2, 20));
  EXPECT_EQ(found.cases.at(0).change, Change::unclear);
  EXPECT_EQ(found.cases.at(0).doubt, Doubt::busy);
  EXPECT_EQ(exit_code(found, false), 4);
  expect_contains(text(found, 0.05), "unclear: busy");
  EXPECT_EQ(compared(waiting(2, 20), waiting(1, 0)).cases.at(0).change, Change::unclear);
  EXPECT_EQ(compared(waiting(1, 0), waiting(2, 4)).cases.at(0).change, Change::slower)
      << "a tenth of the samples";
  EXPECT_EQ(compared(waiting(1, 20), waiting(1, 20)).cases.at(0).change, Change::same)
      << "equal in spite of all";
}

TEST(Compare, ANodeThatWasBusyElsewhereIsToo) {
  const auto run = [](double seconds, std::size_t samples) {
    Case other = timed(1, "energy", "openmp");
    other.timing.preempted = samples;
    Case one = timed(seconds);
    one.timing.preempted = 0;
    return document({one, other});
  };
  EXPECT_EQ(compared(run(1, 0), run(2, 30)).cases.at(1).doubt, Doubt::busy);
  EXPECT_EQ(compared(run(1, 0), run(2, 0)).cases.at(1).change, Change::slower);
}

// A run that drifts by 10 % in its course cannot claim a difference of 8 %.
TEST(Compare, DriftWithinARunWidensTheInterval) {
  Case drifting = timed(1.08);
  for (std::size_t i = 0; i < 16; ++i) drifting.timing.samples[i] *= 1.1;
  EXPECT_EQ(compared(document(1), document({drifting})).cases.at(0).change, Change::unclear);
}

TEST(Compare, EndsOfIntervalsThatSayNothingAreShort) {
  EXPECT_EQ(ratio_interval_text({0.98, 1.031}), "[0.980, 1.031]");
  EXPECT_EQ(ratio_interval_text({1e-40, 6e37}), "[< 0.01, > 100]");
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
  return text(compare(before, after, 0.05, language), 0.05) +
         text(compare(before, document({timed(1, "x")}), 0.05, language), 0.05) +
         text(compare(document(2), document(1), 0.05, language), 0.05) +
         text(compare(document(1), document(1.05), 0.05, language), 0.05);
}

TEST(Compare, LeavesNoEnglishInOtherLanguages) {
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

}  // namespace
}  // namespace bench::test
