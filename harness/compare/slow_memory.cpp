#include "harness/compare/slow_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/base/statistics.hpp"

namespace bench {
namespace {

/// Of kernels that reserve some of it.
bool alike(const MemoryTime& a, const MemoryTime& b) {
  const auto [less, more] = std::minmax(a.memory_bytes, b.memory_bytes);
  return a.threads == b.threads && static_cast<double>(more) <= 1.1 * static_cast<double>(less);
}

/// How much longer it takes than the middle one of those that are alike, each time; empty where
/// there are none.
std::vector<double> ratios_of(const MemoryTime& one, const std::vector<MemoryTime>& all) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < one.seconds.size(); ++i) {
    std::vector<double> others;
    for (const MemoryTime& other : all) {
      const bool counts = &other != &one && alike(one, other) && i < other.seconds.size();
      if (counts) others.push_back(other.seconds[i]);
    }
    if (others.empty()) return {};
    ratios.push_back(one.seconds[i] / median(others));
  }
  return ratios;
}

}  // namespace

void add_slow_memory(Health& found, const std::vector<MemoryTime>& nodes, double threshold) {
  constexpr std::size_t fewest_threads = 4;
  constexpr std::size_t enough = 3;
  for (const MemoryTime& one : nodes) {
    const std::vector<double> ratios = ratios_of(one, nodes);
    if (one.threads < fewest_threads || ratios.size() < enough) continue;
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    if (*least <= 1 + threshold) continue;
    PartHealth part{fmt::format("memory of NUMA node {}", one.numa_node),
                    {median(ratios), {*least, *most}},
                    {"copy"}};
    part.verdict = NodeVerdict::unclear;
    part.passes = ratios.size();
    part.of = "its neighbours";
    part.slow_from = (1 + threshold) * part.ratio.value / *least;
    found.parts.insert(found.parts.begin(), std::move(part));
  }
  found.word = word_of_times(found);
}

}  // namespace bench
