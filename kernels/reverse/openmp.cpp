// reverse on all cores of the job: out[i] = in[n−1−i].
//
// 8 bytes per element in f32 and no arithmetic: a few cores saturate the memory. A thread writes at
// one end of the arrays what it reads at the other end. On a node with several sockets half of the
// accesses go to the memory of another socket (NUMA).

#include "kernels/reverse/reverse.hpp"
#include "kernels/streaming.hpp"

namespace kernels::reverse {
namespace {

// Change: the naive loop, divided among the threads.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* in, Real* out, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) out[i] = in[n - 1 - i];
}

// Before: every line of `out` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* in, Real* out, std::size_t n) {
  const auto element = [=](std::size_t i) { return in[n - 1 - i]; };
  const Lines lines = store_ends(out, n, element);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (std::size_t first = lines.begin; first < lines.end; first += line) {
      stream_elements(out, first, element);
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

}  // namespace kernels::reverse
