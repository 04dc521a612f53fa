#include "harness/compare/slow_links.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/compare/odd_links.hpp"

namespace bench {

void add_slow_links(Health& found, const std::vector<LinkTimes>& links, double threshold) {
  std::vector<PartHealth> slow;
  for (const OddLink& one : odd_links(links, threshold).odd) {
    if (!one.to.empty()) continue;
    const auto [low, high] = one.speed.ci95;
    PartHealth part{fmt::format("{} {}", one.from, name_of(one.way)),
                    {1 / one.speed.value, {1 / high, 1 / low}},
                    {}};
    part.of = "the other GPUs";
    part.slow_from = (1 + threshold) * part.ratio.value / part.ratio.ci95.low;
    slow.push_back(std::move(part));
  }
  add_parts(found, std::move(slow));
}

}  // namespace bench
