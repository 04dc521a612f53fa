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

std::vector<double> medians(const std::vector<VersionTimes>& all,
                            std::vector<double> VersionTimes::*clock) {
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
                   std::vector<double> VersionTimes::*clock, double threshold) {
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

bool any_waited(const std::vector<VersionTimes>& all) {
  return std::any_of(all.begin(), all.end(), [](const VersionTimes& one) { return one.waited; });
}

bool processor_known(const std::vector<VersionTimes>& all) {
  return std::all_of(all.begin(), all.end(), [](const VersionTimes& times) {
    return times.processor.size() == times.seconds.size() &&
           std::all_of(times.processor.begin(), times.processor.end(),
                       [](double seconds) { return seconds > 0; });
  });
}

/// `by_processor`: the verdict by that clock, which may show a change.
VersionComparison concluded(const std::string& name, double base_seconds, double head_seconds,
                            ByClock found, const std::optional<ByClock>& by_processor) {
  VersionComparison result;
  result.name = name;
  result.base_seconds = base_seconds;
  result.head_seconds = head_seconds;
  if (found.change == Change::unclear && by_processor &&
      (by_processor->change == Change::slower || by_processor->change == Change::faster)) {
    found = *by_processor;
    result.clock = Clock::processor;
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
  const std::vector<VersionTimes> all{base, again, head};
  ByClock found = verdict_of(base.seconds, again.seconds, head.seconds, threshold);
  if (any_waited(all)) found.change = Change::unclear;
  std::optional<ByClock> by_processor;
  if (processor_known(all)) {
    by_processor = verdict_of(base.processor, again.processor, head.processor, threshold);
  }
  VersionComparison result =
      concluded(name, median(base.seconds), median(head.seconds), found, by_processor);
  if (result.change == Change::unclear) {
    result.more_seconds = more_seconds(result.ratio, threshold, measured);
  }
  return result;
}

VersionComparison compare_processes(const std::string& name, const std::vector<VersionTimes>& base,
                                    const std::vector<VersionTimes>& head, double threshold,
                                    double measured) {
  ByClock found = verdict_of(base, head, &VersionTimes::seconds, threshold);
  if (any_waited(base) || any_waited(head)) found.change = Change::unclear;
  std::optional<ByClock> by_processor;
  if (processor_known(base) && processor_known(head)) {
    by_processor = verdict_of(base, head, &VersionTimes::processor, threshold);
  }
  const auto middle = [](const std::vector<VersionTimes>& all) {
    return median(medians(all, &VersionTimes::seconds));
  };
  VersionComparison result = concluded(name, middle(base), middle(head), found, by_processor);
  const Interval own = paired_ratio(base[1].seconds, base[0].seconds).ci95;
  // More rounds help where the scatter of samples explains that of processes.
  const bool of_samples = own.high / own.low >= result.itself.ci95.high;
  if (result.change == Change::unclear && of_samples) {
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
