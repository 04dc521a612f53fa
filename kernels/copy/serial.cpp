// copy on one core: out[i] = in[i].
//
// Nothing is computed, so this is the bandwidth reference: workloads that read and write memory
// cannot go faster on this backend. Per element: one load and one store (8 bytes in f32, 16 in
// f64). An ordinary store costs a hidden load: the processor reads a cache line before it changes
// part of it (write-allocate, also called read for ownership).

#include "kernels/copy/copy.hpp"
#include "kernels/streaming.hpp"

namespace kernels::copy {
namespace {

// Change: the naive loop. Compilers may replace it by a call of memcpy, which is fine.
// Cost: none, this is the baseline.
void naive(const Real* in, Real* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = in[i];
}

// Before: every line of `out` is read before it is written (write-allocate), a third of all
// traffic.
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small copies get slower.
void streaming(const Real* in, Real* out, std::size_t n) {
  const Lines lines = store_ends(out, n, [=](std::size_t i) { return in[i]; });
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_line(out + first, in + first);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::copy
