// hidden_layer on one core: a = tanh(g/255 · w). A gray value g is normalised, weighed and
// activated; one weight per neuron, so nothing is summed.
//
// A map with two inputs: 12 bytes per element in f32 (two loads, one store), a division and the
// exponentials of tanh v = (eᵛ − e⁻ᵛ)/(eᵛ + e⁻ᵛ). Written as three steps, each over whole arrays,
// it moves 28 bytes; fusion makes one loop of them. On a single core the exponentials take longer
// than either: compute bound, until they run on vectors.

#include "kernels/hidden_layer/element.hpp"
#include "kernels/hidden_layer/hidden_layer.hpp"
#include "kernels/streaming.hpp"

namespace kernels::hidden_layer {
namespace {

// Here: a loop for each step, with an array for what it hands to the next, as array languages do.
// Price: two arrays go through memory and back; NaN (∞/∞) for |v| > 88 in f32.
void naive(const Real* gray, const Real* weight, Real* activation, Real* scaled, Real* weighted,
           std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) scaled[i] = gray[i] / 255;
  for (std::size_t i = 0; i < n; ++i) weighted[i] = scaled[i] * weight[i];
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_formula(weighted[i]);
}

// Above: what a step hands to the next is written to memory and read again.
// Here: one loop: it stays in a register (fusion).
// Price: the steps can no longer be called one by one.
void fused(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
           Real* /*weighted*/, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_formula(gray[i] / 255 * weight[i]);
}

// Above: four exponentials are written; a compiler that knows the two pairs for equal calls two.
// Here: e = exp(−2|v|), tanh |v| = (1 − e)/(1 + e): one, right for every v, and v's sign at the
// end.
// Price: a formula that one has to look at twice.
void one_exponential(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
                     Real* /*weighted*/, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_one(gray[i] / 255 * weight[i]);
}

// Above: one element per call of exp; the vector units do nothing.
// Here: an exp without branches, so that one instruction (SIMD) works on 4 to 16 elements.
// Price: results differ from the library's in the last bits.
void simd(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
          Real* /*weighted*/, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) activation[i] = vector_tanh(gray[i] / 255 * weight[i]);
}

// Above: every line of `activation` is read only to be overwritten (write-allocate).
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; small arrays get slower.
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
      {"naive", "three plain loops on one core, strict IEEE arithmetic, -O3", naive},
      {"fused", "one loop: nothing goes through memory between the steps", fused},
      {"one_exponential", "tanh from one exponential, right for every argument", one_exponential},
      {"simd", "branch-free exp: whole vectors at a time", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::hidden_layer
