// energy on one core: E(x) = sin²x + √|x| + exp(−x²/50).
//
// A map: each result depends on one input, nothing is shared, any order will do.
// Per element it moves 8 bytes in f32 (one load, one store) and computes a sine, a square root and
// an exponential. Through the mathematical library that is some 60 to 100 instructions one element
// at a time, far more time than the 8 bytes take: with so high an arithmetic intensity the plain
// loop is compute bound. Only when the arithmetic runs on whole vectors does memory come into sight
// as the limit.

#include "kernels/energy/element.hpp"
#include "kernels/energy/energy.hpp"

namespace kernels::energy {
namespace {

// Here: the formula as it stands, one element after the other.
// Price: nothing; this is the baseline. Library calls keep the compiler from using vectors.
void naive(const Real* x, Real* energy, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) energy[i] = energy_of(x[i]);
}

// Above: one element per pass through the library; the vector units do nothing.
// Here: sin and exp without branches, so that one instruction (SIMD) works on 4 to 16 elements.
// Price: sin is good for |x| ≤ 8000 in f32 only; results differ from the library's in the last
// bits.
void simd(const Real* x, Real* energy, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) energy[i] = vector_energy(x[i]);
}

// Above: every line of `energy` is read only to be overwritten (write-allocate).
// Here: one cache line of results at a time, by streaming (non-temporal) stores; for every x.
// Price: the results are in no cache afterwards; small arrays get slower.
void streaming(const Real* x, Real* energy, std::size_t n) {
  const Lines lines = store_ends(energy, n, [=](std::size_t i) { return energy_of(x[i]); });
  for (std::size_t first = lines.begin; first < lines.end; first += chunk) {
    const std::size_t left = lines.end - first;
    stream_chunk(x + first, energy + first, left < chunk ? left : chunk);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"simd", "branch-free sin and exp: whole vectors at a time", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::energy
