#include "harness/compare/versions.hpp"

#include <algorithm>
#include <cmath>

#include "harness/base/exit.hpp"
#include "harness/document/doubt.hpp"

namespace bench {
namespace {

struct ByClock {
  Estimate itself;
  Estimate ratio;
  Change change = Change::unclear;
};

bool beyond(const Interval& one, const Interval& other) {
  return one.low > other.high || one.high < other.low;
}

ByClock verdict_of(const std::vector<double>& base, const std::vector<double>& again,
                   const std::vector<double>& head, double threshold) {
  ByClock found{paired_ratio(again, base), paired_ratio(head, base)};
  if (base.size() < least_samples) return found;
  found.change = judge(found.ratio.ci95, threshold);
  const bool changed = found.change == Change::slower || found.change == Change::faster;
  const bool alike = judge(found.itself.ci95, threshold) == Change::same;
  if (changed && !beyond(found.ratio.ci95, found.itself.ci95)) found.change = Change::unclear;
  if (found.change == Change::same && !alike) found.change = Change::unclear;
  return found;
}

/// Intervals become narrower with the root of the time: they have to end before the threshold.
std::optional<double> more_seconds(const Estimate& ratio, double threshold, double measured) {
  const double width = (ratio.ci95.high - ratio.ci95.low) / 2;
  const double to_slower = std::abs(ratio.value - (1 + threshold));
  const double to_faster = std::abs(ratio.value - (1 - threshold));
  const double room = std::min(to_slower, to_faster);
  constexpr double most = 24 * 3600;
  const double factor = room > 0 ? std::pow(width / room, 2) : most;
  if (!std::isfinite(factor) || factor * measured > most) return {};
  return std::max(factor, 1.5) * measured - measured;
}

}  // namespace

VersionComparison compare_versions(const std::string& name, const VersionTimes& base,
                                   const VersionTimes& again, const VersionTimes& head,
                                   double threshold, double measured) {
  VersionComparison result;
  result.name = name;
  result.base_seconds = median(base.seconds);
  result.head_seconds = median(head.seconds);
  ByClock found = verdict_of(base.seconds, again.seconds, head.seconds, threshold);
  const auto known = [](const VersionTimes& times) {
    return times.processor.size() == times.seconds.size() &&
           std::all_of(times.processor.begin(), times.processor.end(),
                       [](double seconds) { return seconds > 0; });
  };
  if (found.change == Change::unclear && known(base) && known(again) && known(head)) {
    const ByClock other = verdict_of(base.processor, again.processor, head.processor, threshold);
    if (other.change == Change::slower || other.change == Change::faster) {
      found = other;
      result.clock = Clock::processor;
    }
  }
  result.itself = found.itself;
  result.ratio = found.ratio;
  result.change = found.change;
  if (found.change == Change::unclear) {
    result.more_seconds = more_seconds(found.ratio, threshold, measured);
  }
  return result;
}

int exit_code(const std::vector<VersionComparison>& all) {
  const auto any = [&](Change change) {
    return std::any_of(all.begin(), all.end(),
                       [change](const VersionComparison& one) { return one.change == change; });
  };
  if (any(Change::slower)) return Exit::slower;
  return all.empty() || any(Change::unclear) ? Exit::unclear : Exit::fine;
}

}  // namespace bench
