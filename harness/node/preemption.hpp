#pragma once

#include <filesystem>
#include <optional>

namespace bench {

/// Seconds that the threads of this process have been ready to run but had to wait for a processor,
/// summed over all threads so far: what other processes took from us. Nothing where the kernel does
/// not say. `tasks` holds a folder for each thread.
std::optional<double> waited_for_processor(const std::filesystem::path& tasks = "/proc/self/task");

}  // namespace bench
