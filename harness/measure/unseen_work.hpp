// Work that a device does outside of the two events that time it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/base/reason.hpp"

namespace bench {

/// Compared with the wall clock: what a device did in another stream than the events is outside
/// of them. `events`: makes `calls` calls on a device that is idle, waits until it is idle again,
/// and returns what the events say, in seconds; `asking`: what that costs next to the calls.
/// Nothing, or what is wrong.
std::optional<Reason> unseen_work(const std::function<double(std::size_t calls)>& events,
                                  double asking);

}  // namespace bench
