#include "harness/base/clock.hpp"

#include <algorithm>
#include <array>

namespace bench {

double clock_floor() {
  std::array<double, 1001> readings{};
  for (double& reading : readings) {
    const Stopwatch stopwatch;
    reading = stopwatch.seconds();
  }
  auto* const middle = readings.data() + readings.size() / 2;
  std::nth_element(readings.data(), middle, readings.data() + readings.size());
  return *middle;
}

}  // namespace bench
