// Are the links of one GPU slower than those of the node's other GPUs? A reference knows the copies
// of each GPU, and none between them.
#pragma once

#include <vector>

#include "harness/compare/health.hpp"
#include "harness/node/link.hpp"

namespace bench {

/// Adds each GPU whose links odd_links() finds slow, as a part `GPU 3 device to device`. It is
/// unclear, and never slow: they were timed once. A single slow pair is not added: on many boards
/// some pairs have a link of their own.
void add_slow_links(Health& found, const std::vector<LinkTimes>& links, double threshold);

}  // namespace bench
