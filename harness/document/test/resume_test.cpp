#include "harness/document/resume.hpp"

#include <gtest/gtest.h>

#include "harness/base/error.hpp"
#include "harness/document/test/records.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

TEST(Resume, TheSameNodeBuildAndSettingsAreNoObstacle) {
  EXPECT_EQ(obstacle(context(), context()), "");
}

TEST(Resume, EachDifferenceIsNamed) {
  const auto why = [](auto change) {
    Context now = context();
    change(now);
    return obstacle(context(), now);
  };
  EXPECT_EQ(why([](Context& now) { now.run.node = "n2"; }),
            "it was begun on node gpu1, this is n2");
  EXPECT_EQ(why([](Context& now) { now.build.revision = "def"; }),
            "it was begun by another build, 0123456789abcdef, this is def");
  EXPECT_EQ(why([](Context& now) { now.run.threads = 4; }),
            "it was begun with threads: 2, this is 4");
  EXPECT_EQ(why([](Context& now) { now.machine.gpu.emplace().name = "H200"; }),
            "it was begun with GPU null, this is H200");
  const std::vector<void (*)(Context&)> changes{
      [](Context& now) { now.run.isa = "other"; },
      [](Context& now) { now.run.seed = 7; },
      [](Context& now) { now.run.cache = CacheMode::hot; },
      [](Context& now) { now.run.max_samples = 9; },
      [](Context& now) { now.run.min_time_s = 9; },
      [](Context& now) { now.run.max_time_s = 9; },
      [](Context& now) {
        now.run.input_files = {{"x.npy", {3}, Dtype::f32, "xxh3:1"}};
      },
      [](Context& now) { now.build.dirty = true; },
      [](Context& now) { now.build.compiler = "other"; },
      [](Context& now) { now.build.build_type = "Debug"; },
      [](Context& now) { now.build.flags = "-O0"; },
      [](Context& now) {
        now.build.kernel_flags = {{"avx2", "-mavx2"}};
      },
      [](Context& now) { now.build.cuda = CudaBuildRecord{}; },
      [](Context& now) { now.machine.cpu_model = "Y"; }};
  for (const auto change : changes) EXPECT_NE(why(change), "");
}

TEST(Resume, OneRunDoesNotContinueSeveralExecutions) {
  Context before = context();
  before.run.executions = 2;
  before.run.finished = true;
  EXPECT_EQ(obstacle(before, context()), "");
  before.run.finished = false;
  EXPECT_EQ(obstacle(before, context()), "it holds several executions, this is one run");
}

TEST(Resume, WhatWasAskedForMustBeTheSame) {
  Context before = context();
  Context now = context();
  before.run.selection = now.run.selection = Selection{};
  EXPECT_EQ(obstacle(before, now), "");
  now.run.selection->filters = {"energy"};
  EXPECT_EQ(obstacle(before, now), "it was begun with filters [], this is [\"energy\"]");
  now.run.selection->filters.clear();
  now.run.selection->blocks = {64};
  EXPECT_EQ(obstacle(before, now), "it was begun with blocks [], this is [64]");
  now.run.selection->blocks.clear();
  now.run.selection->energy = true;
  EXPECT_EQ(obstacle(before, now), "it was begun with energy false, this is true");
}

TEST(Resume, AGroupIsHeldWithAllItsCases) {
  PlannedGroup group;
  group.cases.resize(2);
  group.cases[0].identity.name = "a";
  group.cases[1].identity.name = "b";
  Document earlier = document_of_groups({});
  EXPECT_FALSE(holds(earlier, group, "x.json"));
  earlier.cases.emplace_back().name = "a";
  expect_contains(message_of<UsageError>([&] { holds(earlier, group, "x.json"); }),
                  "x.json: holds a part of");
  earlier.cases.emplace_back().name = "b";
  EXPECT_TRUE(holds(earlier, group, "x.json"));
}

TEST(Resume, AGroupThatASignalEndedIsMeasuredAgain) {
  Document earlier = document_of_groups({});
  for (const char* const size : {"1000", "2000"}) {
    CaseRecord& one = earlier.cases.emplace_back();
    one.size = size;
    one.status = Status::measured;
    one.seconds.emplace();
    earlier.cases.emplace_back(one).status = Status::failed;
  }
  earlier.cases.front().seconds->stop = Stop::signal;
  take_out_ended(earlier);
  ASSERT_EQ(earlier.cases.size(), 2U);
  EXPECT_EQ(earlier.cases.front().size, "2000");
}

TEST(Resume, OnlyTheSameStepStartedAgainIsARequeue) {
  Context earlier = context();
  Context now = context();
  EXPECT_FALSE(requeued(earlier, now)) << "outside of Slurm";
  earlier.slurm.emplace().job_id = "7";
  earlier.slurm->step_id = "0";
  now.slurm.emplace().job_id = "7";
  now.slurm->step_id = "0";
  now.slurm->restart_count = "1";
  EXPECT_TRUE(requeued(earlier, now));
  earlier.slurm->restart_count = "1";
  EXPECT_FALSE(requeued(earlier, now)) << "begun after the last start";
  now.slurm->restart_count = "2";
  EXPECT_TRUE(requeued(earlier, now));
  now.slurm->step_id = "1";
  EXPECT_FALSE(requeued(earlier, now));
}

}  // namespace
}  // namespace bench::test
