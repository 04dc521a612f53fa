#include "harness/compare/limit_ratios.hpp"

namespace bench {
namespace {

std::optional<LimitRatio> limit_ratio(const NodeRun& node, const Others& others, bool on_gpu,
                                      OfLimit time) {
  constexpr std::size_t enough_cases = 2;
  std::vector<double> ratios;
  for (const auto& [name, limits] : node.limits) {
    if (limits.on_gpu != on_gpu || !(limits.*time)) continue;
    if (const auto usual = others.limit(name, time, node)) {
      ratios.push_back(*(limits.*time) / *usual);
    }
  }
  if (ratios.size() < enough_cases) return {};
  return LimitRatio{
      median(ratios), {quantile(ratios, 0.25), quantile(ratios, 0.75)}, ratios.size()};
}

SlowPart slow_part(const LimitRatio& memory, const LimitRatio& in_cache, double threshold) {
  const auto slow = [threshold](const LimitRatio& one) { return one.half.low > 1 + threshold; };
  const auto sound = [threshold](const LimitRatio& one) { return one.half.high < 1 + threshold; };
  if (slow(memory) && slow(in_cache)) return SlowPart::both;
  if (slow(memory) && sound(in_cache)) return SlowPart::memory;
  return sound(memory) && slow(in_cache) ? SlowPart::computing : SlowPart::unknown;
}

}  // namespace

std::optional<SlowLimits> slow_limits(const NodeRun& node, const Others& others, bool on_gpu,
                                      double threshold) {
  const auto memory = limit_ratio(node, others, on_gpu, &LimitTimes::memory);
  if (!memory) return {};
  SlowLimits limits{on_gpu, *memory, limit_ratio(node, others, on_gpu, &LimitTimes::in_cache)};
  if (limits.in_cache) limits.part = slow_part(*memory, *limits.in_cache, threshold);
  return limits;
}

}  // namespace bench
