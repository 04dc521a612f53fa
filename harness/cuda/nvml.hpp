// What NVML, the driver's library for management, says of one GPU. It is opened while the program
// runs, so one binary works with and without a driver; free of CUDA's headers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/reason.hpp"
#include "harness/node/gpu_facts.hpp"

namespace bench::cuda {

/// What one look at the device says; nothing where NVML does not.
struct GpuState {
  std::optional<double> sm_clock_mhz;
  std::optional<unsigned long long> throttle_reasons;
};

/// True where the reasons mean that the device ran slower than it could: power cap, thermal or
/// hardware slowdown, power brake; not idle, not a clock that was chosen.
bool throttled(unsigned long long reasons);

/// Why, a word each: power, heat, brake; `hardware` where it does not say more.
std::vector<std::string> throttled_by(unsigned long long reasons);

/// One GPU or MIG slice, found by what identifies it everywhere. Never by index: inside a job NVML
/// and CUDA count differently.
class Nvml {
 public:
  /// Never fails: reason() says what went wrong. The UUID is looked for as "GPU-…" and as "MIG-…",
  /// because CUDA gives only its bytes; the PCI bus id ("0000:C1:00.0") where that finds nothing.
  /// Either may be empty. `library` is another file in tests.
  Nvml(const std::string& uuid, const std::string& pci_bus_id,
       const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// Empty where NVML answers for this device, otherwise why not.
  const std::string& reason() const { return reason_; }

  /// `processes` counts the compute processes besides this one (where processes cannot see each
  /// other's numbers, as in some containers, this one may be counted). Of a MIG slice, clocks,
  /// power, energy and temperature are those of the whole GPU.
  NvmlFacts facts() const;

  /// Percent of the last second in which the GPU worked, asked before this process lets it work:
  /// the least of what is read in `patience` seconds, since a process that has just ended is still
  /// counted.
  std::optional<unsigned> work_of_others(double patience) const;

  /// What the whole GPU has taken so far, in joules, in steps of 20 to 100 ms. Nothing where
  /// no_energy() says why not.
  std::optional<double> joules() const;
  /// Empty, or why there is no number for this device: in a slice, what the others take counts too.
  Reason no_energy() const;

  /// Cheap enough for the pauses between samples: two questions.
  GpuState state() const;

 private:
  struct Session;
  std::unique_ptr<const Session> session_;
  std::string reason_;
};

}  // namespace bench::cuda
