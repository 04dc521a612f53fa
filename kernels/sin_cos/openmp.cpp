// sin_cos on all cores of the job: p = sin x · cos y.
//
// A map with two inputs: equal contiguous parts for the threads, 12 bytes per element in f32. More
// cores multiply the arithmetic but share one memory. With library calls it takes many cores to
// reach the memory bandwidth, vectorised a few.

#include <cmath>

#include "kernels/sin_cos/element.hpp"
#include "kernels/sin_cos/sin_cos.hpp"

namespace kernels::sin_cos {
namespace {

// Change: the naive loop, divided among the threads.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* x, const Real* y, Real* product, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) product[i] = std::sin(x[i]) * std::cos(y[i]);
}

// Before: each core still computes one element at a time.
// Change: threads over chunks of the loop and SIMD within each.
// Cost: results differ from the library's in the last bits. A chunk with an angle beyond 8000 in
// f32 takes the library's time.
void simd(const Real* x, const Real* y, Real* product, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t first = 0; first < n; first += chunk) {
    store_chunk(product, first, end_of_chunk(first, n), Map{x, y});
  }
}

// Before: every line of `product` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* x, const Real* y, Real* product, std::size_t n) {
  const Map map{x, y};
  const Lines lines = store_ends(product, n, [=](std::size_t i) { return map.library(i); });
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += chunk) {
      stream_chunk(product, first, end_of_chunk(first, lines.end), map);
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
