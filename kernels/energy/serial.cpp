// energy on one core: E(x) = sin²x + √|x| + exp(−x²/50).
//
// A map: each result depends on one input, nothing is shared, any order will do.
// Per element it moves 8 bytes in f32 (one load, one store) and computes a sine, a square root and
// an exponential. Through the mathematical library that is some 60 to 100 instructions one element
// at a time, far more time than the 8 bytes take: the plain loop is bound by arithmetic. Only when
// the arithmetic runs on whole vectors does memory come into sight as the limit.

#include <cmath>

#include "harness/simd/math.hpp"
#include "harness/simd/stream.hpp"
#include "harness/simd/target.hpp"
#include "kernels/energy/energy.hpp"

namespace kernels::energy {
namespace {

// Here: the formula as it stands, one element after the other.
// Price: nothing; this is the baseline. Library calls keep the compiler from using vectors.
void naive(const Real* x, Real* energy, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const Real sine = std::sin(x[i]);
    energy[i] = sine * sine + std::sqrt(std::abs(x[i])) + std::exp(-x[i] * x[i] / 50);
  }
}

/// E(x) without branches.
inline Real energy_of(Real x) {
  const Real sine = vector_sin_unsigned(x);
  return mul_add(sine, sine, std::sqrt(std::abs(x))) + vector_exp(x * x * static_cast<Real>(-0.02));
}

// Above: one element per pass through the library; the vector units do nothing.
// Here: sin and exp without branches, so that one instruction works on 4 to 16 elements.
// Price: sin is good for |x| ≤ 8000 in f32 only; results differ from the library's in the last
// bits.
void simd(const Real* x, Real* energy, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) energy[i] = energy_of(x[i]);
}

/// E(x) by the library, for every x.
inline Real library_energy(Real x) {
  const Real sine = std::sin(x);
  return sine * sine + std::sqrt(std::abs(x)) + std::exp(-x * x / 50);
}

constexpr std::size_t step = cache_line / sizeof(Real);
constexpr std::size_t chunk = 256 * step;

/// The results of whole lines, by streaming stores. Where an x was too large for the short
/// reduction of the sine, they are computed again by the library: looking once per chunk costs next
/// to nothing.
inline void stream_chunk(const Real* x, Real* energy, std::size_t n) {
  Real largest[step] = {};
  for (std::size_t first = 0; first < n; first += step) {
    alignas(cache_line) Real results[step];
#pragma omp simd
    for (std::size_t i = 0; i < step; ++i) {
      const Real size = std::abs(x[first + i]);
      largest[i] = size > largest[i] ? size : largest[i];
      results[i] = energy_of(x[first + i]);
    }
    stream_line(energy + first, results);
  }
  bool within_reach = true;
  for (const Real size : largest) within_reach = within_reach && size <= sin_reach<Real>;
  if (within_reach) return;
  stream_fence();
  for (std::size_t i = 0; i < n; ++i) energy[i] = library_energy(x[i]);
}

// Above: every line of `energy` is read before it is overwritten, memory traffic for nothing.
// Here: the results of one cache line at a time, written by streaming stores; right for every x.
// Price: the results are in no cache afterwards; small arrays get slower.
void streaming(const Real* x, Real* energy, std::size_t n) {
  const std::size_t before = elements_before_line(energy);
  const std::size_t head = before < n ? before : n;
  const std::size_t tail = n - (n - head) % step;
  for (std::size_t i = 0; i < head; ++i) energy[i] = library_energy(x[i]);
  for (std::size_t first = head; first < tail; first += chunk) {
    stream_chunk(x + first, energy + first, tail - first < chunk ? tail - first : chunk);
  }
  for (std::size_t i = tail; i < n; ++i) energy[i] = library_energy(x[i]);
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
