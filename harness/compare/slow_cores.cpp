#include "harness/compare/slow_cores.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "harness/base/statistics.hpp"
#include "harness/compare/node_run.hpp"

namespace bench {

void add_slow_cores(Health& found, const std::vector<CoreTime>& cores, std::size_t passes,
                    double threshold) {
  constexpr std::size_t fewest = 5;
  std::map<std::pair<int, std::size_t>, std::vector<CoreTime>> alike;
  for (const CoreTime& one : cores) alike[{one.socket, one.threads}].push_back(one);
  const double z = joint_95(cores.size());
  std::vector<PartHealth> slow;
  for (const auto& [of, group] : alike) {
    if (group.size() < fewest) continue;
    std::vector<double> seconds;
    for (const CoreTime& one : group) seconds.push_back(one.seconds);
    const double middle = median(seconds);
    const double reach = std::exp(z * spread(seconds));
    for (const CoreTime& one : group) {
      const double ratio = one.seconds / middle;
      if (ratio / reach <= 1 + threshold) continue;
      PartHealth part{fmt::format("cpu {}", one.cpu), {ratio, {ratio / reach, ratio * reach}}, {}};
      part.verdict = passes > 1 ? NodeVerdict::slow : NodeVerdict::unclear;
      part.passes = passes;
      part.of = "its neighbours";
      part.slow_from = (1 + threshold) * reach;
      slow.push_back(std::move(part));
    }
  }
  add_parts(found, std::move(slow));
}

}  // namespace bench
