#include "harness/plan/hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace bench {

std::uint64_t hash_bytes(const void* data, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t{1} << 20U;
  if (bytes <= piece) return XXH3_64bits(data, bytes);
  const auto* const all = static_cast<const unsigned char*>(data);
  std::vector<std::uint64_t> hashes((bytes + piece - 1) / piece);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    hashes[i] = XXH3_64bits(all + i * piece, std::min(piece, bytes - i * piece));
  }
  return XXH3_64bits(hashes.data(), hashes.size() * sizeof hashes[0]);
}

struct Hasher::State {
  XXH3_state_t* xxh3 = XXH3_createState();
};

Hasher::Hasher() : state_(std::make_unique<State>()) {
  if (state_->xxh3 == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state_->xxh3);
}

Hasher::~Hasher() { XXH3_freeState(state_->xxh3); }

void Hasher::update(const void* data, std::size_t bytes) {
  XXH3_64bits_update(state_->xxh3, data, bytes);
}

std::string Hasher::text() const {
  return fmt::format("xxh3:{:016x}", XXH3_64bits_digest(state_->xxh3));
}

std::string hash_text(const void* data, std::size_t bytes) {
  Hasher hasher;
  hasher.update(data, bytes);
  return hasher.text();
}

std::string hash_inputs(const std::vector<ArraySpec>& extents, const Arrays& arrays) {
  Hasher hasher;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    hasher.update(arrays.inputs[i], extents[i].bytes());
  }
  return hasher.text();
}

}  // namespace bench
