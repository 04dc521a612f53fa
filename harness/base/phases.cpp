#include "harness/base/phases.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace bench {
namespace {

// By number of the phase. A signal's thread may read them while the run adds.
std::array<std::atomic<double>, NamesOf<Phase>::all.size()> spent{};
InPhase* innermost = nullptr;
std::atomic<std::optional<Phase>> current{};

}  // namespace

Seconds seconds_of_phases() {
  Seconds all;
  for (const auto& [phase, name] : NamesOf<Phase>::all) {
    const double seconds = spent.at(static_cast<std::size_t>(phase));
    if (seconds != 0) all.emplace(name, seconds);
  }
  return all;
}

std::optional<Phase> phase_now() { return current; }

InPhase::InPhase(Phase phase) : phase_(phase), interrupted_(innermost) {
  innermost = this;
  current = phase;
}

InPhase::~InPhase() {
  const double seconds = counted_ ? *counted_ + in_others_ : stopwatch_.seconds();
  std::atomic<double>& of_phase = spent.at(static_cast<std::size_t>(phase_));
  of_phase = of_phase + seconds - in_others_;
  if (interrupted_ != nullptr) interrupted_->in_others_ += seconds;
  innermost = interrupted_;
  current = interrupted_ == nullptr ? std::nullopt : std::optional(interrupted_->phase_);
}

}  // namespace bench
