// Variants that show a mistake: checked like all others, never timed, and only their result may be
// wrong.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/document/test/records.hpp"
#include "harness/measure/runner.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using Call = std::function<void(const Arrays&)>;

Planted honest_and_wrong(const Call& call) {
  return [call](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    BoundVariant mistake{"openmp", "mistake", "loses something", call};
    mistake.wrong = true;
    rungs.push_back(mistake);
    return rungs;
  };
}

constexpr std::size_t n = 1'000;  // of twice at its default size

Call loses_one() {
  return [](const Arrays& a) {
    doubled(a, n);
    a.output<float>()[n / 2] = 0;
  };
}

const Case& mistake(const Group& group) { return find_case(group, "twice/openmp/mistake"); }

TEST(WrongOnPurpose, IsShownAndNeverTimed) {
  const Group group = measure_twice(quick(), honest_and_wrong(loses_one()));
  const Case& one = mistake(group);
  EXPECT_EQ(one.status, Status::expected_wrong);
  expect_contains(one.reason, "1 of 1000 elements are wrong, the first at index 500");
  expect_contains(one.reason, " (3 of 3 runs)");
  EXPECT_TRUE(one.timing.samples.empty());

  const Tables tables = tables_of(group);
  const Json as_case = find_row(tables.cases, "twice/openmp/mistake");
  EXPECT_EQ(as_case.at("status"), "expected_wrong");
  EXPECT_TRUE(as_case.at("seconds").is_null());
  EXPECT_EQ(as_case.at("verification").at("passed"), false);
  for (const char* key : {"seconds", "over_serial", "over_best_cpu"}) {
    EXPECT_TRUE(find_row(tables.speedups, "twice/openmp/mistake").at(key).is_null()) << key;
  }
  for (const char* path : {"twice/serial/naive", "twice/openmp/naive", "copy/openmp/naive"}) {
    EXPECT_TRUE(find_case(group, path).measured()) << path;
  }
}

// One thread cannot race.
TEST(WrongOnPurpose, IsNotTimedWhereItIsRightEither) {
  const Group group =
      measure_twice(quick(), honest_and_wrong([](const Arrays& a) { doubled(a, n); }));
  EXPECT_EQ(mistake(group).status, Status::expected_wrong);
  EXPECT_EQ(mistake(group).reason, "not seen here: right in all 3 runs");
  EXPECT_TRUE(mistake(group).timing.samples.empty());
}

TEST(WrongOnPurpose, TheWorstOfThreeRunsIsShown) {
  const auto now_and_then = [calls = 0](const Arrays& a) mutable {
    doubled(a, n);
    if (++calls == 2) a.output<float>()[7] = 0;
  };
  const Group group = measure_twice(quick(), honest_and_wrong(now_and_then));
  expect_contains(mistake(group).reason, "the first at index 7");
  expect_contains(mistake(group).reason, " (1 of 3 runs)");
}

TEST(WrongOnPurpose, OnlyItsResultMayBeWrong) {
  const std::vector<std::pair<Call, std::string>> others{
      {[](const Arrays& a) {
         doubled(a, n);
         a.output<float>()[n] = 1;
       },
       "wrote past"},
      {[](const Arrays& a) {
         doubled(a, n);
         a.mutable_input<float>(0)[3] = 0;
       },
       "wrote into its input"},
      {[](const Arrays&) { throw std::runtime_error("no licence"); }, "threw: no licence"}};
  for (const auto& [call, reason] : others) {
    const Group group = measure_twice(quick(), honest_and_wrong(call));
    EXPECT_EQ(mistake(group).status, Status::failed) << reason;
    expect_contains(mistake(group).reason, reason);
    EXPECT_TRUE(find_case(group, "twice/serial/naive").measured());
  }
}

TEST(WrongOnPurpose, IsNotVerified) {
  const Settings settings = quick();
  bool shown = false;
  const Group group =
      verify(planned_twice(settings, honest_and_wrong(loses_one())), settings,
             [&](const Case& one, auto&&...) { shown = shown || one.variant == "mistake"; });
  EXPECT_EQ(mistake(group).status, Status::expected_wrong);
  EXPECT_FALSE(shown);
  EXPECT_EQ(find_case(group, "twice/serial/naive").status, std::nullopt);
}

TEST(WrongOnPurpose, IsNoBandwidthReference) {
  planted() = honest_and_wrong(loses_one());
  Workload moving = turning;
  moving.name = "moving";
  moving.nearer_reference = &twice;
  const std::vector<const Workload*> workloads{&copying, &moving};
  Settings settings = quick();
  settings.filters = {"moving"};
  const auto groups = plan(workloads, settings);
  const auto& cases = groups.at(0).cases;
  EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [](const PlannedCase& one) {
    return one.identity.workload == "twice" && one.identity.nearer_reference;
  }));
  for (const PlannedCase& one : cases) EXPECT_NE(one.identity.variant, "mistake");
}

}  // namespace
}  // namespace bench::test
