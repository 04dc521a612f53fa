#include "harness/measure/in_cache.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace bench {
namespace {

// A batch lasts this many times what makes the clock negligible.
constexpr double long_enough = 5;
/// As many as a device queues while it is held, even of those that launch four kernels.
constexpr std::size_t most_runs = 1U << 8U;
/// The variant is right at the size that is asked for: what it does in the cache is spot-checked.
constexpr std::size_t spots = 1000;

Elements spread(std::size_t count) {
  if (count <= spots) return Elements::all(count);
  std::vector<std::size_t> some;
  for (std::size_t i = 0; i < spots; ++i) some.push_back(i * (count - 1) / (spots - 1));
  return Elements::some(std::move(some));
}

}  // namespace

InCache::InCache(const InCacheRun& run, std::unique_ptr<Place> place, Arrays on_host,
                 std::unique_ptr<InCache> half)
    : run_(run), place_(std::move(place)), on_host_(std::move(on_host)), half_(std::move(half)) {}

double InCache::sample() {
  constexpr double least = 1e-9;
  // What is left of the time, and which part of the case that is.
  double seconds = seconds_of_run();
  double part = 1 / run_.scale;
  if (half_) {
    seconds -= half_->seconds_of_run();
    part -= 1 / half_->run_.scale;
  }
  ++samples_;
  if (seconds <= 0) ++lost_;
  return std::max(seconds, least) / part;
}

double InCache::seconds_of_run() {
  place_->get_ready();
  // Brings the data there, and says how many runs are enough.
  place_->seconds(run_.run, 1);
  const auto seconds_of_batch = [this] {
    place_->get_ready();
    return place_->seconds(run_.run, batch_);
  };
  double seconds = seconds_of_batch();
  while (seconds < long_enough * place_->batch_seconds() && batch_ < most_runs) {
    batch_ *= 2;
    seconds = seconds_of_batch();
  }
  return seconds / static_cast<double>(batch_);
}

std::optional<Reason> InCache::fault() {
  if (auto fault = half_ ? half_->fault() : std::nullopt) return fault;
  // What others did to the arrays they share is not this one's.
  place_->repair_guards();
  place_->repair_inputs();
  place_->poison_output();
  place_->seconds(run_.run, 1);
  const Problem& problem = *run_.problem;
  place_->fetch(pieces(problem.output, Elements::all(problem.output.count)));
  const Verdict verdict = problem.check(on_host_, spread(problem.output.count));
  if (const auto damage = place_->repair_guards()) return damage;
  if (const auto changed = place_->repair_inputs()) return changed;
  return verdict.passed ? std::nullopt : std::optional(verdict.reason);
}

}  // namespace bench
