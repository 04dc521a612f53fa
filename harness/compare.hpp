// Two runs side by side: which cases got slower, by how much, and how sure that is.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/statistics.hpp"

namespace bench {

enum class Change { same, faster, slower, inconclusive };

/// One case in both runs: time of the second over time of the first.
struct Comparison {
  std::string name;
  Estimate ratio{};  ///< its interval is widened by what both runs drifted
  Change change = Change::same;
  bool node_changed = false;  ///< the yardstick beside it changed too: nothing is said of the code
};

struct Comparisons {
  std::vector<Comparison> cases;
  std::vector<std::string> only_in_one;  ///< measured in one run only, with which
  std::vector<std::string> failed;       ///< wrong in the second run, with the reason
  std::vector<std::string> unlike;       ///< differences that make the ratios meaningless
  std::vector<std::string> differences;  ///< what else differs and may explain a ratio
};

/// Compares what both documents measured. A case is slower or faster when its whole interval lies
/// beyond 1 ± threshold, the same when it lies within, and inconclusive otherwise. It is
/// inconclusive too where it would be slower or faster but the fastest copy, measured in the same
/// rounds, took another time as well: then the node was another one (a clock, a neighbour, a
/// migrated virtual machine). `threshold` is a fraction. Throws nlohmann::json::exception for a
/// document of another shape.
Comparisons compare(const nlohmann::ordered_json& first, const nlohmann::ordered_json& second,
                    double threshold);

/// 1 some case failed in the second run, 0 no case slower, 3 some slower, 4 some inconclusive, 5
/// not like with like (unless forced).
int exit_code(const Comparisons& comparisons, bool forced);

std::string text(const Comparisons& comparisons, double threshold);

}  // namespace bench
