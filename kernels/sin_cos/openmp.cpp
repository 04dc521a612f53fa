// sin_cos on all cores of the job: p = sin x · cos y.
//
// A map with two inputs: equal contiguous parts for the threads, 12 bytes per element in f32. More
// cores multiply the arithmetic but share one memory. With library calls it takes many cores to
// reach the memory bandwidth, vectorised a few.

#include <cmath>

#include "harness/simd/math.hpp"
#include "kernels/sin_cos/sin_cos.hpp"
#include "kernels/streaming.hpp"

namespace kernels::sin_cos {
namespace {

// Change: the naive loop, divided among the threads.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* x, const Real* y, Real* product, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) product[i] = std::sin(x[i]) * std::cos(y[i]);
}

// Before: each core still computes one element at a time.
// Change: threads over the loop and SIMD within each part: `parallel for simd`.
// Cost: results differ from the library's in the last bits; angles must stay below sin_reach.
void simd(const Real* x, const Real* y, Real* product, std::size_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) product[i] = vector_sin(x[i]) * vector_cos(y[i]);
}

// Before: every line of `product` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
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
