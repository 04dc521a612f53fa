// hidden_layer on all cores of the job: a = tanh(g/255 · w), a gray value normalised, weighed and
// activated.
//
// A map with two inputs: equal contiguous parts for the threads. 12 bytes per element in f32, 28
// where two arrays lie between three steps. Cores multiply the arithmetic but share one memory: the
// cheaper the exponential gets, the more the bytes count, and with them fusion.

#include "kernels/hidden_layer/element.hpp"
#include "kernels/hidden_layer/hidden_layer.hpp"
#include "kernels/streaming.hpp"

namespace kernels::hidden_layer {
namespace {

// Here: the plain loops, each divided among the threads.
// Price: starting the team costs microseconds, three times; tiny arrays get slower.
void naive(const Real* gray, const Real* weight, Real* activation, Real* scaled, Real* weighted,
           std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) scaled[i] = gray[i] / 255;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) weighted[i] = scaled[i] * weight[i];
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_formula(weighted[i]);
}

// Above: what a step hands to the next is written to the memory that the cores share.
// Here: one loop: it stays in a register (fusion), and the threads meet once.
// Price: the steps can no longer be called one by one.
void fused(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
           Real* /*weighted*/, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_formula(gray[i] / 255 * weight[i]);
}

// Above: four exponentials are written; a compiler that knows the two pairs for equal calls two.
// Here: e = exp(−2|v|), tanh |v| = (1 − e)/(1 + e): one, right for every v, and v's sign at the
// end.
// Price: a formula that one has to look at twice.
void one_exponential(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
                     Real* /*weighted*/, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) activation[i] = tanh_by_one(gray[i] / 255 * weight[i]);
}

// Above: each core still computes one element at a time.
// Here: threads over the loop and vectors inside each part: `parallel for simd`.
// Price: results differ from the library's in the last bits.
void simd(const Real* gray, const Real* weight, Real* activation, Real* /*scaled*/,
          Real* /*weighted*/, std::size_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) activation[i] = vector_tanh(gray[i] / 255 * weight[i]);
}

// Above: every line of `activation` is read only to be overwritten (write-allocate).
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; the fence is per thread.
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
