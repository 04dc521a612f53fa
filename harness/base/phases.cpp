#include "harness/base/phases.hpp"

namespace bench {
namespace {

Seconds spent;
InPhase* innermost = nullptr;

}  // namespace

Seconds seconds_of_phases() { return spent; }

InPhase::InPhase(Phase phase) : phase_(phase), interrupted_(innermost) { innermost = this; }

InPhase::~InPhase() {
  const double seconds = counted_ ? *counted_ + in_others_ : stopwatch_.seconds();
  spent[std::string(name_of(phase_))] += seconds - in_others_;
  if (interrupted_ != nullptr) interrupted_->in_others_ += seconds;
  innermost = interrupted_;
}

}  // namespace bench
