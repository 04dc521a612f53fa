// pulse_train on all cores of the job: w[i] = A·max(sin(i/P) − 0.3, 0) + noise[i].
//
// A map: equal contiguous parts for the threads, and the index says which pulse an element is in. 8
// bytes per element in f32, or 16 with an array between two steps. More cores multiply the
// arithmetic but share one memory. The cheaper the sine is, the more the bytes count, and with them
// fusion.

#include "kernels/pulse_train/element.hpp"
#include "kernels/pulse_train/pulse_train.hpp"

namespace kernels::pulse_train {
namespace {

// Change: the naive loops, each divided among the threads.
// Cost: fork/join takes microseconds, twice, so tiny arrays get slower.
void naive(const Real* noise, Real* wave, Real* pulses, std::size_t n, Real amplitude,
           Real period) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) pulses[i] = pulse_at(i, amplitude, period);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) wave[i] = pulses[i] + noise[i];
}

// Before: intermediate values are written to the memory that the cores share.
// Change: one loop: they stay in registers (fusion), with a single fork/join.
// Cost: the steps can no longer be called separately.
void fused(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
           Real period) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) wave[i] = pulse_at(i, amplitude, period) + noise[i];
}

// Before: each core still computes one element at a time.
// Change: threads over pieces of the loop and SIMD within each.
// Cost: results differ from the library's in the last bits; arguments must stay below sin_reach.
void simd(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
          Real period) {
#pragma omp parallel for schedule(static)
  for (std::size_t first = 0; first < n; first += piece) {
    const int count = static_cast<int>(n - first < piece ? n - first : piece);
    vector_pulses(noise + first, wave + first, first, count, amplitude, period);
  }
}

// Before: every line of `wave` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
               Real period) {
  const Lines lines =
      store_ends(wave, n, [=](std::size_t i) { return pulse_at(i, amplitude, period) + noise[i]; });
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_pulses(noise, wave, first, amplitude, period);
    }
    stream_fence();
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same two loops, each divided among the threads", naive},
      {"fused", "one loop: nothing goes through memory between the steps", fused},
      {"simd", "threads over the loop, vectors inside each part", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::pulse_train
