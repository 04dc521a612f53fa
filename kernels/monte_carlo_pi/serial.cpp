// monte_carlo_pi on one core: how many of n random points of the unit square are inside the quarter
// circle, x² + y² < 1. Their share is π/4, with an error that shrinks only with √n: one more digit
// takes a hundred times as many points.
//
// Only the key of the generator is read, and one word is written. It is compute bound, by 32-bit
// products with 64-bit results: ten to draw a point, two to test it. The generator is
// counter-based: a block of four words, two points, is a function of its number. So blocks are
// independent. Within a block each round waits for the one before.

#include <cstdint>

#include "harness/workload/target.hpp"
#include "kernels/monte_carlo_pi/monte_carlo_pi.hpp"
#include "kernels/monte_carlo_pi/wide_philox.hpp"

namespace kernels::monte_carlo_pi {
namespace {

// Change: block after block, two points each, in integers, so that the count is exact.
// Cost: none, this is the baseline. Ten rounds, each of which waits for the products of the one
// before (latency). A compiler may interleave a few blocks.
void naive(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  Word count = 0;
  for (std::size_t b = 0; b < blocks; ++b) count += count_inside(b, n, key);
  inside[0] = count;
}

// Before: the rounds of a block wait for each other.
// Change: one block per lane (SIMD), and several vectors take each round together: their products
// overlap. A comparison instead of a branch decides if a point is inside.
// Cost: a 32-bit word takes a 64-bit lane. The remainder is processed block by block.
void simd(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  const std::size_t whole = n / 2 - n / 2 % together;
  WideWords counts = {};
  for (std::size_t b = 0; b < whole; b += together) count_together(b, key, counts);
  Word count = count_in(counts);
  for (std::size_t b = whole; b < blocks; ++b) count += count_inside(b, n, key);
  inside[0] = count;
}

}  // namespace

template <>
bench::Ladder<Kernel> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel> ladder[] = {
      {"naive", "the naive loop on one core, exact in integers, -O3", naive},
      {"simd", "one block of numbers per lane, several vectors per round", simd},
  };
  return ladder;
}

}  // namespace kernels::monte_carlo_pi
