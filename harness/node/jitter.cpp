#include "harness/node/jitter.hpp"

#include <algorithm>

#include "harness/base/clock.hpp"

namespace bench {
namespace {

/// A look takes some 30 ns, a hypervisor's clock a little more; an interrupt microseconds.
constexpr double away_s = 1e-6;

}  // namespace

Jitter observed_jitter(int threads, double seconds) {
  double observed = 0;
  double lost = 0;
  double longest = 0;
  int there = 0;
#pragma omp parallel num_threads(threads) reduction(+ : observed, lost, there) \
    reduction(max : longest)
  {
    ++there;
#pragma omp barrier
    const Stopwatch stopwatch;
    for (double last = 0; last < seconds;) {
      const double now = stopwatch.seconds();
      const double gap = now - last;
      if (gap > away_s) {
        lost += gap;
        longest = std::max(longest, gap);
      }
      last = now;
      observed = now;
    }
  }
  if (there == 0 || observed <= 0) return {};
  return {there, observed / there, lost / observed, longest};
}

}  // namespace bench
