#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/workload/workload.hpp"

namespace bench {

/// XXH3-64 of some bytes; of many, that of the hashes of their pieces, which all threads compute.
std::uint64_t hash_bytes(const void* data, std::size_t bytes);

/// XXH3-64 of bytes that come in pieces.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  void update(const void* data, std::size_t bytes);
  /// `xxh3:` and 16 hexadecimal digits.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// XXH3-64 of all bytes as Hasher::text().
std::string hash_text(const void* data, std::size_t bytes);

/// XXH3-64 over the arrays' bytes, one after the other, as Hasher::text(). The same number as
/// Python's `xxhash.xxh3_64` over the concatenated NumPy arrays.
std::string hash_inputs(const std::vector<ArraySpec>& extents, const Arrays& arrays);

}  // namespace bench
