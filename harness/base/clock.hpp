#pragma once

#include <chrono>

namespace bench {

/// Monotonic wall clock: the only clock for CPU variants. CPU time would hide waiting.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Works for `seconds`, and returns how long that was.
inline double work_for(double seconds) {
  const Stopwatch stopwatch;
  while (stopwatch.seconds() < seconds) {
  }
  return stopwatch.seconds();
}

/// What an empty sample shows: the median of two readings of the clock in a row, in seconds.
double clock_floor();

}  // namespace bench
