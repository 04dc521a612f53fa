// When has a group been measured enough?
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "harness/base/reason.hpp"
#include "harness/plan/result.hpp"
#include "harness/plan/settings.hpp"

namespace bench {

/// Nothing can be said yet of a case with these times: their median's interval is wide, or too many
/// samples waited. Where it is known, only what the busiest thread had of a processor counts.
bool unclear(const Timing& timing);

/// Why the rounds end; nothing while they go on. `rounds` took `seconds`, and the
/// closing one is still to come. `worst_noise`: the widest interval of a median, as its half width
/// over it. `unjudged`: somebody waits for a grade who is unclear, for whom the rounds go on up to
/// three times as long. Both are asked for only where they decide.
std::optional<Stop> reason_to_stop(const Settings& settings, std::size_t rounds, double seconds,
                                   const std::function<double()>& worst_noise,
                                   const std::function<bool()>& unjudged);

/// Ends the rounds of this process early, from another thread; the group is verified as usual then.
/// False before the first sample.
bool end_rounds();
/// Whether end_rounds() has ended them.
bool rounds_ended();
/// Says that there are samples, or that the group is over.
void let_rounds_end(bool sampled);

/// Whether enough is known of a case with these times for it to sit out where others are not there
/// yet.
bool is_quiet(const Timing& timing);

/// Whether one run takes so long that it takes one turn of those in device_passes().
bool is_long(const Timing& timing);

/// Whether a case leaves out the rounds that come after --max-time, until the last one: one of its
/// runs takes long, and with the last one it has 6 samples, whose extremes are an interval.
bool sits_out(const Settings& settings, double seconds, const Timing& timing);

/// How often short runs on the device take turns within a round, at most 5 times: so that they get
/// as many samples as wanted where the rounds take all the time there is, and take no longer than
/// the CPU's. Both parts of a round in seconds, the device's for once.
std::size_t device_passes(const Settings& settings, double host_seconds, double device_seconds);

/// How much of the rounds is over, 0 to 1: they end with the last sample, or with the time, but
/// then not before there are enough samples.
double share_of_rounds(const Settings& settings, double rounds, double seconds);

}  // namespace bench
