// Is a slow node slow in its memory, or in its cores? The bound of a case holds the times of both,
// measured apart from each other in the rounds of the case.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "harness/base/names.hpp"
#include "harness/base/statistics.hpp"
#include "harness/compare/others.hpp"

namespace bench {

/// The times of one limit over the medians of other nodes, case by case.
struct LimitRatio {
  double middle = 0;  ///< the median of these ratios
  Interval half;      ///< between their quartiles
  std::size_t cases = 0;
};

/// What is slow, as far as the cases agree.
enum class SlowPart { unknown, memory, computing, both };
template <>
struct NamesOf<SlowPart> {
  static constexpr std::array<std::pair<SlowPart, std::string_view>, 4> all{
      {{SlowPart::unknown, "unknown"},
       {SlowPart::memory, "memory"},
       {SlowPart::computing, "computing"},
       {SlowPart::both, "both"}}};
};

/// The limits of the processor or of the GPU.
struct SlowLimits {
  bool on_gpu = false;
  LimitRatio memory;                   ///< the bytes of a case, at the bandwidth of its reference
  std::optional<LimitRatio> in_cache;  ///< the same code on data in the nearest cache
  SlowPart part = SlowPart::unknown;
};

/// Nothing where fewer than two cases of this node and the others were bound by something. A part
/// is slow where three quarters of its ratios are beyond 1 + `threshold`, and is not where three
/// quarters are within it.
std::optional<SlowLimits> slow_limits(const NodeRun& node, const Others& others, bool on_gpu,
                                      double threshold);

}  // namespace bench
