// Variables that libraries read before main() begins.
#pragma once

#include <filesystem>

namespace bench {

/// Starts the program again where they are other than it needs. BENCHMARK_…: the engine would end
/// it for a value that it does not know. OpenMP threads that wait for work spin for a
/// fraction of a millisecond only, unless the user says how they wait: longer they would do so
/// next to the next case, on processors that are its own. They are bound, one to a core, unless the
/// user says how, tasks share their CPUs, or nothing can be bound. To be called first.
void settle_environment(char** argv);

/// The file that this process runs, by its own path.
std::filesystem::path this_program();

/// A process started from here finds none that bench has set.
void give_up_own_environment();

}  // namespace bench
