// Where the time of a run goes: to samples, or to what is around them.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/base/names.hpp"

namespace bench {

enum class Phase {
  device,
  memory,
  inputs,
  checks,
  changes,
  poison,
  caches,
  samples,
  spot_checks,
  in_cache,
  clock,
  rounds,
};

template <>
struct NamesOf<Phase> {
  static constexpr std::array<std::pair<Phase, std::string_view>, 12> all{
      {{Phase::device, "device"},
       {Phase::memory, "memory"},
       {Phase::inputs, "inputs"},
       {Phase::checks, "checks"},
       {Phase::changes, "changes"},
       {Phase::poison, "poison"},
       {Phase::caches, "caches"},
       {Phase::samples, "samples"},
       {Phase::spot_checks, "spot_checks"},
       {Phase::in_cache, "in_cache"},
       {Phase::clock, "clock"},
       {Phase::rounds, "rounds"}}};
};

using Seconds = std::map<std::string, double>;  ///< by name of a phase

/// The times of this process so far. Any thread may ask.
Seconds seconds_of_phases();

/// The one that this process is in, if any. Any thread may ask.
std::optional<Phase> phase_now();

/// Adds its lifetime to a phase. A phase that begins within another one interrupts it. For the
/// thread that measures: no other one may use it.
class InPhase {
 public:
  explicit InPhase(Phase phase);
  ~InPhase();
  /// Only these of its seconds count. The rest belongs to the phase that it interrupts.
  void count(double seconds) { counted_ = seconds; }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  Phase phase_;
  InPhase* interrupted_;
  Stopwatch stopwatch_;
  double in_others_ = 0;
  std::optional<double> counted_;
};

}  // namespace bench
