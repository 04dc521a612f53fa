// The GPU as the runner sees it: a clock, facts. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/base/clock.hpp"
#include "harness/cuda/device_memory.hpp"
#include "harness/cuda/error.hpp"
#include "harness/cuda/hold.hpp"
#include "harness/cuda/nvml.hpp"
#include "harness/node/gpu_facts.hpp"
#include "harness/workload/backend.hpp"

namespace bench::cuda {

/// True where kernels are compiled for a GPU, false where the build found no CUDA compiler.
bool built_with_cuda();
/// What the variants for a device were compiled for.
const Backend& backend_of_device();

/// How many devices this process sees.
std::size_t device_count();

/// The device that this process uses.
class Device {
 public:
  /// Looks for devices and creates the context of one: that of this number, or, where a task sees
  /// several, the one that its rank among the tasks of the node chooses. Never throws: see
  /// reason(). `busy_s`: how long it is kept at work before a sample, since a device that has
  /// waited for the CPU's variants lowers its clock.
  explicit Device(int local_rank = 0, std::optional<std::size_t> number = {}, double busy_s = 3e-3);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  /// Empty while kernels can be started; else why not: built without CUDA, no device, device lost.
  const Reason& reason() const { return reason_; }
  /// What the result file says of the device; nothing where there is none.
  const std::optional<GpuFacts>& facts() const { return facts_; }
  const std::string& uuid() const { return uuid_; }
  std::size_t free_bytes() const;
  std::size_t l2_bytes() const { return l2_bytes_; }  ///< 0 where there is no device

  /// Waits for everything started so far. Throws Error if any of it failed.
  void wait() const;
  /// Seconds that `work` takes on the device, by two of its events. Waits. Throws Error.
  double seconds(const std::function<void()>& work) const;
  /// The same, begun once all of it has been launched: see Hold, also for the next.
  double seconds_queued(const std::function<void()>& work) const;
  BehindHold behind_hold(const std::function<void()>& work, void* output, std::size_t bytes) const;
  /// What seconds() shows for an empty kernel: the median, in seconds.
  double event_floor() const { return event_floor_; }
  /// Before several samples follow each other: brings up the clock of a device that has waited
  /// `waited` seconds for the CPU's variants. As long as that, and at most ten times `busy_s`.
  void warm_up(double waited) const;
  /// Makes the L2 cache forget the arrays, in the order of launches: it is read full with other
  /// data, whose lines need not be written back while the next kernel runs. This lasts for as
  /// long as the device may have had nothing to do, and at most for `busy_s`.
  void empty_caches() const;
  GpuState state() const;
  /// The energy so far, as Nvml reports it.
  std::optional<double> joules() const;
  Reason no_energy() const;

  /// True if the device still answers; to be asked after an Error. If not, it is lost for this
  /// process, and reason() says so.
  bool survived(const Reason& error);

 private:
  struct Resources;

  void open(int local_rank, std::optional<std::size_t> wanted);
  void read_other_data() const;
  double measure_floor();
  /// Seconds from one empty kernel to the next where all are queued.
  double measure_launch() const;

  Reason reason_;
  std::string uuid_;
  std::optional<GpuFacts> facts_;
  std::size_t l2_bytes_ = 0;
  double busy_s_;
  double event_floor_ = 0;
  double pass_s_ = 1e-3;          ///< of reading the other data
  mutable Stopwatch since_work_;  ///< that was waited for
  std::unique_ptr<Resources> resources_;
  std::unique_ptr<Nvml> nvml_;
};

}  // namespace bench::cuda
