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

/// Further from 1 than equal versions are, whichever of them was the slower one.
bool beyond(const Interval& ratio, const Interval& itself) {
  const double reach = std::max(itself.high, 1 / itself.low);
  return ratio.low > reach || ratio.high < 1 / reach;
}

using Clocked = std::vector<double> VersionTimes::*;

ByClock verdict_of(const VersionTimes& base, const VersionTimes& again, const VersionTimes& head,
                   Clocked clock, double threshold) {
  ByClock found{paired_ratio(again.*clock, base.*clock), paired_ratio(head.*clock, base.*clock)};
  if ((base.*clock).size() < least_samples) return found;
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

std::vector<double> medians(const std::vector<VersionTimes>& all, Clocked clock) {
  std::vector<double> found;
  for (const VersionTimes& one : all) found.push_back(median(one.*clock));
  return found;
}

/// The largest one over the smallest one.
double apart(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return *most / *least;
}

ByClock verdict_of(const std::vector<VersionTimes>& base, const std::vector<VersionTimes>& head,
                   Clocked clock, double threshold) {
  const std::vector<double> of_base = medians(base, clock);
  const std::vector<double> of_head = medians(head, clock);
  const double reach = std::max(apart(of_base), apart(of_head));
  ByClock found{
      {1, {1 / reach, reach}},
      with_interval(median(of_head) / median(of_base), interval_over_executions(of_head, of_base))};
  if ((base.front().*clock).size() >= least_samples) {
    found.change = judge(found.ratio.ci95, threshold);
  }
  return found;
}

bool processor_known(const VersionTimes& times) {
  return times.processor.size() == times.seconds.size() &&
         std::all_of(times.processor.begin(), times.processor.end(),
                     [](double seconds) { return seconds > 0; });
}

/// `verdict_by`: of a clock. That of the processor is asked where the other one is unclear.
template <class VerdictBy>
VersionComparison concluded(const std::string& name, const std::vector<VersionTimes>& all,
                            VerdictBy verdict_by) {
  ByClock found = verdict_by(&VersionTimes::seconds);
  const auto waited = [](const VersionTimes& one) { return one.waited; };
  if (std::any_of(all.begin(), all.end(), waited)) found.change = Change::unclear;
  VersionComparison result;
  result.name = name;
  if (found.change == Change::unclear && std::all_of(all.begin(), all.end(), processor_known)) {
    const ByClock other = verdict_by(&VersionTimes::processor);
    if (other.change == Change::slower || other.change == Change::faster) {
      found = other;
      result.clock = Clock::processor;
    }
  }
  result.itself = found.itself;
  result.ratio = found.ratio;
  result.change = found.change;
  return result;
}

}  // namespace

VersionComparison compare_versions(const std::string& name, const VersionTimes& base,
                                   const VersionTimes& again, const VersionTimes& head,
                                   double threshold, double measured) {
  VersionComparison result = concluded(name, {base, again, head}, [&](Clocked clock) {
    return verdict_of(base, again, head, clock, threshold);
  });
  result.base_seconds = median(base.seconds);
  result.head_seconds = median(head.seconds);
  if (result.change == Change::unclear) {
    result.more_seconds = more_seconds(result.ratio, threshold, measured);
  }
  return result;
}

VersionComparison compare_processes(const std::string& name, const std::vector<VersionTimes>& base,
                                    const std::vector<VersionTimes>& head, double threshold,
                                    double measured) {
  std::vector<VersionTimes> all = base;
  all.insert(all.end(), head.begin(), head.end());
  VersionComparison result =
      concluded(name, all, [&](Clocked clock) { return verdict_of(base, head, clock, threshold); });
  result.base_seconds = median(medians(base, &VersionTimes::seconds));
  result.head_seconds = median(medians(head, &VersionTimes::seconds));
  if (result.change != Change::unclear) return result;
  // More rounds help where the scatter of samples explains that of processes.
  const Interval own = paired_ratio(base[1].seconds, base[0].seconds).ci95;
  if (own.high / own.low >= result.itself.ci95.high) {
    result.more_seconds = more_seconds(result.ratio, threshold, measured);
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
