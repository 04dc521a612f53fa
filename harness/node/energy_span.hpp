// What work takes of energy, by a counter that moves on in steps.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace bench {

/// A counter of energy that only grows.
struct EnergyMeter {
  std::string of;  ///< what is counted: `package`, `package+dram`, `gpu`
  /// Joules since any beginning, or nothing; null where there is no such counter.
  std::function<std::optional<double>()> joules;
  /// The length of a span, so long that the steps of the counter do not matter.
  double span_seconds = 0;
};

/// RAPL moves on every millisecond.
constexpr double socket_span_seconds = 0.1;
/// NVML every 20 to 100 ms.
constexpr double gpu_span_seconds = 0.25;

struct EnergySpan {
  double joules = 0;
  double seconds = 0;
  std::size_t runs = 0;
};

/// Calls `work`, which takes roughly these seconds for these runs, again and again for a span
/// of the meter. The span begins and ends where the counter moves on, unless a single run is as
/// long as the span. Nothing where the counter stands still or cannot be read.
std::optional<EnergySpan> energy_of(const EnergyMeter& meter,
                                    const std::function<void(std::size_t runs)>& work,
                                    double seconds_per_run);

}  // namespace bench
