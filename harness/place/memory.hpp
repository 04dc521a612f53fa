// Host memory for the arrays: placed by parallel first touch, poisoned, guarded at both ends.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace bench {

/// One array in host memory.
///
/// Allocation policy, the same for every variant: anonymous pages, huge ones where the kernel
/// grants them (MADV_HUGEPAGE), first touched in parallel in equal contiguous parts, as the OpenMP
/// kernels will use them. In front of the data and right behind it lies a guard band with a known
/// pattern.
class Buffer {
 public:
  /// Throws std::bad_alloc when the system refuses.
  explicit Buffer(std::size_t bytes);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer& operator=(Buffer&&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  /// Fills the data with the poison: past the caches, so that no dirty line has to be written back
  /// while somebody is timed. With `team`, all threads share the work.
  void poison(bool team = true);
  /// What a variant overwrote outside of the data, nothing if the guard bands are intact.
  std::optional<std::string> damage() const;
  void restore_guards();

 private:
  std::size_t bytes_;
  std::size_t mapped_ = 0;
  unsigned char* base_ = nullptr;
  unsigned char* data_ = nullptr;
};

/// Drops [data, data + bytes) from all caches of the node. With `team`, all threads share the work.
void evict(const void* data, std::size_t bytes, bool team);

}  // namespace bench
