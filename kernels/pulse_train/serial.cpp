// pulse_train on one core: w[i] = A·max(sin(i/P) − 0.3, 0) + noise[i]. Pulses of a height A, one
// every 2π·P elements, on a noisy line.
//
// A map whose second input is the index itself, which is known and need not be loaded: 8 bytes per
// element in f32 (one load, one store), a division and a sine. Written as two steps, each over
// whole arrays, it moves 16 bytes; fusion makes one loop of them. On a single core the sine takes
// longer than either: compute bound, until it runs on vectors.

#include "kernels/pulse_train/element.hpp"
#include "kernels/pulse_train/pulse_train.hpp"

namespace kernels::pulse_train {
namespace {

// Here: the pulses into an array, then the noise added to it, as array languages do.
// Price: the array goes through memory and back.
void naive(const Real* noise, Real* wave, Real* pulses, std::size_t n, Real amplitude,
           Real period) {
  for (std::size_t i = 0; i < n; ++i) pulses[i] = pulse_at(i, amplitude, period);
  for (std::size_t i = 0; i < n; ++i) wave[i] = pulses[i] + noise[i];
}

// Above: what a step hands to the next is written to memory and read again.
// Here: one loop: it stays in a register (fusion).
// Price: the steps can no longer be called one by one.
void fused(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
           Real period) {
  for (std::size_t i = 0; i < n; ++i) wave[i] = pulse_at(i, amplitude, period) + noise[i];
}

// Above: one element per call of sin; the vector units do nothing.
// Here: a sine without branches, so that one instruction (SIMD) works on 4 to 16 elements. The loop
// counts in int, whose conversion to floating point is a vector instruction everywhere.
// The quotient has become a product with 1/P, since a vector division takes a dozen cycles.
// Price: results differ from the library's in the last bits; arguments must stay below sin_reach.
void simd(const Real* noise, Real* wave, Real* /*pulses*/, std::size_t n, Real amplitude,
          Real period) {
  for (std::size_t first = 0; first < n; first += piece) {
    const int count = static_cast<int>(n - first < piece ? n - first : piece);
    vector_pulses(noise + first, wave + first, first, count, amplitude, period);
  }
}

// Above: every line of `wave` is read only to be overwritten (write-allocate).
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; small arrays get slower.
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
      {"naive", "two plain loops on one core, strict IEEE arithmetic, -O3", naive},
      {"fused", "one loop: nothing goes through memory between the steps", fused},
      {"simd", "branch-free sine: whole vectors at a time", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::pulse_train
