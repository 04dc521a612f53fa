#include "harness/compare/history.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace bench {
namespace {

/// A node's times in one column, without what is common: logarithms, by survey.
struct PastTimes {
  const std::string* node = nullptr;
  std::vector<std::size_t> surveys;
  std::vector<double> values;
  double deviation = 0;  ///< of one value
};

/// The nodes of one column, and what is common to them.
struct Fleet {
  const FleetColumn* column = nullptr;
  std::vector<PastTimes> nodes;
  PastTimes common;
};

/// A median of normal values has this standard deviation times that of the mean.
double deviation_of_median(std::size_t count) {
  constexpr double of_many = 1.2533;
  return (count < 3 ? 1 : of_many) / std::sqrt(static_cast<double>(count));
}

/// What makes the distances of neighbours a standard deviation; one step hardly changes it.
double deviation_of_distances(const std::vector<double>& distances) {
  constexpr double quartile = 0.6745;
  return median(distances) / quartile / std::sqrt(2.0);
}

std::vector<double> distances(const std::vector<double>& values) {
  std::vector<double> found;
  for (std::size_t i = 1; i < values.size(); ++i) {
    found.push_back(std::abs(values[i] - values[i - 1]));
  }
  return found;
}

/// All series of one column. What is common to a survey is the median of its nodes, each without
/// what is its own, which is the median of its surveys: by turns, as each needs the other.
Fleet series_of(const FleetColumn& column, const std::vector<const Survey*>& all) {
  constexpr std::size_t enough_nodes = 3;  // of two nobody knows which one has changed
  constexpr int turns = 4;
  std::map<std::string, PastTimes> by_node;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto there = all[i]->logarithms.find(column);
    if (there == all[i]->logarithms.end() || there->second.size() < enough_nodes) continue;
    for (const auto& [node, logarithm] : there->second) {
      PastTimes& one = by_node[node];
      one.node = &node;
      one.surveys.push_back(i);
      one.values.push_back(logarithm);
    }
  }
  std::map<std::size_t, double> taken_out;
  for (int turn = 0; turn < turns; ++turn) {
    std::map<std::size_t, std::vector<double>> in_survey;
    for (const auto& [node, one] : by_node) {
      const double own = median(one.values);
      for (std::size_t i = 0; i < one.values.size(); ++i) {
        in_survey[one.surveys[i]].push_back(one.values[i] - own);
      }
    }
    std::map<std::size_t, double> common;
    for (const auto& [survey, values] : in_survey) {
      common[survey] = median(values);
      taken_out[survey] += common[survey];
    }
    for (auto& [node, one] : by_node) {
      for (std::size_t i = 0; i < one.values.size(); ++i) {
        one.values[i] -= common.at(one.surveys[i]);
      }
    }
  }
  Fleet found{&column, {}, {}};
  for (auto& [node, one] : by_node) {
    if (one.surveys.back() + 1 == all.size() && one.surveys.size() > 1) {
      found.nodes.push_back(std::move(one));
    }
  }
  for (const auto& [survey, level] : taken_out) {
    found.common.surveys.push_back(survey);
    found.common.values.push_back(level);
  }
  return found;
}

/// The noise of a node is its own, but at least the usual one: a few values may be close together
/// by chance.
void estimate_noise(Fleet& fleet) {
  constexpr std::size_t enough = 6;
  std::vector<double> of_all;
  for (const PastTimes& one : fleet.nodes) {
    const std::vector<double> own = distances(one.values);
    of_all.insert(of_all.end(), own.begin(), own.end());
  }
  if (of_all.empty()) return;
  const double usual = deviation_of_distances(of_all);
  // Nobody else knows what moves all at once.
  const std::vector<double> of_common = distances(fleet.common.values);
  if (of_common.size() < enough) {
    fleet.common.values.clear();
  } else {
    fleet.common.deviation = std::max(usual, deviation_of_distances(of_common));
  }
  for (PastTimes& one : fleet.nodes) {
    const std::vector<double> own = distances(one.values);
    one.deviation = own.size() < enough ? usual : std::max(usual, deviation_of_distances(own));
  }
}

/// The values before some place and from there on, each around its median.
struct Step {
  std::size_t at = 0;
  double before = 0;
  double since = 0;
  double apart = 0;  ///< all values from their medians
};

Step step_at(const std::vector<double>& values, std::size_t at) {
  const std::span<const double> all = values;
  const std::span<const double> before = all.first(at);
  const std::span<const double> since = all.subspan(at);
  Step step{at, median(before), median(since), 0};
  for (const double value : before) step.apart += std::abs(value - step.before);
  for (const double value : since) step.apart += std::abs(value - step.since);
  return step;
}

Step best_step(const std::vector<double>& values) {
  Step best = step_at(values, 1);
  for (std::size_t at = 2; at < values.size(); ++at) {
    const Step step = step_at(values, at);
    if (step.apart < best.apart) best = step;
  }
  return best;
}

/// What changed from one survey to another in more than half of these nodes.
Json changed_in_most(const std::vector<std::string>& nodes, const Survey& before,
                     const Survey& since) {
  std::map<Json, std::size_t> counted;
  std::size_t there = 0;
  for (const std::string& node : nodes) {
    const auto then = before.facts.find(node);
    const auto now = since.facts.find(node);
    if (then == before.facts.end() || now == since.facts.end()) continue;
    ++there;
    for (const Json& one : changed_facts(now->second, then->second)) ++counted[one];
  }
  Json found = Json::array();
  for (const auto& [change, count] : counted) {
    if (2 * count > there) found.push_back(change);
  }
  return found;
}

