// The scopes of programs that do not copy from and to pinned memory: pageable, mapped and managed.
// Wall clock, as end_to_end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/measure/device_place.hpp"

namespace bench::cuda {

/// The variant is given arrays of the host, and brings what it needs to the device itself.
class HostArraysPlace : public EndToEndPlace {
 public:
  HostArraysPlace(const Device& device, DeviceArrays& on_device, HostArrays& host,
                  const Problem* reference);

  double seconds(const Run& run, std::size_t calls) override;
  std::optional<Reason> repair_inputs() override;
};

/// The arrays stay in pinned memory of the host: kernels reach them there, over the bus.
class MappedPlace final : public HostArraysPlace {
 public:
  MappedPlace(const Device& device, DeviceArrays& on_device, HostArrays& host,
              const Problem* reference);
};

/// Arrays of the host of their own, in memory of another kind than those that the referee looks at.
class OtherMemoryPlace : public EndToEndPlace {
 public:
  /// `own`: its inputs are those of `host`.
  OtherMemoryPlace(const Device& device, DeviceArrays& on_device, HostArrays& host,
                   const Problem* reference, HostArrays& own);

  void poison_output() override;
  void poison_output(const std::vector<Piece>& some) override;
  void restored(const std::vector<Spot>& spots) override;
  void empty_caches() override;
  void fetch(const std::vector<Piece>& some) override;
  std::optional<Reason> repair_guards() override;
  std::optional<Reason> repair_inputs() override;

 protected:
  HostArrays& own_;
  Arrays own_arrays_;
};

/// What programs have that ask for no other memory: each copy goes through pinned pages of the
/// driver's.
class PageablePlace final : public OtherMemoryPlace {
 public:
  using OtherMemoryPlace::OtherMemoryPlace;

  double seconds(const Run& run, std::size_t calls) override;
};

/// No copies: pages go to the device when the kernel touches them, and those of the output come
/// back when the host does, which is part of a sample.
class ManagedPlace final : public OtherMemoryPlace {
 public:
  using OtherMemoryPlace::OtherMemoryPlace;

  double seconds(const Run& run, std::size_t calls) override;
  /// All pages are on the host afterwards.
  void empty_caches() override;
};

}  // namespace bench::cuda
