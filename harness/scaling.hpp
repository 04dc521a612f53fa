// Strong scaling: the same work by more and more threads.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/result.hpp"

namespace bench {

/// For each variant of the group that was measured with several numbers of threads: speedup over
/// the fewest threads and parallel efficiency (speedup over the ratio of the threads), with 95 %
/// intervals over paired rounds, and the number of threads from which on more do not help (no
/// larger number is faster with its whole interval).
nlohmann::ordered_json scaling(const Group& group);

}  // namespace bench
