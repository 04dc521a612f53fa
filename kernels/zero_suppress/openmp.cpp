// zero_suppress on all cores of the job: out[i] = in[i] < threshold ? 0 : in[i].
//
// 4 bytes per element in i16 and one comparison: a few cores saturate the memory.

#include "kernels/streaming.hpp"
#include "kernels/zero_suppress/suppressed.hpp"
#include "kernels/zero_suppress/zero_suppress.hpp"

namespace kernels::zero_suppress {
namespace {

// Change: the naive loop, divided among the threads.
// Cost: fork/join takes microseconds, so tiny arrays get slower.
void naive(const Real* in, Real* out, std::size_t n, Real threshold) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) out[i] = suppressed(in[i], threshold);
}

// Before: every line of `out` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache; each thread needs a fence.
void streaming(const Real* in, Real* out, std::size_t n, Real threshold) {
  const auto element = [=](std::size_t i) { return suppressed(in[i], threshold); };
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

}  // namespace kernels::zero_suppress
