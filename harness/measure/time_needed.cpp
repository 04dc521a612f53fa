#include "harness/measure/time_needed.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/measure/runner.hpp"
#include "harness/plan/input_files.hpp"
#include "harness/workload/workload.hpp"

namespace bench {
namespace {

std::size_t guests_in(const PlannedGroup& group) {
  return static_cast<std::size_t>(std::count_if(
      group.cases.begin(), group.cases.end(),
      [](const PlannedCase& one) { return one.identity.guest && !one.identity.status; }));
}

TimeNeeded with(const Cost& cost, const PlannedGroup& group, const Settings& settings) {
  // Before the rounds, in the last one, and on other inputs; graded user kernels some times more.
  constexpr double checks = 3;
  const double times = checks * static_cast<double>(1 + (settings.graded ? guests_in(group) : 0));
  const auto most = static_cast<double>(settings.max_samples);
  const double least = std::min(most, static_cast<double>(Settings::min_samples)) * cost.round;
  const double expected = std::max(least, std::min(settings.max_seconds, most * cost.round));
  return {times * cost.checks + least, least, times * cost.checks + expected};
}

/// The group without variants that have failed: one that does not answer is waited for once.
PlannedGroup without(const std::set<std::string>& failed, PlannedGroup group) {
  std::erase_if(group.cases, [&](const PlannedCase& one) {
    return failed.contains(one.identity.backend + "/" + one.identity.variant);
  });
  return group;
}

}  // namespace

Rehearsal::Rehearsal(std::span<const Workload* const> registry, Settings settings)
    : registry_(registry), settings_(std::move(settings)) {
  if (settings_.inputs) settings_.dtypes = {settings_.inputs->dtype()};
  settings_.inputs = nullptr;
  settings_.budget.reset();
  settings_.last_level_cache_bytes = 1;  // large arrays need no emptying of caches
}

/// The cases that the group itself measures.
PlannedGroup Rehearsal::like(const PlannedGroup& group, std::size_t size) const {
  Settings settings = settings_;
  settings.sizes = {std::to_string(size)};
  const Case& wanted = group.cases.front().identity;
  for (PlannedGroup& small : plan(registry_, settings)) {
    const Case& one = small.cases.front().identity;
    if (small.workload != group.workload || small.dtype != group.dtype || one.bins != wanted.bins ||
        one.steps != wanted.steps) {
      continue;
    }
    std::erase_if(small.cases, [&](const PlannedCase& of_small) {
      const Case& a = of_small.identity;
      return std::none_of(group.cases.begin(), group.cases.end(), [&](const PlannedCase& one_of) {
        const Case& b = one_of.identity;
        return !b.status && a.workload == b.workload && a.backend == b.backend &&
               a.variant == b.variant && a.scope == b.scope &&
               a.beside.has_value() == b.beside.has_value();
      });
    });
    return std::move(small);
  }
  return group;
}

TimeNeeded Rehearsal::time_needed(const PlannedGroup& group) const {
  constexpr double clear = 0.01;  // seconds, of a round
  const std::size_t elements = group.cases.front().identity.elements;
  Cost before;
  Cost cost;
  std::set<std::string> failed;
  std::size_t size = 0;
  for (const std::size_t next : sizes) {
    if (next >= elements) {
      return with(rehearse(without(failed, group), settings_), group, settings_);
    }
    if (size > 0 && cost.round > clear) break;
    before = cost;
    cost = rehearse(without(failed, like(group, next)), settings_);
    failed.merge(cost.failed);
    size = next;
  }
  // A straight line through the last two, or a parabola; what is steeper is not measured at large
  // sizes.
  const auto grown = [&](double smaller, double larger) {
    if (group.definition != nullptr && group.definition->quadratic) {
      const double times = static_cast<double>(elements) / static_cast<double>(size);
      return larger * times * times;
    }
    const double times = static_cast<double>(elements - size) / (0.9 * static_cast<double>(size));
    return larger + std::max(0.0, larger - smaller) * times;
  };
  return with({grown(before.checks, cost.checks), grown(before.round, cost.round), {}}, group,
              settings_);
}

bool Rehearsal::may_take_long(const PlannedGroup& group) const {
  constexpr std::size_t many = 50'000'000;
  constexpr std::size_t many_of_slow_ones = 1'000'000;
  const bool slow_ones = settings_.most_elements > 0 || !settings_.guest_variants.empty();
  return group.cases.front().identity.elements >= (slow_ones ? many_of_slow_ones : many);
}

double Rehearsal::expected(const PlannedGroup& group) const {
  return may_take_long(group) ? time_needed(group).expected : settings_.max_seconds;
}

}  // namespace bench
