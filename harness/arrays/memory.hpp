// Host memory for the arrays: placed by parallel first touch, poisoned, guarded at both ends.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/arrays/guard.hpp"

namespace bench {

/// Memory that goes back with its owner.
struct Memory {
  std::unique_ptr<void, std::function<void(void*)>> pages;
  int file = no_file;  ///< the descriptor by which other processes can map it

  static constexpr int no_file = -1;
};
/// At least `bytes` bytes that begin at a page, or std::bad_alloc.
using Allocate = std::function<Memory(std::size_t bytes)>;

/// Anonymous pages, huge ones where the kernel grants them (MADV_HUGEPAGE).
Memory anonymous_pages(std::size_t bytes);

/// Pages that other processes can map, too. They become huge ones once they have been touched,
/// where the kernel can do that (MADV_COLLAPSE, Linux 6.1; what transparent_hugepage/shmem_enabled
/// says does not matter to it).
Memory shared_pages(std::size_t bytes);

/// Files without names that are there before the arrays, so that a process which is started in
/// between inherits them, and needs no way to the files of this one. Their length is that of the
/// node's memory, and stays.
class ArrayFiles {
 public:
  /// Throws std::system_error.
  explicit ArrayFiles(std::size_t count);
  ~ArrayFiles();
  ArrayFiles(const ArrayFiles&) = delete;
  ArrayFiles& operator=(const ArrayFiles&) = delete;

  const std::vector<int>& descriptors() const { return all_; }

 private:
  friend Allocate pages_in(std::shared_ptr<ArrayFiles> files);
  std::size_t bytes_;  ///< of each
  std::vector<int> all_;
  std::vector<int> free_;
};

/// Does what shared_pages() does, in one of these files as long as the memory lives; std::bad_alloc
/// where none is free.
Allocate pages_in(std::shared_ptr<ArrayFiles> files);

/// The first pages of a file that another process shares, `bytes` bytes or a few more. Throws
/// std::system_error where they cannot be had.
enum class Access { read, write };
Memory mapped_pages(const std::string& file, std::size_t bytes, Access access);

/// True where shared pages become huge ones.
bool shared_pages_are_huge();

/// One array in host memory.
///
/// Allocation policy, the same for every variant: anonymous pages, first touched in parallel in
/// equal contiguous parts, as the OpenMP kernels will use them. In front of the data and right
/// after it is a guard band with a known pattern.
class Buffer {
 public:
  /// Throws what `allocate` throws.
  explicit Buffer(std::size_t bytes, const Allocate& allocate = anonymous_pages);

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// The file of the memory (Memory::file); the data begin guard::bytes after the beginning of the
  /// file.
  int file() const { return memory_.file; }

  /// Fills the data with the poison: past the caches, so that no dirty line has to be written back
  /// while a variant is timed. With `team`, all threads share the work.
  void poison(bool team = true);
  /// What a variant overwrote outside of the data, nothing if the guard bands are intact.
  std::optional<Reason> damage() const;
  void restore_guards();

 private:
  std::size_t bytes_;
  Memory memory_;
  unsigned char* data_;
  guard::Bands bands_ = guard::next_bands();
};

/// Makes these bytes the same, by all threads. True where they were not.
bool make_same(void* to, const void* from, std::size_t bytes);

/// Drops [data, data + bytes) from all caches of the node. With `team`, all threads share the work.
void evict(const void* data, std::size_t bytes, bool team);

}  // namespace bench
