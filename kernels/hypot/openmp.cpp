// hypot on all cores of the job: c = √(a² + b²), also where a² would overflow or underflow.
//
// A map with two inputs: equal contiguous parts for the threads. 12 bytes per element in f32 (two
// loads, one store), a division and a square root. Once vectorised, all cores together saturate the
// memory that they share.

#include <cmath>

#include "kernels/hypot/element.hpp"
#include "kernels/hypot/hypot.hpp"
#include "kernels/streaming.hpp"

namespace kernels::hypot {
namespace {

// Change: the naive loop, divided among the threads.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) c[i] = std::hypot(a[i], b[i]);
}

// Before: each core still computes one element per call.
// Change: threads over the loop and SIMD within each part: `parallel for simd`.
// Cost: three roundings more than the library: an error of up to 2 ulp.
void simd(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::size_t i = 0; i < n; ++i) c[i] = length_of(a[i], b[i]);
}

// Before: every line of `c` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* a, const Real* b, Real* c, std::size_t n) {
  const auto length = [=](std::size_t i) { return length_of(a[i], b[i]); };
  const Lines lines = store_ends(c, n, length);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_elements(c, first, length);
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

}  // namespace kernels::hypot
