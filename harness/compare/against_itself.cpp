#include "harness/compare/against_itself.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "harness/base/statistics.hpp"

namespace bench {
namespace {

using Hardware = std::pair<std::string, std::string>;

Hardware hardware_of(const NodeRun& run) { return {run.cpu_model, run.gpu}; }

/// The median over nodes, of each column.
using Usual = std::map<std::pair<Hardware, Column>, double>;

Usual usual_times(const std::vector<NodeRun>& runs) {
  std::map<std::pair<Hardware, Column>, std::vector<double>> seconds;
  for (const NodeRun& run : runs) {
    for (const NodeTime& time : run.times) {
      seconds[{hardware_of(run), time.column}].push_back(time.seconds);
    }
  }
  Usual usual;
  for (const auto& [key, values] : seconds) usual[key] = median(values);
  return usual;
}

/// The logarithm of the time now over that before, over all columns but the pooled ones; nothing
/// where no time is there in both.
std::optional<double> correct(NodeRun& now, const NodeRun& before, const Usual& usual) {
  std::vector<NodeTime> kept;
  std::vector<double> logarithms;
  for (NodeTime time : now.times) {
    const NodeTime* const earlier = before.time_in(time.column);
    if (earlier == nullptr) continue;
    const double factor = time.seconds / earlier->seconds;
    if (time.column.pooled.empty()) logarithms.push_back(std::log(factor));
    time.seconds = factor * usual.at({hardware_of(before), time.column});
    time.deviation = std::hypot(time.deviation, earlier->deviation);
    time.between = std::hypot(time.between, earlier->between);
    kept.push_back(std::move(time));
  }
  now.times = std::move(kept);
  const std::map<std::string, LimitTimes> limits = std::exchange(now.limits, {});
  for (const auto& [name, one] : limits) {
    const auto earlier = before.limits.find(name);
    if (earlier == before.limits.end()) continue;
    const auto over = [](std::optional<double> time, const std::optional<double>& then) {
      return time && then ? std::optional(*time / *then) : std::nullopt;
    };
    now.limits[name] = {one.on_gpu, over(one.memory, earlier->second.memory),
                        over(one.in_cache, earlier->second.in_cache)};
  }
  if (logarithms.empty()) return {};
  return median(logarithms);
}

}  // namespace

void against_itself(std::vector<NodeRun>& now, const std::vector<NodeRun>& before,
                    Findings& found) {
  const Usual usual = usual_times(before);
  std::map<std::string, const NodeRun*> earlier;
  for (const NodeRun& run : before) earlier[run.node] = &run;
  std::map<Hardware, std::vector<double>> changed;
  std::vector<std::string> left_out;
  std::erase_if(now, [&](NodeRun& run) {
    const auto past = earlier.find(run.node);
    const auto change = past == earlier.end() || hardware_of(*past->second) != hardware_of(run)
                            ? std::nullopt
                            : correct(run, *past->second, usual);
    if (!change) {
      left_out.push_back(run.node);
      return true;
    }
    changed[hardware_of(run)].push_back(*change);
    run.facts[facts::since_then] = changed_facts(run.facts, past->second->facts);
    return false;
  });
  for (const auto& [hardware, logarithms] : changed) {
    found.push_back({Found::common_change,
                     {},
                     {{"cpu_model", hardware.first}, {"factor", std::exp(median(logarithms))}}});
  }
  if (!left_out.empty()) found.push_back({Found::left_out_before, left_out});
}

}  // namespace bench
