// The generator of all ladders: Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011).
//
// It is counter-based: it has no state, but is a function of a counter and a key, like a cipher.
// Any thread can compute the numbers of any block b, in any order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/cuda/host_device.hpp"
#include "kernels/monte_carlo_pi/monte_carlo_pi.hpp"

namespace kernels::monte_carlo_pi {
namespace {

struct Words {
  Word word[4];
};

constexpr std::uint64_t factor_0 = 0xD2511F53;
constexpr std::uint64_t factor_2 = 0xCD9E8D57;
constexpr Word key_step_0 = 0x9E3779B9;
constexpr Word key_step_1 = 0xBB67AE85;

BENCH_HOST_DEVICE inline Word high(std::uint64_t product) {
  return static_cast<Word>(product >> 32U);
}
BENCH_HOST_DEVICE inline Word low(std::uint64_t product) { return static_cast<Word>(product); }

/// Each round multiplies two words, and all four change places.
template <int rounds>
BENCH_HOST_DEVICE Words philox(Words c, Word key_0, Word key_1) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t product_0 = factor_0 * c.word[0];
    const std::uint64_t product_2 = factor_2 * c.word[2];
    c = {{high(product_2) ^ c.word[1] ^ key_0, low(product_2), high(product_0) ^ c.word[3] ^ key_1,
          low(product_0)}};
    key_0 += key_step_0;
    key_1 += key_step_1;
  }
  return c;
}

/// 1 where x² + y² < 2^64, else 0: there the sum of 64 bits wraps. Nothing is rounded.
BENCH_HOST_DEVICE inline Word is_inside(Word x, Word y) {
  const std::uint64_t square = std::uint64_t{x} * x;
  return square + std::uint64_t{y} * y >= square ? 1 : 0;
}

/// How many of the two points of block b are inside; the last block of an odd n has one point.
BENCH_HOST_DEVICE inline Word points_inside(const Words& random, std::size_t b, std::size_t n) {
  const Word first = is_inside(random.word[0], random.word[1]);
  return 2 * b + 1 < n ? first + is_inside(random.word[2], random.word[3]) : first;
}

BENCH_HOST_DEVICE inline Word count_inside(std::size_t b, std::size_t n, const Word* key) {
  return points_inside(philox<10>({{low(b), high(b), 0, 0}}, key[0], key[1]), b, n);
}

}  // namespace
}  // namespace kernels::monte_carlo_pi
