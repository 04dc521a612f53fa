#include "harness/measure/unseen_work.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "harness/base/clock.hpp"
#include "harness/base/reasons.hpp"

namespace bench {

/// The two clocks differ by launch latency only. Enough calls make that small.
std::optional<Reason> unseen_work(const std::function<double(std::size_t calls)>& events,
                                  double asking) {
  const double long_enough = 10 * asking;
  constexpr double tolerable = 1.25;
  constexpr std::size_t most_calls = 1024;
  // An occasional interruption does not come each time.
  constexpr int most_tries = 20;
  for (std::size_t calls = 1; calls <= most_calls; calls *= 2) {
    double wall = long_enough;
    double seen = 0;
    for (int i = 0; i < most_tries && wall >= long_enough; ++i) {
      const Stopwatch stopwatch;
      seen = events(calls);
      wall = stopwatch.seconds();
      if (wall >= long_enough && wall <= tolerable * seen + asking) return {};
    }
    if (wall < long_enough) continue;
    return said<reasons::unseen_by_events>(fmt::format("{:.1f}", 1e3 * (wall - seen)),
                                           fmt::format("{:.1f}", 1e3 * wall));
  }
  return {};
}

}  // namespace bench
