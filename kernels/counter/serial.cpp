// counter on one core: how many x[i] < ½.
//
// Reads 4 bytes per element in f32, compares, and adds 0 or 1. Whole numbers may be added in any
// order, so compilers turn the loop into vectors: a comparison gives a mask, which is subtracted
// from a vector of counters in one cycle. Nothing is left that takes as long as the bytes: the loop
// is memory bound, by what one core has in flight. On one core a counter is no difficulty at all;
// it becomes one when it is shared.

#include "kernels/counter/counter.hpp"
#include "kernels/counter/streams.hpp"

namespace kernels::counter {
namespace {

// Here: the plain loop; a comparison is added as 0 or 1, so there is no branch to guess.
// Price: nothing; this is the baseline.
void naive(const Real* x, std::size_t n, Real threshold, Count* count) {
  Count counted = 0;
  for (std::size_t i = 0; i < n; ++i) counted += x[i] < threshold ? 1U : 0U;
  count[0] = counted;
}

// Above: one stream of lines: where a page ends the hardware prefetcher has to start again.
// Here: four streams, a quarter of the array each: while one starts again, the requests of the
// others are in flight.
// Price: four pages in use at the same time.
void streams(const Real* x, std::size_t n, Real threshold, Count* count) {
  count[0] = count_in_streams(x, n, threshold);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, -O3", naive},
      {"streams", "four streams: one goes on while another meets the end of a page", streams},
  };
  return ladder;
}

}  // namespace kernels::counter
