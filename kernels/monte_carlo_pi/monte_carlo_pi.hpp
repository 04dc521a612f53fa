#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/workload/variant.hpp"

namespace kernels::monte_carlo_pi {

/// A word of the generator, and a count.
using Word = std::uint32_t;

/// inside[0] = how many of n < 2^32 points are inside the quarter circle. Block b of four words is
/// the output of Philox4x32-10 with the two words of `key` for the counter (b mod 2^32, ⌊b/2^32⌋,
/// 0, 0). Two words X, Y are a point (the last block may have only one), inside where X² + Y² <
/// 2^64.
using Kernel = void(const Word* key, std::size_t n, Word* inside);

template <class Isa, class Real>
bench::Ladder<Kernel> serial();
template <class Isa, class Real>
bench::Ladder<Kernel> openmp();
template <class Real>
bench::Ladder<Kernel> cuda();

extern const bench::Workload workload;

}  // namespace kernels::monte_carlo_pi
