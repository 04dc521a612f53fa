// Variables that libraries read before main() begins.
#pragma once

namespace bench {

/// Starts the program again where they are other than it needs. BENCHMARK_…: the engine would end
/// it for a value that it does not know. OpenMP threads that wait for work shall spin for a
/// fraction of a millisecond only, unless the user says how they wait: longer they would do so
/// beside the next case, on processors that are its own. To be called first.
void settle_environment(char** argv);

}  // namespace bench
