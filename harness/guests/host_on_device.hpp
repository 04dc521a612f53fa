// The arrays of a host process on a device that only the shared object knows.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/arrays/guard.hpp"
#include "harness/base/reason.hpp"
#include "harness/guests/device/device.h"
#include "harness/guests/protocol.hpp"
#include "harness/workload/workload.hpp"

namespace bench::guests {

/// Everything throws std::runtime_error with what the device says, and Unavailable where there is
/// no room for the arrays.
class HostOnDevice {
 public:
  /// `bytes`: of the inputs, the output and the workspace, in this order.
  HostOnDevice(const BenchDevice& device, Arrays host, std::vector<std::size_t> bytes);
  ~HostOnDevice();
  HostOnDevice(const HostOnDevice&) = delete;
  HostOnDevice& operator=(const HostOnDevice&) = delete;

  void get_ready(const Ready& request);
  Ran run(const RunCalls& request, const std::function<void(const Arrays&)>& call);
  void fetch(const Fetch& wanted);

 private:
  bool may_be_held(std::size_t variant, const std::function<void(const Arrays&)>& call);
  bool returns_behind_hold(const std::function<void(const Arrays&)>& call);
  double on_its_clock(std::size_t calls, const std::function<void(const Arrays&)>& call);
  void make_room();
  void release();
  template <const ReasonText& refused>
  void check_room(const char* why) const;
  void upload_inputs();
  void check_inputs() const;
  void check_bands() const;
  std::size_t inputs() const { return host_.inputs.size(); }

  const BenchDevice& device_;
  Arrays host_;
  Arrays there_;
  std::vector<std::size_t> bytes_;
  std::vector<void*> pinned_;
  std::vector<void*> memory_;        ///< with the bands
  std::vector<void*> arrays_;        ///< in it
  std::vector<guard::Bands> bands_;  ///< of each; none where the device guards itself
  double floor_ = 0;
  bool cold_ = false;    ///< wanted for the next run
  bool sample_ = false;  ///< the next run is one
  /// What is known of each variant, once it has been seen behind a hold: whether its samples are
  /// held.
  std::map<std::size_t, bool> held_;
};

/// Makes the device that of `--device`, or of the task's rank on the node; or why not.
std::optional<Reason> obstacle_to(const BenchDevice& device);

}  // namespace bench::guests
