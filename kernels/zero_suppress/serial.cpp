// zero_suppress on one core: out[i] = in[i] < threshold ? 0 : in[i].
//
// 4 bytes per element in i16, 8 in f32, 16 in f64, and one comparison: memory bound like copy. The
// narrower the type, the more elements come with each cache line. The `if` is not a branch:
// compilers make a mask of the comparison and an "and", so nothing can be mispredicted.

#include "kernels/streaming.hpp"
#include "kernels/zero_suppress/suppressed.hpp"
#include "kernels/zero_suppress/zero_suppress.hpp"

namespace kernels::zero_suppress {
namespace {

// Change: the naive loop; compilers compare and mask whole vectors.
// Cost: none, this is the baseline. Every line of `out` is read only to be overwritten
// (write-allocate).
void naive(const Real* in, Real* out, std::size_t n, Real threshold) {
  for (std::size_t i = 0; i < n; ++i) out[i] = suppressed(in[i], threshold);
}

// Before: three bytes moved for every two that are needed (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* in, Real* out, std::size_t n, Real threshold) {
  const auto element = [=](std::size_t i) { return suppressed(in[i], threshold); };
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

}  // namespace kernels::zero_suppress
