// The GPU as the runner sees it: memory, copies, a clock, facts. Free of CUDA's headers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/arrays/guard.hpp"
#include "harness/arrays/memory.hpp"
#include "harness/arrays/place.hpp"
#include "harness/base/clock.hpp"
#include "harness/cuda/error.hpp"
#include "harness/cuda/nvml.hpp"
#include "harness/node/gpu_facts.hpp"

namespace bench::cuda {

/// True where kernels are compiled for a GPU, false where the build found no CUDA compiler.
bool built_with_cuda();

/// How many devices this process sees.
std::size_t device_count();

/// What work does while the default stream is held.
struct BehindHold {
  /// It writes its output before the default stream gets there, in one that does not wait for it:
  /// no event there shows its time.
  bool overtakes = false;
  /// It waits for what it has launched, until the hold lapses.
  bool waits = false;
};

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
  /// As Nvml.
  std::optional<double> joules() const;
  Reason no_energy() const;

  /// To be asked after an Error: true if the device still answers. If not, it is lost for this
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

/// One array on the device, poisoned, between guard bands as in host memory.
class DeviceBuffer {
 public:
  /// Throws OutOfMemory.
  explicit DeviceBuffer(std::size_t bytes);

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  // Copies take place in the order of launches; those from and to pinned memory do not wait.
  // `host`: where the whole array begins there.
  void upload(const void* host) { upload(host, {0, bytes_}); }
  void upload(const void* host, const Piece& piece);
  void download(void* host) const { download(host, {0, bytes_}); }
  void download(void* host, const Piece& piece) const;
  void poison() { poison({0, bytes_}); }
  void poison(const Piece& piece);
  /// Another number where any byte is another; computed where the data are, in 8 bytes of
  /// `scratch`, while the guard bands are whole. Waits.
  std::uint64_t digest(const DeviceBuffer& scratch) const;
  /// Whether damage() would find nothing in any of them; computed as digest() is.
  static bool all_whole(const std::vector<const DeviceBuffer*>& buffers,
                        const DeviceBuffer& scratch);
  /// As Buffer::damage. Waits.
  std::optional<Reason> damage() const;
  void restore_guards();

 private:
  struct Free {
    void operator()(unsigned char* memory) const;
  };

  std::size_t bytes_;
  std::unique_ptr<unsigned char, Free> base_;
  unsigned char* data_ = nullptr;
  guard::Bands bands_ = guard::next_bands();
};

/// Memory that is where it is used: its pages go to the device and back when they are touched.
/// Throws OutOfMemory.
Memory managed_memory(std::size_t bytes);
/// Why such memory does not move between the host and the device in use; empty where it does.
Reason no_managed_memory();

/// Where the device finds the data of a pinned Buffer. Throws Error.
void* device_address(void* data);

/// Host memory that stays in place while this lives, so that the device can reach it at full speed.
/// The guard bands, too: what writes into one of them is to be named, not to lose the device.
class Pinned {
 public:
  /// Throws Error where the system refuses.
  explicit Pinned(const Buffer& buffer);

 private:
  struct Unregister {
    void operator()(void* data) const;
  };

  std::unique_ptr<void, Unregister> data_;
};

}  // namespace bench::cuda
