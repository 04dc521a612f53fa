// add on all cores of the job: c = a + b.
//
// The yardstick of the openmp backend for workloads that read two arrays and write one. 12 bytes
// per element in f32 (two loads, one store), one addition: nothing but the memory can be the limit.

#include "harness/simd/stream.hpp"
#include "harness/simd/target.hpp"
#include "kernels/add/add.hpp"

namespace kernels::add {
namespace {

// Here: the plain loop, its iterations divided among the threads in equal contiguous parts.
// Price: starting the team costs microseconds; tiny arrays get slower.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

// Above: every line of `c` is read before it is written, a third of all traffic.
// Here: whole lines are written with streaming stores, which go past the caches.
// Price: the result is not in any cache afterwards; the fence is per thread.
void streaming(const Real* a, const Real* b, Real* c, std::size_t n) {
  constexpr std::size_t step = cache_line / sizeof(Real);
  const std::size_t before = elements_before_line(c);
  const std::size_t head = before < n ? before : n;
  const std::size_t lines = (n - head) / step;
  for (std::size_t i = 0; i < head; ++i) c[i] = a[i] + b[i];
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t line = 0; line < lines; ++line) {
      alignas(cache_line) Real sums[step];
      const std::size_t first = head + line * step;
#pragma omp simd
      for (std::size_t i = 0; i < step; ++i) sums[i] = a[first + i] + b[first + i];
      stream_line(c + first, sums);
    }
    stream_fence();
  }
  for (std::size_t i = head + lines * step; i < n; ++i) c[i] = a[i] + b[i];
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads", naive},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::add
