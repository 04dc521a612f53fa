#include "harness/base/phases.hpp"

#include <gtest/gtest.h>

namespace bench {
namespace {

double spent(Phase phase) {
  const Seconds all = seconds_of_phases();
  const auto found = all.find(std::string(name_of(phase)));
  return found == all.end() ? 0 : found->second;
}

void wait(double seconds) {
  const Stopwatch stopwatch;
  while (stopwatch.seconds() < seconds) continue;
}

constexpr double some = 2e-3;

TEST(Phases, AnInnerPhaseInterruptsTheOuterOne) {
  const double inputs = spent(Phase::inputs);
  const double checks = spent(Phase::checks);
  const Stopwatch stopwatch;
  {
    const InPhase outer(Phase::checks);
    const InPhase inner(Phase::inputs);
    EXPECT_EQ(phase_now(), Phase::inputs);
    wait(some);
  }
  const double all = stopwatch.seconds();
  const double inner = spent(Phase::inputs) - inputs;
  EXPECT_GE(inner, some);
  EXPECT_LE(inner + spent(Phase::checks) - checks, all);
}

TEST(Phases, WhatDoesNotCountIsThePhaseAroundIt) {
  const double samples = spent(Phase::samples);
  const double caches = spent(Phase::caches);
  {
    const InPhase around(Phase::caches);
    InPhase sample(Phase::samples);
    wait(some);
    sample.count(some / 4);
  }
  EXPECT_DOUBLE_EQ(spent(Phase::samples) - samples, some / 4);
  EXPECT_GE(spent(Phase::caches) - caches, some * 3 / 4);
}

}  // namespace
}  // namespace bench
