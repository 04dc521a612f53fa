#include "harness/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/case_name.hpp"
#include "harness/tables/words.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

std::vector<double> samples(const Json& result) {
  return result.at("seconds").at("samples").get<std::vector<double>>();
}

/// What was measured in the same rounds on the same processors: the group (for a yardstick, the one
/// that it ran beside), backend, threads, precision and scope.
std::string rounds_of(const Json& result) {
  std::string group = beside(result.at("name").get<std::string>());
  if (group.empty()) {
    group = fmt::format("{}:{}", result.at("workload").get<std::string>(),
                        result.at("size").get<std::string>());
  }
  return fmt::format("{}/{}/{}/{}/{}", group, result.at("backend").get<std::string>(),
                     result.at("threads").dump(), result.at("dtype").get<std::string>(),
                     result.at("scope").get<std::string>());
}

/// A case: its samples, and those of the fastest copy in the same rounds (perhaps none).
struct Measured {
  std::vector<double> samples;
  std::vector<double> yardstick;
};

/// The measured cases by name, references left out.
std::map<std::string, Measured> measured(const Json& document) {
  std::map<std::string, std::vector<double>> yardsticks;
  for (const Json& result : document.at("cases")) {
    if (result.at("status") == "measured" && result.at("share_of_copy") == 1.0) {
      yardsticks[rounds_of(result)] = samples(result);
    }
  }
  std::map<std::string, Measured> cases;
  for (const Json& result : document.at("cases")) {
    if (result.at("status") != "measured" || result.at("reference").get<bool>()) continue;
    cases[result.at("name").get<std::string>()] = {samples(result), yardsticks[rounds_of(result)]};
  }
  return cases;
}

Change judge(const Interval& ratio, double threshold) {
  const double slowest_same = 1 + threshold;
  const double fastest_same = 1 / slowest_same;
  if (ratio.low > slowest_same) return Change::slower;
  if (ratio.high < fastest_same) return Change::faster;
  if (ratio.low >= fastest_same && ratio.high <= slowest_same) return Change::same;
  return Change::inconclusive;
}

/// True where the yardstick beside a case took another time in the second run. Its median alone is
/// asked: the doubt is enough, and a node that changes within a run has wide intervals.
bool node_changed(const Measured& before, const Measured& after, double threshold) {
  if (before.yardstick.empty() || after.yardstick.empty()) return false;
  const double ratio = median(after.yardstick) / median(before.yardstick);
  return judge({ratio, ratio}, threshold) != Change::same;
}

Comparison compare_case(const std::string& name, const Measured& before, const Measured& after,
                        double threshold) {
  Comparison result{name, drifting_ratio(after.samples, before.samples)};
  result.change = judge(result.ratio.ci95, threshold);
  const bool differs = result.change == Change::slower || result.change == Change::faster;
  result.node_changed = differs && node_changed(before, after, threshold);
  if (result.node_changed) result.change = Change::inconclusive;
  return result;
}

const char* name(const Comparison& comparison) {
  if (comparison.node_changed) return "unclear: node";
  switch (comparison.change) {
    case Change::faster:
      return "faster";
    case Change::slower:
      return "SLOWER";
    case Change::inconclusive:
      return "unclear";
    case Change::same:
      break;
  }
  return "same";
}

std::string shown(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Lists the keys below `path` whose values differ.
void differing(const Json& first, const Json& second, const std::string& path,
               const std::vector<std::string>& keys, std::vector<std::string>& found) {
  for (const std::string& key : keys) {
    const Json a = first.value(nlohmann::ordered_json::json_pointer(path + "/" + key), Json());
    const Json b = second.value(nlohmann::ordered_json::json_pointer(path + "/" + key), Json());
    if (a != b) found.push_back(fmt::format("{}: {} and {}", key, shown(a), shown(b)));
  }
}

/// The same workload, precision and size must have had the same inputs.
void differing_inputs(const Json& first, const Json& second, std::vector<std::string>& found) {
  const Json& a = first.at("context").at("run").at("input_hash");
  const Json& b = second.at("context").at("run").at("input_hash");
  for (const auto& [workload, hashes] : a.items()) {
    if (!b.contains(workload)) continue;
    for (const auto& [size, hash] : hashes.items()) {
      const Json& other = b.at(workload);
      if (other.contains(size) && other.at(size) != hash) {
        found.push_back(fmt::format("inputs of {}/{}", workload, size));
      }
    }
  }
}

}  // namespace