/// Since when a series of a fleet, that of these nodes, is slower than it was.
std::optional<Finding> slower_since(const PastTimes& one, const Fleet& fleet,
                                    const std::vector<const Survey*>& surveys, double z,
                                    const std::vector<std::string>& nodes) {
  constexpr double least_ratio = 1.02;
  const Step step = best_step(one.values);
  const double height = step.since - step.before;
  const std::size_t count_since = one.values.size() - step.at;
  const double deviation =
      one.deviation * std::hypot(deviation_of_median(step.at), deviation_of_median(count_since));
  const bool still = one.values.back() > step.before + height / 2;
  if (!still || height <= z * deviation || std::exp(height) < least_ratio) return {};
  const Survey& before = *surveys[one.surveys[step.at - 1]];
  const Survey& since = *surveys[one.surveys[step.at]];
  Finding found{.key = Found::slower_since, .nodes = nodes};
  found.columns = {std::get<Column>(*fleet.column)};
  found.ratio = {std::exp(height),
                 {std::exp(height - z * deviation), std::exp(height + z * deviation)}};
  found.values = {{"since", since.date()},
                  {"surveys_before", step.at},
                  {"surveys_since", count_since},
                  {"changed", changed_in_most(nodes, before, since)}};
  return found;
}

/// Where all workloads together are slower, their limits are, too.
void say_once(Findings& found) {
  const Findings all = found;
  std::erase_if(found, [&all](const Finding& one) {
    const Column& column = one.columns.front();
    return column.of_limits() && std::any_of(all.begin(), all.end(), [&](const Finding& other) {
             return other.nodes == one.nodes && other.columns.front().best == column.best &&
                    !other.columns.front().of_limits();
           });
  });
}

/// The quantile with which one false name of all candidates is to be expected in a year, with a
/// survey a week.
double z_of_candidates(std::size_t candidates) {
  constexpr double surveys_a_year = 52;
  return normal_quantile(1 - 1 / surveys_a_year / static_cast<double>(candidates));
}

}  // namespace

Survey survey_of(const std::vector<NodeRun>& runs) {
  Survey survey;
  std::vector<std::string> started;
  for (const NodeRun& run : runs) {
    started.push_back(run.started);
    Facts& facts = survey.facts[run.node] = run.facts;
    for (const char* const of_bench : {"revision", "compiler"}) {
      const auto found = run.asked.find(of_bench);
      if (found != run.asked.end()) facts[of_bench] = found->second;
    }
    for (const NodeTime& time : run.times) {
      if (time.column.pooled.empty()) continue;
      survey.logarithms[{run.cpu_model, run.gpu, time.column}][run.node] = std::log(time.seconds);
    }
  }
  if (started.empty()) return survey;
  // The clock of a node may be wrong.
  const auto middle = started.begin() + static_cast<std::ptrdiff_t>((started.size() - 1) / 2);
  std::nth_element(started.begin(), middle, started.end());
  survey.started = *middle;
  return survey;
}

LookBack look_back(const std::vector<NodeRun>& now, const std::vector<Survey>& earlier) {
  const Survey last = survey_of(now);
  std::vector<const Survey*> surveys;
  for (const Survey& one : earlier) surveys.push_back(&one);
  surveys.push_back(&last);
  std::vector<Fleet> fleets;
  std::size_t candidates = 0;
  for (const auto& [column, nodes] : last.logarithms) {
    Fleet& fleet = fleets.emplace_back(series_of(column, surveys));
    estimate_noise(fleet);
    for (const PastTimes& one : fleet.nodes) candidates += one.values.size() - 1;
    if (!fleet.common.values.empty()) candidates += fleet.common.values.size() - 1;
  }
  std::map<std::string, std::size_t> numbers;
  for (std::size_t i = 0; i < now.size(); ++i) numbers[now[i].node] = i;
  LookBack found;
  const double z = candidates > 0 ? z_of_candidates(candidates) : 0;
  for (const Fleet& fleet : fleets) {
    std::vector<std::string> nodes;
    for (const PastTimes& one : fleet.nodes) {
      nodes.push_back(*one.node);
      found.compared.insert(numbers.at(*one.node));
      if (auto slower = slower_since(one, fleet, surveys, z, {*one.node})) {
        found.slower.push_back(std::move(*slower));
      }
    }
    if (fleet.common.values.empty() || nodes.empty()) continue;
    if (auto slower = slower_since(fleet.common, fleet, surveys, z, nodes)) {
      const auto& [cpu_model, gpu, column] = *fleet.column;
      slower->key = Found::all_slower_since;
      slower->values.update({{"cpu_model", cpu_model}, {"gpu", gpu}});
      slower->nodes = {nodes.front()};
      found.all_slower.push_back(std::move(*slower));
    }
  }
  say_once(found.slower);
  say_once(found.all_slower);
  std::stable_sort(found.slower.begin(), found.slower.end(),
                   [](const auto& a, const auto& b) { return a.ratio.value > b.ratio.value; });
  return found;
}

}  // namespace bench
