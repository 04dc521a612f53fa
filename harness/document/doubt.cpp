#include "harness/document/doubt.hpp"

#include "harness/document/ratios.hpp"

namespace bench {

double waited_share(const CaseRecord& one) {
  return static_cast<double>(one.seconds->preempted.value_or(0)) / static_cast<double>(*one.rounds);
}

bool doubtful(const CaseRecord& one) {
  return one.seconds->too_short > 0 || inconclusive(one) || !narrow(one.seconds->ci95);
}

bool too_short(const CaseRecord& one) {
  const auto samples = static_cast<double>(*one.rounds);
  return static_cast<double>(one.seconds->too_short) > disturbed_share * samples;
}

bool unranked(const CaseRecord& one) {
  if (too_short(one)) return true;
  if (one.on_processor) return few_samples(one) || !narrow(one.on_processor->ci95);
  return inconclusive(one) || !narrow(one.seconds->ci95);
}

bool incredible(const CaseRecord& one) {
  // Of fewer bytes calls count more, and a busy node widens the interval, but not that far.
  constexpr std::size_t much = std::size_t{32} << 20U;
  constexpr std::size_t some = std::size_t{1} << 20U;
  const ReferenceShare share = nearest_share(one);
  // More operations per second than a formula has may be a better formula.
  if (!one.guest || !share.value || !share.ci95 || share.arithmetic) return false;
  const auto sweeps = static_cast<double>(one.sweeps());  // of which one is enough
  return (one.footprint_bytes >= much && share.ci95->low > beyond_limit * sweeps) ||
         (one.footprint_bytes >= some && *share.value > 2 * sweeps);
}

}  // namespace bench
