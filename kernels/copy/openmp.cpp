// copy on all cores of the job: out[i] = in[i].
//
// One core rarely saturates the memory of its socket. The cache misses that it keeps in flight are
// limited, and each takes the memory latency. All cores together do saturate it. This is the
// bandwidth reference of the openmp backend: an upper bound for workloads that read and write
// memory. Per element: one load and one store (8 bytes in f32, 16 in f64).

#include "kernels/copy/copy.hpp"
#include "kernels/streaming.hpp"

namespace kernels::copy {
namespace {

// Change: the naive loop, its iterations divided among the threads in equal contiguous parts.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* in, Real* out, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

// Before: every line of `out` is read before it is written (write-allocate), a third of all
// traffic.
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* in, Real* out, std::size_t n) {
  const Lines lines = store_ends(out, n, [=](std::size_t i) { return in[i]; });
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_line(out + first, in + first);
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

}  // namespace kernels::copy
