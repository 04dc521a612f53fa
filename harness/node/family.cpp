#include "harness/node/family.hpp"

#include <unistd.h>

#include <string>

#include "harness/node/text_file.hpp"

namespace bench {

bool is_of_this_process(pid_t process) {
  while (process > 1 && process != getpid()) {
    const Text status = text_in("/proc/" + std::to_string(process) + "/status");
    process = number<pid_t>(field(status, "PPid")).value_or(0);
  }
  return process == getpid();
}

}  // namespace bench
