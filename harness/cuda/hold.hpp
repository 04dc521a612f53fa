// A blocking kernel holds the device until everything that is timed has been launched. Launch
// latency, which is longer than many kernels, is then not part of their time.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "harness/arrays/memory.hpp"
#include "harness/cuda/device_memory.hpp"

namespace bench::cuda {

/// What work does while the default stream is held.
struct BehindHold {
  /// It writes its output before the default stream gets there, in one that does not wait for it:
  /// no event there shows its time.
  bool overtakes = false;
  /// It waits for what it has launched, until the hold lapses.
  bool waits = false;
};

class Hold {
 public:
  /// Where launches return only when their kernels have ended (CUDA_LAUNCH_BLOCKING=1, some tools),
  /// or where the host and the device share no memory, nothing is held. Throws Error.
  Hold();

  /// What is launched from here on waits for release(), but not for ever: a variant may itself wait
  /// for what it has launched. The hold lapses after 20 million cycles of a multiprocessor, 10 ms
  /// at 2 GHz. Throws Error.
  void begin();
  void release();
  bool holds() const { return holds_; }

  /// What `work` does after a hold. `output` is memory of the device which it writes, and at least
  /// one byte long. Waits. Throws Error, and what `work` throws.
  BehindHold watch(const std::function<void()>& work, void* output, std::size_t bytes);

 private:
  void start(unsigned long long cycles);
  bool launches_return_at_once();

  Buffer words_;  ///< of the kernel: whether it may go on, whether it has lapsed
  std::optional<Pinned> pinned_;
  std::optional<DeviceBuffer> seen_;  ///< of an output, by the default stream
  volatile unsigned* there_ = nullptr;
  bool holds_ = false;
};

/// All that was held continues at the end of the scope.
struct Released {
  explicit Released(Hold& held) : hold(held) {}
  ~Released() { hold.release(); }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

  Hold& hold;
};

}  // namespace bench::cuda
