// hidden_layer on all cores of the job: a = tanh(g/255 · w), a gray value normalised, weighted and
// activated.
//
// A map with two inputs: equal contiguous parts for the threads. 12 bytes per element in f32, or 28
// with two arrays between three steps. More cores multiply the arithmetic but share one memory. The
// cheaper the exponential is, the more the bytes count, and with them fusion.

#include "kernels/hidden_layer/element.hpp"
#include "kernels/hidden_layer/hidden_layer.hpp"
#include "kernels/streaming.hpp"

namespace kernels::hidden_layer {
namespace {

// Change: the naive loops, each divided among the threads.
// Cost: fork/join takes microseconds, three times, so tiny arrays get slower.
void naive(const Real* gray, const Real* weight, Real* activation, Real* scaled, Real* weighted,
           std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) scaled[i] = gray[i] / 255;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) weighted[i] = scaled[i] * weight[i];
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_formula(weighted[i]);
}

// Before: intermediate values are written to the memory that the cores share.
// Change: one loop: they stay in registers (fusion), with a single fork/join.
// Cost: the steps can no longer be called separately.
void fused(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
           Real* /*weighted*/, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_formula(gray[i] / 255 * weight[i]);
}

// Before: four exponentials in the source. A compiler that recognises the equal pairs calls two.
// Change: e = exp(−2|v|), tanh |v| = (1 − e)/(1 + e): one exponential, valid for every v, and the
// sign of v at the end.
// Cost: a less obvious formula.
void one_exponential(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
                     Real* /*weighted*/, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_one(gray[i] / 255 * weight[i]);
}

// Before: each core still computes one element at a time.
// Change: threads over the loop and SIMD within each part: `parallel for simd`.
// Cost: results differ from the library's in the last bits.
void simd(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
          Real* /*weighted*/, std::size_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) activation[i] = vector_tanh(gray[i] / 255 * weight[i]);
}

// Before: every line of `activation` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
               Real* /*weighted*/, std::size_t n) {
  const auto neuron = [=](std::size_t i) { return vector_tanh(gray[i] / 255 * weight[i]); };
  const Lines lines = store_ends(activation, n, neuron);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_elements(activation, first, neuron);
    }
    stream_fence();
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same three loops, each divided among the threads", naive},
      {"fused", "one loop: nothing goes through memory between the steps", fused},
      {"one_exponential", "tanh from one exponential, right for every argument", one_exponential},
      {"simd", "threads over the loop, vectors inside each part", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::hidden_layer
