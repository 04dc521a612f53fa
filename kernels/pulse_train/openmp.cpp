// pulse_train on all cores of the job: w[i] = A·max(sin(i/P) − 0.3, 0) + noise[i].
//
// A map: equal contiguous parts for the threads, and the index tells each which pulse it is in. 8
// bytes per element in f32, 16 where an array lies between two steps. Cores multiply the arithmetic
// but share one memory: the cheaper the sine gets, the more the bytes count, and with them fusion.

#include "kernels/pulse_train/element.hpp"
#include "kernels/pulse_train/pulse_train.hpp"

namespace kernels::pulse_train {
namespace {

// Here: the plain loops, each divided among the threads.
// Price: starting the team costs microseconds, twice; tiny arrays get slower.
void naive(const Real* noise, Real* wave, Real* pulses, std::size_t n, Real amplitude,
           Real period) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) pulses[i] = pulse_at(i, amplitude, period);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) wave[i] = pulses[i] + noise[i];
}

// Above: what a step hands to the next is written to the memory that the cores share.
// Here: one loop: it stays in a register (fusion), and the threads meet once.
// Price: the steps can no longer be called one by one.
void fused(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
           Real period) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) wave[i] = pulse_at(i, amplitude, period) + noise[i];
}

// Above: each core still computes one element at a time.
// Here: threads over pieces of the loop and vectors inside each.
// Price: results differ from the library's in the last bits; arguments must stay below sin_reach.
void simd(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
          Real period) {
#pragma omp parallel for schedule(static)
  for (std::size_t first = 0; first < n; first += piece) {
    const int count = static_cast<int>(n - first < piece ? n - first : piece);
    vector_pulses(noise + first, wave + first, first, count, amplitude, period);
  }
}

// Above: every line of `wave` is read only to be overwritten (write-allocate).
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; the fence is per thread.
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
