// What the kernel keeps foreign code from, without root: writing files, the network, and other
// processes. It runs as the user who starts it, and may read what that user may.
#pragma once

#include <filesystem>

#include "harness/plan/guest_variant.hpp"

namespace bench::guests {

class Sandbox {
 public:
  /// Files may be written below `writable` only. What the kernel does not offer is left out.
  explicit Sandbox(const std::filesystem::path& writable);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// Shuts in the calling process and all that it starts, for ever. Nothing but system calls, as is
  /// allowed between fork() and execve().
  void enter() const;

 private:
  int rules_ = -1;  ///< of Landlock
};

/// What a sandbox forbids on this kernel.
Forbidden forbidden_to_guests();

}  // namespace bench::guests
