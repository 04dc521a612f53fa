// energy on one core: E(x) = sin²x + √|x| + exp(−x²/50).
//
// A map: each result depends on one input, in any order. An element moves 8 bytes in f32 (one load,
// one store) and computes a sine, a square root and an exponential. With the mathematical library
// that is some 60 to 100 instructions per element, far more time than 8 bytes take. So the naive
// loop is compute bound (high arithmetic intensity). Only vectorised arithmetic comes near the
// memory limit.

#include "kernels/energy/element.hpp"
#include "kernels/energy/energy.hpp"

namespace kernels::energy {
namespace {

// Change: the formula as it is written, one element after the other.
// Cost: none, this is the baseline. Library calls prevent vectorisation.
void naive(const Real* x, Real* energy, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) energy[i] = energy_of(x[i]);
}

// Before: one element per library call; the vector units are idle.
// Change: branch-free sin and exp, so that one SIMD instruction computes 4 to 16 elements.
// Cost: results differ from the library's in the last bits. A chunk with an |x| beyond 8000 in f32
// takes the library's time.
void simd(const Real* x, Real* energy, std::size_t n) {
  for (std::size_t first = 0; first < n; first += chunk) {
    store_chunk(energy, first, end_of_chunk(first, n), Map{x});
  }
}

// Before: every line of `energy` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* x, Real* energy, std::size_t n) {
  const Lines lines = store_ends(energy, n, [=](std::size_t i) { return energy_of(x[i]); });
  for (std::size_t first = lines.begin; first < lines.end; first += chunk) {
    stream_chunk(energy, first, end_of_chunk(first, lines.end), Map{x});
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "branch-free sin and exp: full SIMD vectors", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::energy
