// hidden_layer on one core: a = tanh(g/255 · w). A gray value g is normalised, weighted and
// activated. There is one weight per neuron, so nothing is summed.
//
// A map with two inputs: 12 bytes per element in f32 (two loads, one store). It computes a division
// and the exponentials of tanh v = (eᵛ − e⁻ᵛ)/(eᵛ + e⁻ᵛ). Written as three steps over whole arrays
// it moves 28 bytes. Fusion makes one loop of them. On one core the exponentials take longer than
// either: compute bound, until they are vectorised.

#include "kernels/hidden_layer/element.hpp"
#include "kernels/hidden_layer/hidden_layer.hpp"
#include "kernels/streaming.hpp"

namespace kernels::hidden_layer {
namespace {

// Change: one loop per step, with an array between two steps, as array languages do.
// Cost: two arrays are written and read again; NaN (∞/∞) for |v| > 88 in f32.
void naive(const Real* gray, const Real* weight, Real* activation, Real* scaled, Real* weighted,
           std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) scaled[i] = gray[i] / 255;
  for (std::size_t i = 0; i < n; ++i) weighted[i] = scaled[i] * weight[i];
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_formula(weighted[i]);
}

// Before: intermediate values are written to memory and read again.
// Change: one loop: they stay in registers (fusion).
// Cost: the steps can no longer be called separately.
void fused(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
           Real* /*weighted*/, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_formula(gray[i] / 255 * weight[i]);
}

// Before: four exponentials in the source. A compiler that recognises the equal pairs calls two.
// Change: e = exp(−2|v|), tanh |v| = (1 − e)/(1 + e): one exponential, valid for every v, and the
// sign of v at the end.
// Cost: a less obvious formula.
void one_exponential(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
                     Real* /*weighted*/, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_one(gray[i] / 255 * weight[i]);
}

// Before: one element per call of exp; the vector units are idle.
// Change: a branch-free exp, so that one SIMD instruction computes 4 to 16 elements.
// Cost: results differ from the library's in the last bits.
void simd(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
          Real* /*weighted*/, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) activation[i] = vector_tanh(gray[i] / 255 * weight[i]);
}

// Before: every line of `activation` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
               Real* /*weighted*/, std::size_t n) {
  const auto neuron = [=](std::size_t i) { return vector_tanh(gray[i] / 255 * weight[i]); };
  const Lines lines = store_ends(activation, n, neuron);
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_elements(activation, first, neuron);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "three naive loops on one core, strict IEEE arithmetic, -O3", naive},
      {"fused", "one loop: nothing goes through memory between the steps", fused},
      {"one_exponential", "tanh from one exponential, right for every argument", one_exponential},
      {"simd", "branch-free exp: full SIMD vectors", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::hidden_layer
