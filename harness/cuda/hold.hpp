// The device waits until all that shall be timed has been launched: the way of a launch, which is
// longer than many kernels, is then none of their time.
#pragma once

#include <optional>

#include "harness/cuda/device.hpp"
#include "harness/place/memory.hpp"

namespace bench::cuda {

class Hold {
 public:
  /// Throws Error. Where launches return only when their kernels have ended
  /// (CUDA_LAUNCH_BLOCKING=1, some tools), or where host memory cannot be pinned, nothing is held.
  Hold();

  /// What is launched from here on waits for release(), but no longer than some 10 ms: a variant
  /// may itself wait for what it has launched.
  void begin();
  void release();
  bool holds() const { return holds_; }

 private:
  void start(long long cycles);
  bool launches_return_at_once();

  Buffer go_;
  std::optional<Pinned> pinned_;
  bool holds_ = false;
};

}  // namespace bench::cuda
