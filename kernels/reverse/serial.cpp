// reverse on one core: out[i] = in[n−1−i].
//
// 8 bytes per element in f32 and no arithmetic: memory bound like copy. Decreasing addresses are as
// good as increasing ones for the caches and for the hardware prefetcher. Within a vector a shuffle
// reverses the elements, which compilers generate.

#include "kernels/reverse/reverse.hpp"
#include "kernels/streaming.hpp"

namespace kernels::reverse {
namespace {

// Change: the naive loop; compilers load whole vectors and reverse them in registers.
// Cost: none, this is the baseline. Every line of `out` is read only to be overwritten
// (write-allocate).
void naive(const Real* in, Real* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = in[n - 1 - i];
}

// Before: 12 bytes moved in f32, of which 8 are needed (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* in, Real* out, std::size_t n) {
  const auto element = [=](std::size_t i) { return in[n - 1 - i]; };
  const Lines lines = store_ends(out, n, element);
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_elements(out, first, element);
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

}  // namespace kernels::reverse
