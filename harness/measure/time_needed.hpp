// How long will a group take? Smaller ones of its kind tell.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "harness/plan/plan.hpp"

namespace bench {

/// Seconds, roughly.
struct TimeNeeded {
  double least = 0;         ///< with no more samples than there must be
  double least_rounds = 0;  ///< the part of it that --max-time speaks of
  double expected = 0;      ///< with as many as the settings ask for
};

class Rehearsal {
 public:
  Rehearsal(std::span<const Workload* const> registry, Settings settings);

  /// Measures the group's cases at sizes that take a moment, on generated inputs.
  TimeNeeded time_needed(const PlannedGroup& group) const;

  /// Where neither the size nor a slow variant makes a group long, --max-time says how long it is.
  bool may_take_long(const PlannedGroup& group) const;
  /// Seconds, by --max-time where that says it.
  double expected(const PlannedGroup& group) const;

 private:
  static constexpr std::array<std::size_t, 4> sizes{1'000, 10'000, 100'000, 1'000'000};

  PlannedGroup like(const PlannedGroup& group, std::size_t size) const;

  std::span<const Workload* const> registry_;
  Settings settings_;
};

}  // namespace bench
