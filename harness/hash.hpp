#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "harness/workload.hpp"

namespace bench {

/// XXH3-64 of some bytes.
std::uint64_t hash_bytes(const void* data, std::size_t bytes);

/// XXH3-64 over the arrays' bytes, one after the other, as `xxh3:` and 16 hexadecimal digits. The
/// same number as Python's `xxhash.xxh3_64` over the concatenated NumPy arrays.
std::string hash_inputs(const std::vector<Extent>& extents, const Arrays& arrays);

}  // namespace bench