Comparisons compare(const Json& first, const Json& second, double threshold) {
  Comparisons result;
  differing(first, second, "/context/run", {"seed", "cache", "threads", "isa"}, result.unlike);
  differing_inputs(first, second, result.unlike);
  differing(first, second, "/context/run", {"node"}, result.differences);
  differing(first, second, "/context/machine", {"cpu_model", "governor", "cpuset", "kernel"},
            result.differences);
  differing(first, second, "/context/build", {"revision", "dirty", "compiler", "flags"},
            result.differences);

  for (const Json& one : second.at("cases")) {
    if (one.at("status") != "failed") continue;
    result.failed.push_back(
        fmt::format("{}: {}", one.at("name").get<std::string>(), shown(one.at("reason"))));
  }
  const auto before = measured(first);
  const auto after = measured(second);
  for (const auto& [name, one] : before) {
    const auto found = after.find(name);
    if (found == after.end()) {
      result.only_in_one.push_back(name + " (first run)");
    } else {
      result.cases.push_back(compare_case(name, one, found->second, threshold));
    }
  }
  for (const auto& [name, one] : after) {
    if (!before.contains(name)) result.only_in_one.push_back(name + " (second run)");
  }
  return result;
}

int exit_code(const Comparisons& comparisons, bool forced) {
  const auto any = [&](Change change) {
    return std::any_of(comparisons.cases.begin(), comparisons.cases.end(),
                       [change](const Comparison& one) { return one.change == change; });
  };
  constexpr int wrong = 1;
  constexpr int slower = 3;
  constexpr int inconclusive = 4;
  constexpr int unlike = 5;
  if (!forced && (!comparisons.unlike.empty() || comparisons.cases.empty())) return unlike;
  if (!comparisons.failed.empty()) return wrong;
  if (any(Change::slower)) return slower;
  return any(Change::inconclusive) ? inconclusive : 0;
}

std::string text(const Comparisons& comparisons, double threshold) {
  std::string text = fmt::format(
      "time of the second run ÷ time of the first, with its 95 % interval; same means\n"
      "within {:.3g} %, faster or slower that the whole interval lies beyond\n\n",
      100 * threshold);
  std::size_t width = 0;
  for (const Comparison& one : comparisons.cases) width = std::max(width, one.name.size());
  for (const Comparison& one : comparisons.cases) {
    text += fmt::format("  {:{}}  {:6.3f}  [{:.3f}, {:.3f}]  {}\n", one.name, width,
                        one.ratio.value, one.ratio.ci95.low, one.ratio.ci95.high, name(one));
  }
  const auto list = [&text](const char* title, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
      text += wrapped(fmt::format("{}: {}", title, line), 80, 2) + "\n";
    }
  };
  if (comparisons.cases.empty()) text += "  no case was measured in both runs\n";
  const bool other_node = std::any_of(comparisons.cases.begin(), comparisons.cases.end(),
                                      [](const Comparison& one) { return one.node_changed; });
  if (other_node) {
    text +=
        "\nnode: the fastest copy, measured in the same rounds, took another time as well, so\n"
        "the node was not the same (clock, neighbours, a migrated virtual machine)\n";
  }
  text += "\n";
  list("failed in the second run", comparisons.failed);
  list("not like with like", comparisons.unlike);
  list("differs", comparisons.differences);
  list("only in one", comparisons.only_in_one);
  return text;
}

}  // namespace bench
