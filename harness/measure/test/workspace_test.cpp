// Arrays between the steps of a variant: neither input nor result.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/measure/host_place.hpp"
#include "harness/measure/runner.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// Twice as `twice`, in two steps, with an array between them.
struct TwoSteps final : FakeProblem {
  explicit TwoSteps(const Shape& shape) : FakeProblem(shape, 2) {
    workspace = {array_of<float>(n)};
  }
  std::vector<BoundVariant> rungs(simd::Isa /*isa*/) const override { return planted()(n); }
};

const Workload two_steps = of_vectors<TwoSteps>("two_steps", "out = 2·in");

void first_step(const Arrays& a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a.work<float>(0)[i] = 2 * a.input<float>(0)[i];
}
void second_step(const Arrays& a, std::size_t n) {
  std::copy_n(a.work<float>(0), n, a.output<float>());
}

PlannedGroup planned_with(const std::function<void(const Arrays&, std::size_t)>& other) {
  planted() = [other](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    rungs.push_back({"serial", "steps", "", [=](const Arrays& a) { other(a, n); }});
    return rungs;
  };
  const std::vector<const Workload*> workloads{&copying, &two_steps};
  Settings settings = quick();
  settings.filters = {"two_steps"};
  return std::move(plan(workloads, settings).front());
}

Case measured_with(const std::function<void(const Arrays&, std::size_t)>& other) {
  const PlannedGroup planned = planned_with(other);
  return find_case(measure(planned, quick()), "two_steps/serial/steps");
}

TEST(Workspace, LiesBetweenTheSteps) {
  const Case one = measured_with([](const Arrays& a, std::size_t n) {
    first_step(a, n);
    second_step(a, n);
  });
  EXPECT_TRUE(one.measured()) << one.reason;
  EXPECT_EQ(one.footprint_bytes, 3 * 1'000 * sizeof(float));
}

TEST(Workspace, IsCountedWhereMemoryIsScarce) {
  EXPECT_EQ(bytes_needed(planned_with(first_step)), 3 * 1'000 * sizeof(float));
}

// What a call before has left there is gone.
TEST(Workspace, WhatIsNotWrittenShows) {
  const Case one = measured_with([first = true](const Arrays& a, std::size_t n) mutable {
    if (first) first_step(a, n);
    first = false;
    second_step(a, n);
  });
  EXPECT_EQ(one.status, Status::failed);
  expect_contains(one.reason, "wrote nothing");
}

TEST(Workspace, HasGuards) {
  const Case one = measured_with([](const Arrays& a, std::size_t n) {
    first_step(a, n);
    second_step(a, n);
    a.work<float>(0)[n] = 1;
  });
  EXPECT_EQ(one.status, Status::failed);
  expect_contains(one.reason, "wrote past");
}

TEST(Workspace, AReferenceHasNone) {
  const PlannedGroup group = planned_with(first_step);
  HostArrays host(group);
  EXPECT_EQ(host.arrays().workspace.size(), 1U);
  EXPECT_TRUE(host.reference_arrays(1).workspace.empty());
}

}  // namespace
}  // namespace bench::test
