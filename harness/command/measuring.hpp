// Measures what is prepared.
#pragma once

#include <functional>

#include "harness/command/prepare.hpp"
#include "harness/command/run_result.hpp"

namespace bench {

/// Says what is to be said of a run that ends in its middle. Returns the exit code.
using LastWords = std::function<int(const Ended&)>;

/// `last_words` may outlive the run: a thread waits for signals.
Measured measure(Prepared prepared, const Session& session, const LastWords& last_words);

/// The same, and prints what there is then. Returns the exit code.
int measure_and_print(Prepared prepared, const Session& session, const Print& print);

/// What would be measured, a line per group.
void print_plan(const Prepared& prepared, const Session& session);

}  // namespace bench
