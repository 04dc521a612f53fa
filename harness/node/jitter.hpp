// What the system takes away from threads that never give way: interrupts, its services, tasks of
// others, a hypervisor. As "selfish detour" benchmarks do it: a loop looks at the clock, and was
// away where two looks are far apart.
#pragma once

#include "harness/base/fields.hpp"

namespace bench {

struct Jitter {
  int threads = 0;
  double observed_s = 0;  ///< of each thread
  double lost = 0;        ///< share of the time of all of them
  double longest_s = 0;   ///< that a thread was away at a time
};

void fields(auto& visit, Of<Jitter> auto& one) {
  visit(FIELD(threads));
  visit(FIELD(observed_s));
  visit(FIELD(lost));
  visit(FIELD(longest_s));
}

/// Lets `threads` threads look at the clock at once, each for `seconds`.
Jitter observed_jitter(int threads, double seconds);

}  // namespace bench
