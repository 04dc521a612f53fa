// Is one core of a node slower than its neighbours? No reference knows: its times are of all cores.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/compare/health.hpp"
#include "harness/node/core_times.hpp"

namespace bench {

/// Adds each core that takes longer than the cores of its kind on its socket, as a part `cpu 17`:
/// the whole interval of its ratio to their median, which contains their scatter, is beyond 1 +
/// `threshold`. All intervals hold together with 95 %. Of fewer than five cores nobody knows the
/// scatter. After one pass it is unclear: a moment is not a node.
void add_slow_cores(Health& found, const std::vector<CoreTime>& cores, std::size_t passes,
                    double threshold);

}  // namespace bench
