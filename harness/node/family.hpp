#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace bench {

/// Whether that process is this one, or one that this one or one of those has started.
bool is_of_this_process(pid_t process);

/// Whether this process sees the numbers that the system itself gives to processes: not in most
/// containers.
bool sees_all_processes();

/// How many of these processes have ended: nothing but their number is left, or not even that.
std::size_t ended(const std::vector<pid_t>& processes);

}  // namespace bench
