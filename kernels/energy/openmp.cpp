// energy on all cores of the job: E(x) = sin²x + √|x| + exp(−x²/50).
//
// A map: the elements are independent, so each thread takes an equal, contiguous part, and threads
// synchronise only at the end. Per element: 8 bytes in f32, a sine, a square root and an
// exponential. More cores multiply the arithmetic, but they share one memory. The faster each core
// is, the sooner memory bandwidth is the limit.

#include "kernels/energy/element.hpp"
#include "kernels/energy/energy.hpp"

namespace kernels::energy {
namespace {

// Change: the naive loop, divided among the threads.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* x, Real* energy, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) energy[i] = energy_of(x[i]);
}

// Before: each core still computes one element at a time.
// Change: threads over chunks of the loop and SIMD within each.
// Cost: results differ from the library's in the last bits. A chunk with an |x| beyond 8000 in f32
// takes the library's time.
void simd(const Real* x, Real* energy, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t first = 0; first < n; first += chunk) {
    store_chunk(energy, first, end_of_chunk(first, n), Map{x});
  }
}

// Before: every line of `energy` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* x, Real* energy, std::size_t n) {
  const Lines lines = store_ends(energy, n, [=](std::size_t i) { return energy_of(x[i]); });
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += chunk) {
      stream_chunk(energy, first, end_of_chunk(first, lines.end), Map{x});
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
