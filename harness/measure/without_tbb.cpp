// Instead of tbb_team.cpp in a build without TBB.
#include "harness/measure/tbb_team.hpp"

namespace bench {

bool built_with_tbb() { return false; }

void in_tbb_team(int /*threads*/, const std::function<void()>& work) { work(); }

void wake_tbb_team(int /*threads*/) {}

}  // namespace bench
