#include "harness/hash.hpp"

#include <fmt/format.h>

#include <memory>
#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace bench {

std::uint64_t hash_bytes(const void* data, std::size_t bytes) { return XXH3_64bits(data, bytes); }

std::string hash_inputs(const std::vector<Extent>& extents, const Arrays& arrays) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       XXH3_freeState);
  if (!state) throw std::bad_alloc();
  XXH3_64bits_reset(state.get());
  for (std::size_t i = 0; i < extents.size(); ++i) {
    XXH3_64bits_update(state.get(), arrays.inputs[i], extents[i].bytes());
  }
  return fmt::format("xxh3:{:016x}", XXH3_64bits_digest(state.get()));
}

}  // namespace bench
