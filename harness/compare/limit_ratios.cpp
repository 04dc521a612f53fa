#include "harness/compare/limit_ratios.hpp"

#include <vector>

#include "harness/base/statistics.hpp"

namespace bench {
namespace {

/// The times of one limit over the medians of other nodes.
std::vector<double> limit_ratios(const NodeRun& node, const Others& others, bool on_gpu,
                                 OfLimit time) {
  std::vector<double> ratios;
  for (const auto& [name, limits] : node.limits) {
    if (limits.on_gpu != on_gpu || !(limits.*time)) continue;
    if (const auto usual = others.limit(name, time, node)) {
      ratios.push_back(*(limits.*time) / *usual);
    }
  }
  constexpr std::size_t enough_cases = 2;
  return ratios.size() < enough_cases ? std::vector<double>() : ratios;
}

Json limit_json(const std::vector<double>& ratios) {
  if (ratios.empty()) return nullptr;
  return {{"value", median(ratios)},
          {"quartiles", {quantile(ratios, 0.25), quantile(ratios, 0.75)}},
          {"cases", ratios.size()}};
}

const char* slow_part(const std::vector<double>& memory, const std::vector<double>& in_cache,
                      double threshold) {
  if (in_cache.empty()) return "unknown";
  const auto slow = [&](const auto& ratios) { return quantile(ratios, 0.25) > 1 + threshold; };
  const auto sound = [&](const auto& ratios) { return quantile(ratios, 0.75) < 1 + threshold; };
  if (slow(memory) && slow(in_cache)) return "both";
  if (slow(memory) && sound(in_cache)) return "memory";
  return sound(memory) && slow(in_cache) ? "computing" : "unknown";
}

}  // namespace

Json slow_limits(const NodeRun& node, const Others& others, bool on_gpu, double threshold) {
  const auto memory = limit_ratios(node, others, on_gpu, &LimitTimes::memory);
  if (memory.empty()) return nullptr;
  const auto in_cache = limit_ratios(node, others, on_gpu, &LimitTimes::in_cache);
  return {{"of", on_gpu ? "gpu" : "cpu"},
          {"memory", limit_json(memory)},
          {"in_cache", limit_json(in_cache)},
          {"slow", slow_part(memory, in_cache, threshold)}};
}

}  // namespace bench
