// add on one core: c = a + b.
//
// The yardstick of workloads that read two arrays and write one: the memory sees three streams, and
// gives a little less than to the two of a copy. 12 bytes per element in f32, one addition.

#include "harness/simd/stream.hpp"
#include "harness/simd/target.hpp"
#include "kernels/add/add.hpp"

namespace kernels::add {
namespace {

// Here: the plain loop, which the compiler turns into vectors.
// Price: nothing; this is the baseline.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

// Above: every line of `c` is read before it is written, a third of all traffic.
// Here: whole lines are written with streaming stores, which go past the caches.
// Price: the result is not in any cache afterwards; small arrays get slower.
void streaming(const Real* a, const Real* b, Real* c, std::size_t n) {
  constexpr std::size_t step = cache_line / sizeof(Real);
  const std::size_t before = elements_before_line(c);
  const std::size_t head = before < n ? before : n;
  std::size_t i = 0;
  for (; i < head; ++i) c[i] = a[i] + b[i];
  for (; i + step <= n; i += step) {
    alignas(cache_line) Real sums[step];
#pragma omp simd
    for (std::size_t k = 0; k < step; ++k) sums[k] = a[i + k] + b[i + k];
    stream_line(c + i, sums);
  }
  for (; i < n; ++i) c[i] = a[i] + b[i];
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::add
