#pragma once
// A fork that runs no handlers: LLVM's OpenMP frees in its handler what it has not allocated.

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

namespace bench {

/// Does what fork() does. The child may only make system calls, unless the caller is the only
/// thread.
inline pid_t bare_fork() {
  return static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0));
}

}  // namespace bench
