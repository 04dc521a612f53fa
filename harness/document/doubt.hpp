// What keeps one from saying something of a measurement: a wide interval, a node that others use.
#pragma once

#include "harness/document/case_record.hpp"

namespace bench {

/// The share of a measured case's samples whose threads waited for a processor, because others
/// were at work there; 0 where that is not known.
double waited_share(const CaseRecord& one);
inline bool busy(const CaseRecord& one) { return waited_share(one) > disturbed_share; }

/// The least and the greatest of fewer are not even a 95 % interval of the median: 2 · 0.5ⁿ > 5 %.
constexpr std::size_t least_samples = 6;
/// True where a case has fewer. The interval over executions is one of another kind.
inline bool few_samples(const CaseRecord& one) {
  return !one.seconds->executions && *one.rounds < least_samples;
}

/// True where nothing is known of a case's ratios, whatever their intervals say.
inline bool inconclusive(const CaseRecord& one) { return busy(one) || few_samples(one); }

/// True where no single number may be shown without a mark, and no rank: a wide interval, samples
/// that waited for a processor, samples too short for the clock. The case was measured.
bool doubtful(const CaseRecord& one);

/// Whether it is somebody's file, and not one of bench --peers: only these have ranks.
inline bool submitted(const CaseRecord& one) {
  return one.guest && one.guest->find("/peers/guest_") == std::string::npos;
}

/// True where more than a few samples are too short for the clock.
bool too_short(const CaseRecord& one);

/// True where a submitted file may have no rank for the same reasons: on a busy node they are of
/// what its busiest thread had of a processor.
bool unranked(const CaseRecord& one);

/// True for a user kernel that seems to move clearly more than what its reference moves, of many
/// bytes: a person should find out how before it is believed.
bool incredible(const CaseRecord& one);

}  // namespace bench
