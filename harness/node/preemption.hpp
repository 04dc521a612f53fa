#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace bench {

/// The waits of the threads that there are when this is made: once found, asking them takes a
/// microsecond each.
class ProcessorWaits {
 public:
  /// `tasks` holds a folder for each thread.
  explicit ProcessorWaits(const std::filesystem::path& tasks = "/proc/self/task");
  ~ProcessorWaits();
  ProcessorWaits(const ProcessorWaits&) = delete;
  ProcessorWaits& operator=(const ProcessorWaits&) = delete;

  /// Seconds that these threads have been ready to run but had to wait for a processor, summed over
  /// all so far: what other processes took. Nothing where the kernel does not say.
  std::optional<double> seconds() const;

 private:
  std::vector<int> files_;
};

/// The same of all threads of this process.
std::optional<double> waited_for_processor(const std::filesystem::path& tasks = "/proc/self/task");

/// The same of the calling thread alone.
std::optional<double> this_thread_waited_for_processor();

}  // namespace bench
