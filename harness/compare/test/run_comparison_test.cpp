#include "harness/compare/run_comparison.hpp"

#include <gtest/gtest.h>

#include "harness/base/reasons.hpp"
#include "harness/compare/test/timed.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

Comparisons compared(const Document& before, const Document& after) {
  return compare(before, after, 0.05);
}

Change change(double before, double after) {
  return compared(timed_run(before), timed_run(after)).cases.at(0).change;
}

TEST(Compare, VerdictsNeedTheWholeInterval) {
  EXPECT_EQ(change(1.0, 1.0), Change::same);
  EXPECT_EQ(change(1.0, 1.02), Change::same);
  EXPECT_EQ(change(1.0, 1.05), Change::unclear);
  EXPECT_EQ(change(1.0, 1.2), Change::slower);
  EXPECT_EQ(change(1.0, 0.8), Change::faster);
}

// A case that would be slower alone is unclear among many: one in twenty is beyond its interval.
TEST(Compare, IntervalsOfManyCasesHoldTogether) {
  Case before = timed(1);
  Case after = timed(1.0545);
  EXPECT_EQ(compared(timed_run({before}), timed_run({after})).cases.at(0).change, Change::slower);
  std::vector<Case> many_before{before};
  std::vector<Case> many_after{after};
  for (int i = 0; i < 120; ++i) {
    const std::string backend = "backend" + std::to_string(i);
    many_before.push_back(timed(1, "energy", backend.c_str()));
    many_after.push_back(many_before.back());
  }
  const Comparisons found = compared(timed_run(many_before), timed_run(many_after));
  for (const Comparison& one : found.cases) {
    const bool changed = one.name.find("/serial/") != std::string::npos;
    EXPECT_EQ(one.change, changed ? Change::unclear : Change::same) << one.name;
  }
}

TEST(Compare, ThresholdIsTheUsers) {
  EXPECT_EQ(compare(timed_run(1), timed_run(1.2), 0.5).cases.at(0).change, Change::same);
}

TEST(Compare, ExitCodes) {
  const auto code = [](const Document& a, const Document& b, bool forced = false) {
    return exit_code(compared(a, b), forced);
  };
  EXPECT_EQ(code(timed_run(1), timed_run(1)), 0);
  EXPECT_EQ(code(timed_run(1), timed_run(0.5)), 0);
  EXPECT_EQ(code(timed_run(1), timed_run(1.5)), 3);
  EXPECT_EQ(code(timed_run(1), timed_run(1.05)), 4);
  Document other_seed = timed_run(1);
  other_seed.context.run.seed = 7;
  EXPECT_EQ(code(timed_run(1), other_seed), 5);
  EXPECT_EQ(code(timed_run(1), other_seed, true), 0);
  EXPECT_EQ(code(timed_run(1), timed_run({timed(1, "hypot")})), 5);
  EXPECT_EQ(code(timed_run(1), timed_run({timed(1, "hypot")}), true), 4);
}

TEST(Compare, NamesWhatIsUnlikeAndWhatMayExplain) {
  Document other = timed_run(1);
  other.context.run.input_hash["energy"]["f32/1000"] = "xxh3:2";
  other.context.machine.cpu_model = "Y";
  other.context.machine.omp = {{"OMP_PROC_BIND", "master"}};
  other.context.run.thread_cpus = {"0", "0"};
  const Comparisons found = compared(timed_run(1), other);
  EXPECT_EQ(found.unlike, std::vector<DifferingFact>{{"inputs of energy/f32/1000"}});
  EXPECT_EQ(found.differences,
            (std::vector<DifferingFact>{{"cpu_model", "Some Processor", "Y"},
                                        {"omp", "{}", R"({"OMP_PROC_BIND":"master"})"},
                                        {"cpus of the threads", "[]", R"(["0","0"])"}}));
}

TEST(Compare, CoresThatBenchHasChosenAreNoDifference) {
  Document first = timed_run(1);
  Document second = timed_run(1);
  first.context.run.thread_cpus = {"0", "1"};
  second.context.run.thread_cpus = {"1", "0"};
  EXPECT_EQ(compared(first, second).differences.size(), 1U);
  first.context.run.bound_by = Binder::bench;
  EXPECT_EQ(compared(first, second).differences.size(), 1U) << "one is bound otherwise";
  second.context.run.bound_by = Binder::bench;
  EXPECT_EQ(compared(first, second).differences, std::vector<DifferingFact>());
}

