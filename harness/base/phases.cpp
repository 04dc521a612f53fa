#include "harness/base/phases.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace bench {
namespace {

// By number of the phase. A signal's thread may read them while the run adds.
std::array<std::atomic<double>, NamesOf<Phase>::all.size()> spent{};
InPhase* innermost = nullptr;
constexpr int no_phase = -1;
// Number of the innermost phase. An optional would not be free of locks with every compiler.
std::atomic<int> current{no_phase};

}  // namespace

Seconds seconds_of_phases() {
  Seconds all;
  for (const auto& [phase, name] : NamesOf<Phase>::all) {
    const double seconds = spent.at(static_cast<std::size_t>(phase));
    if (seconds != 0) all.emplace(name, seconds);
  }
  return all;
}

std::optional<Phase> phase_now() {
  const int number = current;
  return number == no_phase ? std::nullopt : std::optional(static_cast<Phase>(number));
}

InPhase::InPhase(Phase phase) : phase_(phase), interrupted_(innermost) {
  innermost = this;
  current = static_cast<int>(phase);
}

InPhase::~InPhase() {
  const double seconds = counted_ ? *counted_ + in_others_ : stopwatch_.seconds();
  std::atomic<double>& of_phase = spent.at(static_cast<std::size_t>(phase_));
  of_phase = of_phase + seconds - in_others_;
  if (interrupted_ != nullptr) interrupted_->in_others_ += seconds;
  innermost = interrupted_;
  current = interrupted_ == nullptr ? no_phase : static_cast<int>(interrupted_->phase_);
}

}  // namespace bench
