// What the kernel says of the board, its memory and its sensors. Nothing where it does not.
#pragma once

#include "harness/node/host.hpp"
#include "harness/node/machine.hpp"

namespace bench {

/// Adds `bios`, `dimms`, `memory_errors`, `temperature_c` and `throttle_events`.
void add_hardware(Machine& machine, const Host& host);

}  // namespace bench