TEST(Compare, CasesOfOneRunOnlyAreNamed) {
  Case failed = timed(1, "energy", "python");
  failed.status = Status::failed;
  failed.reason = "wrote nothing";
  failed.timing = {};
  const Comparisons found =
      compared(timed_run(1), timed_run({timed(1), timed(1, "energy", "openmp"), failed}));
  EXPECT_TRUE(found.only_in_first.empty());
  EXPECT_EQ(found.only_in_second, std::vector<std::string>{"energy/openmp/naive/f32/1000/kernel"});
  EXPECT_EQ(found.cases.size(), 1U);
  EXPECT_EQ(found.failed,
            (std::vector<NotMeasured>{{"energy/python/naive/f32/1000/kernel", "wrote nothing"}}));
  EXPECT_EQ(exit_code(found, false), 1) << "a variant that became wrong is no success";
}

TEST(Compare, WhatIsNotMeasuredAnyMoreIsNoSuccess) {
  Case skipped = timed(1, "energy", "openmp");
  skipped.status = Status::skipped;
  skipped.reason = "memory: needs 8 GB, 2 GB available";
  skipped.timing = {};
  const Comparisons found =
      compared(timed_run({timed(1), timed(1, "energy", "openmp")}), timed_run({timed(1), skipped}));
  EXPECT_EQ(found.absent, (std::vector<NotMeasured>{{"energy/openmp/naive/f32/1000/kernel",
                                                     "memory: needs 8 GB, 2 GB available"}}));
  EXPECT_TRUE(found.only_in_first.empty() && found.only_in_second.empty());
  EXPECT_EQ(exit_code(found, false), 4);
}

/// The same, with a copy, measured with the case, that took `copy_seconds`.
Document with_copy(double seconds, double copy_seconds) {
  Case copy = timed(copy_seconds, "copy");
  copy.beside = Beside{"energy", "1000"};
  copy.reference = true;
  return timed_run({timed(seconds), named(copy)});
}

// Where mere copying got slower as well, the node is another one, and the code is not to blame.
TEST(Compare, AChangedCopyMakesACaseUnclear) {
  const auto found = compared(with_copy(1, 1), with_copy(2, 2));
  ASSERT_EQ(found.cases.size(), 1U);
  EXPECT_EQ(found.cases[0].change, Change::unclear);
  EXPECT_EQ(found.cases[0].doubt, Doubt::node);
  EXPECT_EQ(compared(with_copy(1, 1), with_copy(2, 1)).cases.at(0).change, Change::slower);
}

// Samples that waited for a processor are the neighbours' as well as ours.
TEST(Compare, FewSamplesShowNoChange) {
  const auto change = [](std::size_t samples) {
    Case slow = timed(2);
    slow.timing.samples = samples_around(2, samples);
    return compared(timed_run(1), timed_run({slow})).cases.at(0).change;
  };
  EXPECT_EQ(change(5), Change::unclear);
  EXPECT_EQ(change(6), Change::slower);
}

TEST(Compare, ABusyNodeMakesACaseUnclear) {
  const auto waiting = [](double seconds, std::size_t samples) {
    Case one = timed(seconds);
    one.timing.preempted = samples;
    return timed_run({one});
  };
  const auto found = compared(waiting(1, 0), waiting(2, 20));
  EXPECT_EQ(found.cases.at(0).change, Change::unclear);
  EXPECT_EQ(found.cases.at(0).doubt, Doubt::busy);
  EXPECT_EQ(exit_code(found, false), 4);
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
    return timed_run({one, other});
  };
  EXPECT_EQ(compared(run(1, 0), run(2, 30)).cases.at(1).doubt, Doubt::busy);
  EXPECT_EQ(compared(run(1, 0), run(2, 0)).cases.at(1).change, Change::slower);
}

// A run that drifts by 10 % in its course cannot claim a difference of 8 %.
TEST(Compare, DriftWithinARunWidensTheInterval) {
  Case drifting = timed(1.08);
  for (std::size_t i = 0; i < 16; ++i) drifting.timing.samples[i] *= 1.1;
  EXPECT_EQ(compared(timed_run(1), timed_run({drifting})).cases.at(0).change, Change::unclear);
}

}  // namespace
}  // namespace bench::test
