// Memory on the device that a library wants along with the arrays.
#pragma once

#include <cstddef>

namespace bench::cuda {

/// Kept from run to run, so that timed runs allocate nothing.
class Workspace {
 public:
  Workspace() = default;
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// At least `bytes` bytes, and never null. Where those from before are too few, what they held is
  /// lost. Throws Unavailable where the device has no room.
  void* of(std::size_t bytes);

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace bench::cuda
