// sin_cos on all cores of the job: p = sin x · cos y.
//
// A map with two inputs: equal contiguous parts for the threads, 12 bytes per element in f32. Cores
// multiply the arithmetic but share one memory: with calls of the library it takes many of them to
// reach the memory bandwidth, with vectors a few.

#include <cmath>

#include "harness/simd/math.hpp"
#include "kernels/sin_cos/sin_cos.hpp"
#include "kernels/streaming.hpp"

namespace kernels::sin_cos {
namespace {

// Here: the plain loop, divided among the threads.
// Price: starting the team costs microseconds; tiny arrays get slower.
void naive(const Real* x, const Real* y, Real* product, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) product[i] = std::sin(x[i]) * std::cos(y[i]);
}

// Above: each core still computes one element at a time.
// Here: threads over the loop and vectors inside each part: `parallel for simd`.
// Price: results differ from the library's in the last bits; angles must stay below sin_reach.
void simd(const Real* x, const Real* y, Real* product, std::size_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) product[i] = vector_sin(x[i]) * vector_cos(y[i]);
}

// Above: every line of `product` is read only to be overwritten (write-allocate).
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; the fence is per thread.
void streaming(const Real* x, const Real* y, Real* product, std::size_t n) {
  const auto element = [=](std::size_t i) { return vector_sin(x[i]) * vector_cos(y[i]); };
  const Lines lines = store_ends(product, n, element);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_elements(product, first, element);
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

}  // namespace kernels::sin_cos
