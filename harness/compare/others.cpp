#include "harness/compare/others.hpp"

#include <algorithm>

namespace bench {

void SortedValues::sort() { std::sort(values_.begin(), values_.end()); }

std::optional<double> SortedValues::quantile(double p, std::optional<double> but) const {
  const auto found = but ? std::lower_bound(values_.begin(), values_.end(), *but) : values_.end();
  const auto left_out = static_cast<std::size_t>(found - values_.begin());
  const std::size_t count = values_.size() - (found == values_.end() ? 0 : 1);
  if (count == 0) return {};
  const auto at = [&](std::size_t i) { return values_[i < left_out ? i : i + 1]; };
  const double position = p * static_cast<double>(count - 1);
  const auto below = static_cast<std::size_t>(position);
  const double fraction = position - static_cast<double>(below);
  return at(below) + fraction * (at(std::min(below + 1, count - 1)) - at(below));
}

Others::Others(const std::vector<const NodeRun*>& runs) : runs_(runs.begin(), runs.end()) {
  std::map<std::string, std::map<Json, std::size_t>> counts;
  for (const NodeRun* const run : runs_) {
    for (const auto& [key, fact] : run->facts) ++counts[key][fact];
    for (const auto& [name, value] : run->figures) figures_[name].add(value);
    for (const auto& [name, times] : run->limits) {
      auto& [memory, in_cache] = limits_[name];
      if (times.memory) memory.add(*times.memory);
      if (times.in_cache) in_cache.add(*times.in_cache);
    }
  }
  for (const auto& [key, found] : counts) {
    auto& commonest = facts_[key];
    commonest.resize(std::min<std::size_t>(found.size(), 2));
    std::partial_sort_copy(found.begin(), found.end(), commonest.begin(), commonest.end(),
                           [](const auto& a, const auto& b) { return a.second > b.second; });
  }
  for (auto& [name, values] : figures_) values.sort();
  for (auto& [name, times] : limits_) {
    times.first.sort();
    times.second.sort();
  }
}

std::optional<Json> Others::fact(const std::string& key, const NodeRun& seen_by,
                                 double share) const {
  const auto found = facts_.find(key);
  if (found == facts_.end()) return {};
  const std::size_t itself = runs_.count(&seen_by);
  for (const auto& [fact, holders] : found->second) {
    const std::size_t others = holders - (seen_by.facts.at(key) == fact ? itself : 0);
    if (static_cast<double>(others) > share * static_cast<double>(runs_.size() - itself)) {
      return fact;
    }
  }
  return {};
}

std::optional<double> Others::figure(const std::string& name, const NodeRun& seen_by,
                                     double p) const {
  const auto found = figures_.find(name);
  if (found == figures_.end()) return {};
  const auto own = seen_by.figures.find(name);
  const bool counted = runs_.contains(&seen_by) && own != seen_by.figures.end();
  return found->second.quantile(p, counted ? std::optional(own->second) : std::nullopt);
}

std::optional<double> Others::limit(const std::string& name, OfLimit time,
                                    const NodeRun& seen_by) const {
  const auto found = limits_.find(name);
  if (found == limits_.end()) return {};
  const auto own = seen_by.limits.find(name);
  const bool counted = runs_.contains(&seen_by) && own != seen_by.limits.end();
  const SortedValues& values =
      time == &LimitTimes::memory ? found->second.first : found->second.second;
  return values.quantile(0.5, counted ? own->second.*time : std::nullopt);
}

}  // namespace bench
