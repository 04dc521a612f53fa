#include "harness/document/doubt.hpp"

#include "harness/document/ratios.hpp"

namespace bench {

double waited_share(const CaseRecord& one) {
  return static_cast<double>(one.seconds->preempted.value_or(0)) / static_cast<double>(*one.rounds);
}

bool narrow(const Interval& ci95) {
  constexpr double widest = 1.5;
  return ci95.high < widest * ci95.low;
}

bool incredible(const CaseRecord& one) {
  constexpr double most = 1.1;
  constexpr std::size_t much = std::size_t{32} << 20U;  // with less, calls count more than bytes
  const auto share = nearest_share(one).ci95;
  return one.guest && one.footprint_bytes >= much && share && share->low > most;
}

}  // namespace bench
