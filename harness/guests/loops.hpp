// What the text of a kernel shows of its loops: which one runs most, and what takes long in them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/plan/guest_variant.hpp"

namespace bench::guests {

/// The loop in these lines of `source` that runs most, as far as can be seen: inside of others, and
/// over more than a few elements. 0 where one of them is not to be found in it.
int hot_loop(const std::string& source, const std::set<int>& lines);

/// The first line of each kind.
std::vector<SlowLine> slow_lines(const std::string& source);

}  // namespace bench::guests
