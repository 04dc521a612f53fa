// The generator as both CPU ladders run it: Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011).
//
// It is counter-based: no state that goes from one number to the next, but a function of a counter
// and a key, like a cipher. Whoever wants the numbers of block b computes them, in any order.
#pragma once

#include <cstddef>
#include <cstdint>

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

inline Word high(std::uint64_t product) { return static_cast<Word>(product >> 32U); }
inline Word low(std::uint64_t product) { return static_cast<Word>(product); }

/// Ten rounds, in each of which two words are multiplied and all four change places.
inline Words philox(Words c, Word key_0, Word key_1) {
  for (int round = 0; round < 10; ++round) {
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
inline Word is_inside(Word x, Word y) {
  const std::uint64_t square = std::uint64_t{x} * x;
  return square + std::uint64_t{y} * y >= square ? 1 : 0;
}

/// How many of the points of block b lie inside: two of them, but one in the last of an odd n.
inline Word count_inside(std::size_t b, std::size_t n, const Word* key) {
  const Words random = philox({{low(b), high(b), 0, 0}}, key[0], key[1]);
  const Word first = is_inside(random.word[0], random.word[1]);
  return 2 * b + 1 < n ? first + is_inside(random.word[2], random.word[3]) : first;
}

constexpr std::size_t lanes = 64;  // blocks that are worked on at the same time

/// Adds to each lane what lies inside of one of the blocks b … b + lanes − 1, which are full; b is
/// a multiple of `lanes`. A round of all of them comes before the next round of any; unrolled, what
/// a round hands to the next need not go through memory.
[[gnu::always_inline]] inline void count_lanes(std::size_t b, const Word* key, Word* counts) {
  Word c[4][lanes];
#pragma omp simd
  for (std::size_t i = 0; i < lanes; ++i) {
    c[0][i] = low(b + i);
    c[1][i] = high(b);
    c[2][i] = 0;
    c[3][i] = 0;
  }
#pragma GCC unroll 10
  for (Word round = 0; round < 10; ++round) {
#pragma omp simd
    for (std::size_t i = 0; i < lanes; ++i) {
      const std::uint64_t product_0 = factor_0 * c[0][i];
      const std::uint64_t product_2 = factor_2 * c[2][i];
      c[0][i] = high(product_2) ^ c[1][i] ^ (key[0] + round * key_step_0);
      c[1][i] = low(product_2);
      c[2][i] = high(product_0) ^ c[3][i] ^ (key[1] + round * key_step_1);
      c[3][i] = low(product_0);
    }
  }
#pragma omp simd
  for (std::size_t i = 0; i < lanes; ++i) {
    counts[i] += is_inside(c[0][i], c[1][i]) + is_inside(c[2][i], c[3][i]);
  }
}

}  // namespace
}  // namespace kernels::monte_carlo_pi
