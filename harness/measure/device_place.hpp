// The device's memory, caches and clock: where CUDA variants run, with and without the transfers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cuda/device.hpp"
#include "harness/cuda/mirror.hpp"
#include "harness/measure/host_place.hpp"
#include "harness/node/preemption.hpp"

namespace bench::cuda {

/// What a case has of its group's arrays: all, or, as a reference measured with others, as many
/// bytes of the first inputs as it reads, and of the output or of its replacement, if that is too
/// short.
struct Extents {
  std::vector<std::size_t> inputs;  ///< bytes of each
  std::size_t output = 0;           ///< bytes
  bool reference = false;
};

/// The arrays of a group in device memory, each next to one of the host's.
class DeviceArrays {
 public:
  /// Takes bytes_needed() of the device, or throws OutOfMemory. Where the host's arrays cannot be
  /// pinned, unpinned() says why.
  DeviceArrays(const PlannedGroup& group, HostArrays& host);

  /// `reference`: null for the group's own problem.
  Extents extents(const Problem* reference) const;
  Arrays arrays(const Extents& extents) const;
  /// The same, inputs and output as the device reaches those of the host. Throws Error.
  Arrays mapped(const Extents& extents) const;
  /// Empty, or why the host's arrays are not pinned: then transfers are not what is measured.
  const Reason& unpinned() const { return unpinned_; }
  /// Inputs, output and workspace, in both places.
  std::vector<Mirror> mirrors(const Extents& extents) const;

  /// Takes the inputs that the host's arrays have now.
  void take_inputs();
  /// Copies the inputs from these arrays of the host, and the output back to them.
  void upload_inputs(const Extents& extents, const Arrays& from);
  void download_output(const Extents& extents, const Arrays& to) const;
  /// Repairs the inputs that take_inputs() took, as HostArrays does. The host's, which are put
  /// back, are right.
  bool repair_inputs();
  std::uint64_t output_digest(bool reference) const {
    return output(reference).device.digest(scratch_);
  }
  std::optional<Reason> repair_guards();
  void upload(const std::vector<Spot>& spots);
  void poison_inputs(const Extents& extents);
  void poison_output(bool reference, const std::vector<Piece>& some);
  /// The workspace, too, but for a reference, which has none.
  void poison_output(bool reference);
  void download_output(bool reference, const std::vector<Piece>& some) const;

 private:
  struct Pair {
    DeviceBuffer device;
    Buffer* host;
    unsigned char* mapped = nullptr;  ///< the host's, where the device finds it; null: not pinned
  };
  const Pair& output(bool reference) const { return reference ? pairs_.back() : pairs_[output_]; }
  Pair& output(bool reference) { return reference ? pairs_.back() : pairs_[output_]; }

  std::vector<std::uint64_t> digests_of_inputs() const;

  const Problem& problem_;
  std::size_t inputs_;
  std::size_t output_;       ///< behind the inputs and the workspace
  std::vector<Pair> pairs_;  ///< as HostArrays::buffers()
  std::vector<Pinned> pinned_;
  Reason unpinned_;
  Reason unmapped_;  ///< empty, or why the device has no addresses of the host's arrays
  DeviceBuffer scratch_;
  std::vector<std::uint64_t> taken_;  ///< digests of the inputs when they were taken
};

/// The scope `kernel`: the arrays stay on the device, its events are the clock.
class KernelPlace : public Place {
 public:
  /// `reference`: null for the group's own problem.
  KernelPlace(const Device& device, DeviceArrays& on_device, HostArrays& host,
              const Problem* reference);

  double seconds(const Run& run, std::size_t calls) override;
  double clock_floor() const override { return device_.event_floor(); }
  std::optional<double> waited() const override { return waited_for_processor(); }
  double batch_seconds() const override;
  std::optional<Reason> off_the_clock(const Run& run) override;
  std::optional<double> seconds_to_return(const Run& run) override;
  void poison_output() override;
  void poison_output(const std::vector<Piece>& some) override;
  void perturbed(const std::vector<Spot>& spots) override;
  void restored(const std::vector<Spot>& spots) override;
  void empty_caches() override { device_.empty_caches(); }
  /// The next run is a sample: it begins once all of it has been launched.
  void get_ready() override { queued_ = !waits_; }
  bool beyond_caches() const override;
  std::optional<std::uint64_t> output_digest() override {
    return on_device_.output_digest(extents_.reference);
  }
  void fetch(const std::vector<Piece>& some) override;
  std::optional<Reason> repair_guards() override;
  std::optional<Reason> repair_inputs() override;

 protected:
  void poison_on_device();
  void poison_on_device(const std::vector<Piece>& some);

  const Device& device_;
  DeviceArrays& on_device_;
  HostArrays& host_;
  Extents extents_;
  Arrays arrays_;
  Arrays on_host_;  ///< the same in host memory

 private:
  std::optional<Reason> overtakes(const Run& run);

  bool waits_ = false;   ///< the variant does, for what it has launched
  bool queued_ = false;  ///< the next run begins once all of it has been launched
};

/// The scope `end_to_end`: inputs from pinned host memory to the device, the kernel, the output
/// back; wall clock until all of it has arrived. The kernel does not know where the host's are.
class EndToEndPlace : public KernelPlace {
 public:
  using KernelPlace::KernelPlace;

  double seconds(const Run& run, std::size_t calls) override;
  double clock_floor() const override;
  double batch_seconds() const override { return 20e-6; }
  std::optional<Reason> off_the_clock(const Run& /*run*/) override { return {}; }
  std::optional<double> seconds_to_return(const Run& /*run*/) override { return {}; }
  void poison_output() override;
  void poison_output(const std::vector<Piece>& some) override;
  void empty_caches() override;
  std::optional<std::uint64_t> output_digest() override { return {}; }
  void fetch(const std::vector<Piece>& /*some*/) override {}  // it has arrived within the sample

 protected:
  /// Seconds from these arrays of the host and back to them.
  double seconds(const Run& run, std::size_t calls, const Arrays& host);
};

/// The same scope for variants that move their data themselves. So that what they do not move
/// shows, the inputs on the device are poisoned before a check, and do not change with the host's.
class OverlappedPlace final : public EndToEndPlace {
 public:
  using EndToEndPlace::EndToEndPlace;

  double seconds(const Run& run, std::size_t calls) override;
  void poison_inputs() override { on_device_.poison_inputs(extents_); }
  void perturbed(const std::vector<Spot>& /*spots*/) override {}
  std::optional<Reason> repair_inputs() override;
};

}  // namespace bench::cuda
