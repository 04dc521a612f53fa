// reverse on one core: out[i] = in[n−1−i].
//
// 8 bytes per element in f32 and no arithmetic: memory bound as copying is. Addresses that fall are
// as good as addresses that rise, for the caches and for the hardware prefetcher; within a vector a
// shuffle turns the elements round, which the compiler writes by itself.

#include "kernels/reverse/reverse.hpp"
#include "kernels/streaming.hpp"

namespace kernels::reverse {
namespace {

// Here: the loop as one writes it; compilers load whole vectors and turn them round in registers.
// Price: every line of `out` is read only to be overwritten (write-allocate).
void naive(const Real* in, Real* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = in[n - 1 - i];
}

// Above: 12 bytes moved in f32, of which 8 are needed.
// Here: the results of one cache line at a time, by streaming (non-temporal) stores.
// Price: the results are in no cache afterwards; small arrays get slower.
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
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::reverse
