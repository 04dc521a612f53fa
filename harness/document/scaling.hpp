// Strong scaling: the same work by more and more threads.
#pragma once

#include <vector>

#include "harness/document/document.hpp"

namespace bench {

/// Scaling of each OpenMP variant that was measured with several numbers of threads in the same
/// rounds: speedup over the fewest threads and parallel efficiency (speedup over the ratio of the
/// threads), with 95 % intervals over paired rounds. `enough_threads` is the fewest threads that
/// are known to suffice: every larger number is faster by less than 5 %, with its whole interval;
/// or the most, where they are known to help; nothing where the intervals are too wide to say so.
/// Needs the samples.
std::vector<ScalingRecord> scaling(const std::vector<CaseRecord>& cases);

}  // namespace bench
