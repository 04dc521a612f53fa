// histogram on all cores by the parallel algorithms of C++: how many elements fall into each of
// `bins` equal bins.
//
// The standard has no array reduction. Counters are shared through std::atomic_ref, and the policy
// must be `par`: par_unseq forbids atomics and locks, because elements of one vector could wait for
// each other.

#include <algorithm>
#include <atomic>
#include <execution>

#include "kernels/histogram/bins.hpp"
#include "kernels/histogram/histogram.hpp"
#include "kernels/indices.hpp"

namespace kernels::histogram {
namespace {

void add_to(Count& counter, Count count) {
  std::atomic_ref(counter).fetch_add(count, std::memory_order_relaxed);
}

// Change: the naive loop as std::for_each, with atomic additions to one table.
// Cost: an atomic addition takes some 20 cycles, and many more under contention.
void naive(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
  std::for_each(std::execution::par, x, x + n, [=](Real value) {
    if (value >= lo && value < hi) add_to(counts[bin_of(value, lo, scale, bins)], 1);
  });
}

constexpr std::size_t parts = 64;  // more than there are threads, mostly

// Before: all threads add to one table, whose cache lines move from core to core.
// Change: parts of the elements with a private table each, which is added to the result at the end.
// Cost: the number of threads is not known: there are more tables to add than threads.
void private_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
  std::for_each(std::execution::par, Index(0), Index(parts), [=](std::size_t part) {
    Count mine[max_bins];
    for (std::size_t b = 0; b < bins; ++b) mine[b] = 0;
    for (std::size_t i = n * part / parts; i < n * (part + 1) / parts; ++i) {
      if (x[i] >= lo && x[i] < hi) ++mine[bin_of(x[i], lo, scale, bins)];
    }
    for (std::size_t b = 0; b < bins; ++b) add_to(counts[b], mine[b]);
  });
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> stdpar<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop as std::for_each; shared atomic counters", naive},
      {"private_bins", "one table per part, added up at the end", private_bins},
  };
  return ladder;
}

}  // namespace kernels::histogram
