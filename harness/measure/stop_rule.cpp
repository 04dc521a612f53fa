#include "harness/measure/stop_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "harness/base/reasons.hpp"
#include "harness/base/statistics.hpp"
#include "harness/base/text.hpp"

namespace bench {
namespace {

constexpr double noise_target = 0.01;
constexpr std::size_t rounds_before_noise_counts = 15;
constexpr std::size_t longer = 3;  // for those of whom nothing can be said yet

enum class Rounds { without_samples, with_samples, ended };
std::atomic<Rounds> rounds_now = Rounds::without_samples;

}  // namespace

Reason Budget::used_up() const {
  return said<reasons::budget_used_up>(fmt::format("{:g}", seconds));
}

Reason Budget::too_small(double needed) const {
  if (left() <= 0) return used_up();
  return said<reasons::budget_too_small>(fmt::format("{:g}", seconds), rough_duration(left()),
                                         rough_duration(needed));
}

bool unclear(const Timing& timing) {
  if (!timing.busiest.empty()) return !narrow(median_estimate(timing.busiest).ci95);
  const double waited = disturbed_share * static_cast<double>(timing.samples.size());
  return static_cast<double>(timing.preempted.value_or(0)) > waited ||
         !narrow(median_estimate(timing.samples).ci95);
}

bool end_rounds() {
  Rounds expected = Rounds::with_samples;
  return rounds_now.compare_exchange_strong(expected, Rounds::ended);
}

bool rounds_ended() { return rounds_now == Rounds::ended; }

void let_rounds_end(bool sampled) {
  Rounds expected = sampled ? Rounds::without_samples : Rounds::with_samples;
  rounds_now.compare_exchange_strong(expected,
                                     sampled ? Rounds::with_samples : Rounds::without_samples);
}

bool is_quiet(const Timing& timing) {
  return timing.samples.size() >= Settings::min_samples &&
         relative_noise(timing.samples) <= noise_target;
}

bool is_long(const Timing& timing) {
  constexpr double seconds = 1e-3;
  return !timing.samples.empty() && timing.samples.back() > seconds;
}

bool sits_out(const Settings& settings, double seconds, const Timing& timing) {
  constexpr std::size_t enough = 5;
  constexpr double long_part = 0.01;  // of --max-time
  constexpr double long_run = 0.025;  // seconds
  return seconds > settings.max_seconds && timing.samples.size() >= enough &&
         timing.samples.back() > std::max(long_run, long_part * settings.max_seconds);
}

std::optional<Stop> reason_to_stop(const Settings& settings, std::size_t rounds, double seconds,
                                   const std::function<double()>& worst_noise,
                                   const std::function<bool()>& unjudged) {
  const std::size_t with_closing = rounds + 1;
  if (with_closing >= settings.max_samples) return Stop::max_samples;
  if (with_closing < Settings::min_samples) return {};
  const double next_round = seconds / static_cast<double>(rounds);
  if (seconds + next_round >= settings.max_seconds) {
    const bool patient = with_closing < longer * Settings::min_samples ||
                         seconds + next_round < longer * settings.max_seconds;
    return !settings.budget && patient && unjudged() ? std::nullopt : std::optional(Stop::max_time);
  }
  if (seconds < settings.min_seconds || with_closing < rounds_before_noise_counts) return {};
  if (worst_noise() > noise_target || unjudged()) return {};
  return Stop::noise;
}

std::size_t device_passes(const Settings& settings, double host_seconds, double device_seconds) {
  constexpr double most = 5;
  constexpr double least = 1e-9;  // more than no time
  const double device = std::max(device_seconds, least);
  const double rounds = std::max(settings.max_seconds / (host_seconds + device),
                                 static_cast<double>(Settings::min_samples));
  const double wanted = static_cast<double>(settings.max_samples) / rounds;
  const double affordable = host_seconds / device;
  return static_cast<std::size_t>(std::clamp(std::min(wanted, affordable), 1.0, most));
}

double share_of_rounds(const Settings& settings, double rounds, double seconds) {
  const double time = settings.max_seconds > 0 ? seconds / settings.max_seconds : 1;
  return std::max(rounds / static_cast<double>(settings.max_samples),
                  std::min(time, rounds / static_cast<double>(Settings::min_samples)));
}

}  // namespace bench
