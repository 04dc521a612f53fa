#pragma once

#include <sys/types.h>

namespace bench {

/// Whether that process is this one, or one that this one or one of those has started.
bool is_of_this_process(pid_t process);

}  // namespace bench
