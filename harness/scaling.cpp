#include "harness/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "harness/case_name.hpp"
#include "harness/statistics.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

/// The fewest threads that no larger number beats.
int enough_threads(const std::vector<const Case*>& by_threads) {
  for (std::size_t i = 0; i < by_threads.size(); ++i) {
    const auto beats = [&](const Case* more) {
      return bootstrap_ratio(by_threads[i]->timing.samples, more->timing.samples).ci95.low > 1;
    };
    const auto next = by_threads.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (std::none_of(next, by_threads.end(), beats)) return by_threads[i]->threads;
  }
  return by_threads.back()->threads;
}

Json entry(const std::string& name, std::vector<const Case*> cases) {
  std::sort(cases.begin(), cases.end(),
            [](const Case* a, const Case* b) { return a->threads < b->threads; });
  const Case& fewest = *cases.front();
  Json points = Json::array();
  for (const Case* one : cases) {
    const Estimate speedup = one == &fewest
                                 ? Estimate{1, {1, 1}}
                                 : bootstrap_ratio(fewest.timing.samples, one->timing.samples);
    const double ideal = static_cast<double>(one->threads) / fewest.threads;
    points.push_back(
        {{"threads", one->threads},
         {"seconds", median(one->timing.samples)},
         {"speedup", {{"value", speedup.value}, {"ci95", {speedup.ci95.low, speedup.ci95.high}}}},
         {"efficiency", speedup.value / ideal}});
  }
  return {{"name", name},
          {"workload", fewest.workload},
          {"backend", fewest.backend},
          {"variant", fewest.variant},
          {"dtype", fewest.dtype},
          {"size", fewest.size},
          {"cache", fewest.cache},
          {"points", points},
          {"enough_threads", enough_threads(cases)}};
}

}  // namespace

Json scaling(const Group& group) {
  std::vector<std::pair<std::string, std::vector<const Case*>>> variants;
  for (const Case& one : group.cases) {
    if (!one.measured() || one.backend != "openmp") continue;
    if (!beside(one.name).empty()) continue;
    const std::string name = without_threads(one.name);
    const auto known = std::find_if(variants.begin(), variants.end(),
                                    [&](const auto& variant) { return variant.first == name; });
    auto& cases =
        known == variants.end() ? variants.emplace_back(name, std::vector<const Case*>{}) : *known;
    cases.second.push_back(&one);
  }
  Json entries = Json::array();
  for (const auto& [name, cases] : variants) {
    if (cases.size() > 1) entries.push_back(entry(name, cases));
  }
  return entries;
}

}  // namespace bench
