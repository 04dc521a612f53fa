#include "harness/node/energy_span.hpp"

#include <algorithm>
#include <cmath>

#include "harness/base/clock.hpp"

namespace bench {
namespace {

/// A batch is so small a part of a span that it does not matter in which of its runs the counter
/// moves on.
constexpr double batches_per_span = 100;
/// A counter that does not move for so long stands still.
constexpr double most_seconds = 1;

std::size_t batch_of(const EnergyMeter& meter, double seconds_per_run) {
  constexpr double most = 1U << 20U;
  const double runs = meter.span_seconds / batches_per_span / std::max(seconds_per_run, 1e-9);
  return static_cast<std::size_t>(std::clamp(std::ceil(runs), 1.0, most));
}

/// Works until the counter moves on, and says where it then is.
template <class Batch>
std::optional<double> next_step(const EnergyMeter& meter, Batch batch) {
  const std::optional<double> before = meter.joules();
  const Stopwatch stopwatch;
  while (before && stopwatch.seconds() < most_seconds) {
    batch();
    const std::optional<double> now = meter.joules();
    if (now != before) return now;
  }
  return {};
}

}  // namespace

std::optional<EnergySpan> energy_of(const EnergyMeter& meter,
                                    const std::function<void(std::size_t runs)>& work,
                                    double seconds_per_run) {
  const bool steps_matter = seconds_per_run < meter.span_seconds;
  const std::size_t runs = batch_of(meter, seconds_per_run);
  EnergySpan span;
  const auto batch = [&] {
    work(runs);
    span.runs += runs;
  };
  const auto begin = steps_matter ? next_step(meter, batch) : meter.joules();
  if (!begin) return {};
  span.runs = 0;
  const Stopwatch stopwatch;
  do {
    batch();
  } while (stopwatch.seconds() < meter.span_seconds);
  const auto end = steps_matter ? next_step(meter, batch) : meter.joules();
  span.seconds = stopwatch.seconds();
  if (!end || *end <= *begin) return {};
  span.joules = *end - *begin;
  return span;
}

}  // namespace bench
