// energy on all cores by the parallel algorithms of C++: E(x) = sin²x + √|x| + exp(−x²/50).
//
// A map is std::transform. The policy par_unseq allows threads and vectors, but it is a permission
// only: a call of the mathematical library is not vectorised by it.

#include <algorithm>
#include <execution>

#include "kernels/energy/element.hpp"
#include "kernels/energy/energy.hpp"
#include "kernels/indices.hpp"

namespace kernels::energy {
namespace {

// Change: the naive loop as std::transform.
// Cost: TBB cuts the work as it goes. Library calls prevent vectorisation, as in the loop.
void naive(const Real* x, Real* energy, std::size_t n) {
  std::transform(std::execution::par_unseq, x, x + n, energy,
                 [](Real value) { return energy_of(value); });
}

// Before: each core still computes one element at a time.
// Change: branch-free sin and exp: threads over chunks of elements, vectors within each.
// Cost: results differ from the library's in the last bits. The program chooses the chunk.
void simd(const Real* x, Real* energy, std::size_t n) {
  const std::size_t chunks = (n + chunk - 1) / chunk;
  std::for_each(std::execution::par, Index(0), Index(chunks), [=](std::size_t c) {
    store_chunk(energy, c * chunk, end_of_chunk(c * chunk, n), Map{x});
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> stdpar<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop as std::transform", naive},
      {"simd", "threads over chunks, vectors inside each", simd},
  };
  return ladder;
}

}  // namespace kernels::energy
