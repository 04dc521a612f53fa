#include "harness/node/family.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <string>
#include <system_error>

#include "harness/node/text_file.hpp"

namespace bench {

bool is_of_this_process(pid_t process) {
  while (process > 1 && process != getpid()) {
    const Text status = text_in("/proc/" + std::to_string(process) + "/status");
    process = number<pid_t>(field(status, "PPid")).value_or(0);
  }
  return process == getpid();
}

bool sees_all_processes() {
  std::error_code none;
  // The first namespace has this number on every Linux (PROC_PID_INIT_INO).
  return std::filesystem::read_symlink("/proc/self/ns/pid", none) == "pid:[4026531836]";
}

std::size_t ended(const std::vector<pid_t>& processes) {
  return static_cast<std::size_t>(
      std::count_if(processes.begin(), processes.end(), [](pid_t process) {
        if (kill(process, 0) != 0) return errno == ESRCH;
        const Text status = text_in("/proc/" + std::to_string(process) + "/status");
        return field(status, "State").value_or("").starts_with('Z');
      }));
}

}  // namespace bench
