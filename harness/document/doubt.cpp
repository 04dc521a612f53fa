#include "harness/document/doubt.hpp"

namespace bench {

double waited_share(const CaseRecord& one) {
  return static_cast<double>(one.seconds->preempted.value_or(0)) / static_cast<double>(*one.rounds);
}

bool narrow(const Interval& ci95) {
  constexpr double widest = 1.5;
  return ci95.high < widest * ci95.low;
}

}  // namespace bench
