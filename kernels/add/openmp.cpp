// add on all cores of the job: c = a + b.
//
// The kernel of a first lesson, and the bandwidth reference of workloads that read two arrays and
// write one. 12 bytes per element in f32 (two loads, one store) and one addition: memory bandwidth
// is the limit, and a few cores saturate it. Arrays that fit in the caches differ: there fork/join
// takes longer than the work.

#include "kernels/add/add.hpp"
#include "kernels/streaming.hpp"

namespace kernels::add {
namespace {

// Change: the naive loop, its iterations divided among the threads in equal contiguous parts.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* a, const Real* b, Real* c, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
}

// Before: every line of `c` is read before it is written (write-allocate), a quarter of all
// traffic.
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* a, const Real* b, Real* c, std::size_t n) {
  const auto sum = [=](std::size_t i) { return a[i] + b[i]; };
  const Lines lines = store_ends(c, n, sum);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_elements(c, first, sum);
    }
    stream_fence();
  }
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
