// Is a slow node slow in its memory, or in its cores? The bound of a case holds the times of both,
// measured apart from each other in the rounds of the case.
#pragma once

#include "harness/base/json.hpp"
#include "harness/compare/others.hpp"

namespace bench {

/// The limits of the processor or of the GPU: `memory` (the bytes of a case, at the bandwidth of
/// its reference) and `in_cache` (the same code on data in the nearest cache, or null). Each is the
/// median of its times over those of other nodes, case by case, with quartiles and number of cases.
/// What is `slow`: memory, computing, both or unknown. A part is slow where three quarters of its
/// ratios are beyond 1 + `threshold`, and is not where three quarters are within it. Null where
/// fewer than two cases of this node and the others were bound by something.
Json slow_limits(const NodeRun& node, const Others& others, bool on_gpu, double threshold);

}  // namespace bench
