// Philox of a whole vector of blocks at a time, for both CPU ladders.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/simd/products.hpp"
#include "kernels/monte_carlo_pi/philox.hpp"

namespace kernels::monte_carlo_pi {
namespace {

// Of a word that is a factor only the lower half of a lane counts. So no product needs to be
// truncated before the next one.
struct WideBlock {
  WideWords word[4];
};

/// All bits of a lane are set where x² + y² < 2^64, as in is_inside.
[[gnu::always_inline]] inline WideWords are_inside(WideWords x, WideWords y) {
  const WideWords square = low_products(x, x);
  const WideWords sum = square + low_products(y, y);
  return reinterpret_cast<WideWords>(sum >= square);
}

constexpr std::size_t in_flight = 8;                                // vectors
constexpr std::size_t together = in_flight * lanes<std::uint64_t>;  // blocks

/// Subtracts from each lane the points inside of the blocks b … b + together − 1, which must be
/// full. b is a multiple of `together`. All blocks take a round before any takes the next one.
[[gnu::always_inline]] inline void count_together(std::size_t b, const Word* key,
                                                  WideWords& counts) {
  const WideWords zeros = {};
  WideBlock c[in_flight];
  for (std::size_t v = 0; v < in_flight; ++v) {
    const std::size_t first = b + v * lanes<std::uint64_t>;
    c[v] = {{lane_numbers() + first, zeros + (b >> 32U), zeros, zeros}};
  }
  const WideWords factors_0 = zeros + factor_0;
  const WideWords factors_2 = zeros + factor_2;
#pragma GCC unroll 10
  for (Word round = 0; round < 10; ++round) {
    const std::uint64_t key_0 = Word{key[0] + round * key_step_0};
    const std::uint64_t key_1 = Word{key[1] + round * key_step_1};
#pragma GCC unroll 8
    for (auto& [word] : c) {
      const WideWords product_0 = low_products(factors_0, word[0]);
      const WideWords product_2 = low_products(factors_2, word[2]);
      word[0] = product_2 >> 32U ^ word[1] ^ key_0;
      word[1] = product_2;
      word[2] = product_0 >> 32U ^ word[3] ^ key_1;
      word[3] = product_0;
    }
  }
  for (const auto& [word] : c) {
    counts += are_inside(word[0], word[1]) + are_inside(word[2], word[3]);
  }
}

inline Word count_in(WideWords counts) {
  Word count = 0;
  for (std::size_t lane = 0; lane < lanes<std::uint64_t>; ++lane) count -= low(counts[lane]);
  return count;
}

}  // namespace
}  // namespace kernels::monte_carlo_pi
