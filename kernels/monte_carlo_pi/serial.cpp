// monte_carlo_pi on one core: how many of n random points of the unit square lie inside the quarter
// circle, x² + y² < 1. They are π/4 of all, but for an error that shrinks with √n only: one more
// digit costs a hundred times as many points.
//
// Nothing is read but the key of the generator, and one word is written: compute bound, by 32-bit
// products with 64-bit results, ten for each point to be drawn and two to be looked at. The
// generator is counter-based: a block of four words, two points, is a function of its number. So
// blocks are independent of each other; within one, each round waits for the round before.

#include <cstdint>

#include "harness/workload/target.hpp"
#include "kernels/monte_carlo_pi/monte_carlo_pi.hpp"
#include "kernels/monte_carlo_pi/wide_philox.hpp"

namespace kernels::monte_carlo_pi {
namespace {

// Here: block after block, two points each; whole numbers, so that the count is exact.
// Price: nothing; this is the baseline. Ten rounds, each of which waits for the products of the one
// before (latency); a compiler may work on a few blocks at a time.
void naive(const Word* key, std::size_t n, Word* inside) {
  const std::size_t blocks = n / 2 + n % 2;
  Word count = 0;
  for (std::size_t b = 0; b < blocks; ++b) count += count_inside(b, n, key);
  inside[0] = count;
}

// Above: one block's rounds wait for each other.
// Here: a block per lane (SIMD), and a few vectors go through each round together: their products
// are in flight at the same time. Inside or not is the result of a comparison, without a branch.
// Price: a word of 32 bits takes a lane of 64, so half of each vector is unused; what does not fill
// all vectors at the end is done one by one.
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
      {"naive", "the plain loop on one core, exact in whole numbers, -O3", naive},
      {"simd", "a block of numbers per lane, a few vectors through each round together", simd},
  };
  return ladder;
}

}  // namespace kernels::monte_carlo_pi
