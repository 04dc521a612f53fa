#include "harness/compare/slow_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "harness/base/statistics.hpp"

namespace bench {
namespace {

/// Kernels reserve some of the memory.
bool alike(const MemoryTime& a, const MemoryTime& b) {
  const auto [less, more] = std::minmax(a.memory_bytes, b.memory_bytes);
  return a.threads == b.threads && static_cast<double>(more) <= 1.1 * static_cast<double>(less);
}

/// How much longer it takes than the middle one of those that are alike; nothing where there are
/// none.
std::optional<double> ratio_to_others(const MemoryTime& one, const std::vector<MemoryTime>& pass) {
  std::vector<double> others;
  for (const MemoryTime& other : pass) {
    if (&other != &one && alike(one, other)) others.push_back(other.seconds);
  }
  return others.empty() ? std::optional<double>() : one.seconds / median(others);
}

/// The ratio of a node in each pass; empty where one of them does not say it.
std::vector<double> ratios_of(int numa_node, const std::vector<std::vector<MemoryTime>>& passes) {
  constexpr std::size_t fewest_threads = 4;
  std::vector<double> ratios;
  for (const std::vector<MemoryTime>& pass : passes) {
    for (const MemoryTime& one : pass) {
      if (one.numa_node != numa_node || one.threads < fewest_threads) continue;
      if (const auto ratio = ratio_to_others(one, pass)) ratios.push_back(*ratio);
    }
  }
  return ratios.size() == passes.size() ? ratios : std::vector<double>();
}

}  // namespace

void add_slow_memory(Health& found, const std::vector<std::vector<MemoryTime>>& passes,
                     double threshold) {
  constexpr std::size_t enough = 3;
  if (passes.size() < enough) return;
  std::vector<PartHealth> late;
  for (const MemoryTime& one : passes.front()) {
    const std::vector<double> ratios = ratios_of(one.numa_node, passes);
    if (ratios.empty()) continue;
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    if (*least <= 1 + threshold) continue;
    PartHealth part{fmt::format("memory of NUMA node {}", one.numa_node),
                    {median(ratios), {*least, *most}},
                    {"copy"}};
    part.verdict = NodeVerdict::unclear;
    part.passes = ratios.size();
    part.of = "its neighbours";
    part.slow_from = (1 + threshold) * part.ratio.value / *least;
    late.push_back(std::move(part));
  }
  add_parts(found, std::move(late));
}

}  // namespace bench
