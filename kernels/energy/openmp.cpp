// energy on all cores of the job: E(x) = sin²x + √|x| + exp(−x²/50).
//
// A map: the elements are independent, so the loop can be cut anywhere and each thread takes an
// equal, contiguous part; the threads meet only at the end. Per element: 8 bytes in f32, a sine, a
// square root and an exponential. Cores multiply the arithmetic, but they share one memory: the
// better each core does, the sooner memory is the limit.

#include <cmath>

#include "harness/simd/math.hpp"
#include "harness/simd/stream.hpp"
#include "harness/simd/target.hpp"
#include "kernels/energy/energy.hpp"

namespace kernels::energy {
namespace {

// Here: the plain loop, divided among the threads.
// Price: starting the team costs microseconds; tiny arrays get slower.
void naive(const Real* x, Real* energy, std::size_t n) {
#pragma omp parallel for schedule(static)
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

// Above: each core still computes one element at a time.
// Here: threads over the loop and vectors inside each part: `parallel for simd`.
// Price: sin is good for |x| ≤ 8000 in f32 only; results differ from the library's in the last
// bits.
void simd(const Real* x, Real* energy, std::size_t n) {
#pragma omp parallel for simd schedule(static)
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
// Price: the results are in no cache afterwards; the fence is per thread.
void streaming(const Real* x, Real* energy, std::size_t n) {
  const std::size_t before = elements_before_line(energy);
  const std::size_t head = before < n ? before : n;
  const std::size_t tail = n - (n - head) % step;
  for (std::size_t i = 0; i < head; ++i) energy[i] = library_energy(x[i]);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = head; first < tail; first += chunk) {
      stream_chunk(x + first, energy + first, tail - first < chunk ? tail - first : chunk);
    }
    stream_fence();
  }
  for (std::size_t i = tail; i < n; ++i) energy[i] = library_energy(x[i]);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive},
      {"simd", "threads over the loop, vectors inside each part", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::energy
