// pulse_train on one core: w[i] = A·max(sin(i/P) − 0.3, 0) + noise[i]. Pulses of height A, one
// every 2π·P elements, with noise.
//
// A map whose second input is the index itself, which need not be loaded. 8 bytes per element in
// f32 (one load, one store), a division and a sine. Written as two steps over whole arrays it moves
// 16 bytes. Fusion makes one loop of them. On one core the sine takes longer than either: compute
// bound, until it is vectorised.

#include "kernels/pulse_train/element.hpp"
#include "kernels/pulse_train/pulse_train.hpp"

namespace kernels::pulse_train {
namespace {

// Change: the pulses into an array, then the noise added to it, as array languages do.
// Cost: none, this is the baseline. The array is written and read again.
void naive(const Real* noise, Real* wave, Real* pulses, std::size_t n, Real amplitude,
           Real period) {
  for (std::size_t i = 0; i < n; ++i) pulses[i] = pulse_at(i, amplitude, period);
  for (std::size_t i = 0; i < n; ++i) wave[i] = pulses[i] + noise[i];
}

// Before: intermediate values are written to memory and read again.
// Change: one loop: they stay in registers (fusion).
// Cost: the steps can no longer be called separately.
void fused(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
           Real period) {
  for (std::size_t i = 0; i < n; ++i) wave[i] = pulse_at(i, amplitude, period) + noise[i];
}

// Before: one element per call of sin; the vector units are idle.
// Change: a branch-free sine, so that one SIMD instruction computes 4 to 16 elements. The loop
// counter is an int, whose conversion is a vector instruction everywhere. A product with 1/P
// replaces the slow division.
// Cost: results differ from the library's in the last bits; arguments must stay below sin_reach.
void simd(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
          Real period) {
  for (std::size_t first = 0; first < n; first += piece) {
    const int count = static_cast<int>(n - first < piece ? n - first : piece);
    vector_pulses(noise + first, wave + first, first, count, amplitude, period);
  }
}

// Before: every line of `wave` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
               Real period) {
  const Lines lines =
      store_ends(wave, n, [=](std::size_t i) { return pulse_at(i, amplitude, period) + noise[i]; });
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_pulses(noise, wave, first, amplitude, period);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "two naive loops on one core, strict IEEE arithmetic, -O3", naive},
      {"fused", "one loop: nothing goes through memory between the steps", fused},
      {"simd", "branch-free sine: full SIMD vectors", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::pulse_train
