// counter on one core: how many x[i] < ½.
//
// It reads 4 bytes per element in f32, compares, and adds 0 or 1. Integers may be added in any
// order, so compilers vectorise the loop. A comparison gives a mask, which is subtracted from a
// vector of counters in one cycle. So the loop is memory bound, limited by the loads that one core
// keeps in flight. A counter becomes difficult only when threads share it.

#include "kernels/counter/counter.hpp"
#include "kernels/counter/streams.hpp"

namespace kernels::counter {
namespace {

// Change: the naive loop. A comparison is added as 0 or 1, without a branch to mispredict.
// Cost: none, this is the baseline.
void naive(const Real* x, std::size_t n, Real threshold, Count* count) {
  Count counted = 0;
  for (std::size_t i = 0; i < n; ++i) counted += x[i] < threshold ? 1U : 0U;
  count[0] = counted;
}

// Before: one stream of lines: the hardware prefetcher restarts at each page.
// Change: four streams, a quarter of the array each: while one restarts, the loads of the others
// are in flight.
// Cost: four pages in use at the same time.
void streams(const Real* x, std::size_t n, Real threshold, Count* count) {
  count[0] = count_in_streams(x, n, threshold);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, -O3", naive},
      {"streams", "four streams: one continues while another crosses a page", streams},
  };
  return ladder;
}

}  // namespace kernels::counter
