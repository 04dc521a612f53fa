#pragma once

#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
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

/// What a clock of the kernel says, in seconds; nothing where the kernel lacks it.
std::optional<double> seconds_by(clockid_t clock);

/// What each thread of a process has had of a processor so far, in seconds, by the thread's number.
/// Empty where the kernel does not say.
using ThreadSeconds = std::map<std::string, double>;
/// What the threads of this process have had, exactly.
ThreadSeconds own_thread_seconds();

/// What the threads of a process have had, and how long they have waited for a processor in sum.
struct ThreadTimes {
  ThreadSeconds had;
  double waited = 0;
};
/// `tasks`: of a process whose threads sleep now. The kernel counts a running one by its ticks.
ThreadTimes thread_times(const std::filesystem::path& tasks);

/// What the busiest thread had of a processor between two readings, in seconds: on a quiet node the
/// time, on a busy one without what others took. `all`: what the whole process had, 0 where no
/// thread has ended. Those that ended in between count as one that did all of their work, and more
/// threads than `processors` gain nothing: it is at least all of the work divided by these.
double busiest(const ThreadSeconds& before, const ThreadSeconds& after, double all, int processors);

}  // namespace bench
