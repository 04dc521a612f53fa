#include "harness/doctor.hpp"

#include <gtest/gtest.h>

#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using Doubts = std::vector<std::string>;

Json healthy() {
  return {{"build", {{"build_type", "Release"}}},
          {"run", {{"threads", 4}}},
          {"machine",
           {{"allowed_cpus", 4},
            {"logical_cpus", 8},
            {"running_tasks", 1},
            {"governor", "performance"}}}};
}

/// The only doubt about a context.
std::string doubt(const Json& context) {
  const Doubts found = doubts(context);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? "" : found.front();
}

TEST(Doctor, HasNothingToSayAboutAHealthyRun) { EXPECT_EQ(doubts(healthy()), Doubts{}); }

TEST(Doctor, DoubtsABuildWithoutOptimisation) {
  Json context = healthy();
  context["build"]["build_type"] = "Debug";
  EXPECT_EQ(doubt(context), "built as Debug: configure with -DCMAKE_BUILD_TYPE=Release");
  context["build"]["build_type"] = nullptr;
  expect_contains(doubt(context), "built as unknown type");
  context["build"]["build_type"] = "RelWithDebInfo";
  EXPECT_EQ(doubts(context), Doubts{});
}

TEST(Doctor, DoubtsOneThread) {
  Json context = healthy();
  context["run"]["threads"] = 1;
  expect_contains(doubt(context), "--cpus-per-task");
}

TEST(Doctor, DoubtsMoreThreadsThanCpus) {
  Json context = healthy();
  context["run"]["threads"] = 5;
  EXPECT_EQ(doubt(context),
            "5 threads on 4 cpus: they wait for each other; set OMP_NUM_THREADS to 4");
}

TEST(Doctor, DoubtsABusyNode) {
  Json context = healthy();
  context["machine"]["running_tasks"] = 4;
  expect_contains(doubt(context), "3 other tasks were running");
  expect_contains(doubt(context), "--exclusive");
}

TEST(Doctor, DoubtsAGovernorThatSavesPower) {
  Json context = healthy();
  context["machine"]["governor"] = "powersave (2 of 4)";
  expect_contains(doubt(context), "--cpu-freq=performance");
}

TEST(Doctor, MissingFactsRaiseNoDoubt) {
  Json context = healthy();
  for (const auto& item : context["machine"].items()) item.value() = nullptr;
  EXPECT_EQ(doubts(context), Doubts{});
}

}  // namespace
}  // namespace bench::test
