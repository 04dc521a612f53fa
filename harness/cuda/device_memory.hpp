// Memory that a GPU reaches, and copies to and from it. Free of CUDA's headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "harness/arrays/guard.hpp"
#include "harness/arrays/memory.hpp"
#include "harness/arrays/place.hpp"
#include "harness/base/reason.hpp"

namespace bench::cuda {

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
  /// The damage, as Buffer::damage finds it. Waits.
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
