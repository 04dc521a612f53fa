// The threads of the parallel algorithms of C++, which TBB makes: as many as a parallel region of
// OpenMP has, on the same processors.
#pragma once

#include <functional>

namespace bench {

/// Whether this program has them.
bool built_with_tbb();

/// Calls `work`, whose algorithms have that many threads. The caller is one of them.
void in_tbb_team(int threads, const std::function<void()>& work);

/// Returns once all of them are awake, or soon after on a busy node.
void wake_tbb_team(int threads);

}  // namespace bench
