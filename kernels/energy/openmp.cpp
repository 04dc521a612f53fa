// energy on all cores of the job: E(x) = sin²x + √|x| + exp(−x²/50).
//
// A map: the elements are independent, so the loop can be cut anywhere and each thread takes an
// equal, contiguous part; the threads meet only at the end. Per element: 8 bytes in f32, a sine, a
// square root and an exponential. Cores multiply the arithmetic, but they share one memory: the
// better each core does, the sooner the memory bandwidth is the limit.

#include "kernels/energy/element.hpp"
#include "kernels/energy/energy.hpp"

namespace kernels::energy {
namespace {

// Here: the plain loop, divided among the threads.
// Price: starting the team costs microseconds; tiny arrays get slower.
void naive(const Real* x, Real* energy, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) energy[i] = energy_of(x[i]);
}

// Above: each core still computes one element at a time.
// Here: threads over the loop and vectors inside each part: `parallel for simd`.
// Price: sin is good for |x| ≤ 8000 in f32 only; results differ from the library's in the last
// bits.
void simd(const Real* x, Real* energy, std::size_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) energy[i] = vector_energy(x[i]);
}

// Above: every line of `energy` is read only to be overwritten (write-allocate).
// Here: one cache line of results at a time, by streaming (non-temporal) stores; for every x.
// Price: the results are in no cache afterwards; the fence is per thread.
void streaming(const Real* x, Real* energy, std::size_t n) {
  const Lines lines = store_ends(energy, n, [=](std::size_t i) { return energy_of(x[i]); });
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += chunk) {
      const std::size_t left = lines.end - first;
      stream_chunk(x + first, energy + first, left < chunk ? left : chunk);
    }
    stream_fence();
  }
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
