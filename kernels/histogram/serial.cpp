// histogram on one core: how many elements fall into each of `bins` equal bins over [lo, hi).
//
// The reads are easy: 4 bytes per element in f32, in order. The counters are difficult, since their
// addresses depend on the data. The loop is a chain of loads, additions and stores that cannot be
// vectorised safely. Incrementing the same bin twice in a row must wait for store forwarding, which
// takes some cycles. Independent counters do not wait.

#include "kernels/histogram/bins.hpp"
#include "kernels/histogram/histogram.hpp"

namespace kernels::histogram {
namespace {

// Change: the naive loop over one table.
// Cost: none, this is the baseline. Equal neighbours wait for store forwarding; an x outside is a
// branch misprediction.
void naive(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] >= lo && x[i] < hi) ++counts[bin_of(x[i], lo, scale, bins)];
  }
}

// Before: with few bins neighbours often update the same counter: a dependency, bound by latency.
// Change: four private tables in turn, added at the end. Neighbours are independent, and throughput
// is the limit.
// Cost: four times the table in the cache, and the final sum.
void private_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  Count tables[4][max_bins + 256];  // the pitch keeps equal bins out of one cache set, 4K aliasing
  for (auto& table : tables) {
    for (std::size_t b = 0; b < bins; ++b) table[b] = 0;
  }
  for (std::size_t i = 0; i < n; i += 4) {
    const std::size_t in_turn = n - i < 4 ? n - i : 4;
    for (std::size_t t = 0; t < in_turn; ++t) {
      const Real value = x[i + t];
      if (value >= lo && value < hi) ++tables[t][bin_of(value, lo, scale, bins)];
    }
  }
  for (std::size_t b = 0; b < bins; ++b) {
    counts[b] = tables[0][b] + tables[1][b] + tables[2][b] + tables[3][b];
  }
}

/// Counts into this number of tables in turn.
template <std::size_t tables, std::size_t most_bins>
inline void count_in_tables(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo,
                            Real hi) {
  TablesInTurn<tables, most_bins> mine(bins, lo, hi);
  for (std::size_t first = 0; first < n - n % together; first += together) mine.count(x + first);
  mine.add_to(counts);
}

// Before: bins are computed one at a time, and an x outside is a branch misprediction.
// Change: compute the bins of 256 bytes by SIMD, without branches, while the ones before are
// counted. Four tables in turn avoid waits for store forwarding.
// Cost: two short lists and four tables in the L1 cache; one table for more than 1024 bins.
void vector_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
  (bins <= few_bins ? count_in_tables<4, few_bins> : count_in_tables<1, max_bins>)(x, n, counts,
                                                                                   bins, lo, hi);
  for (std::size_t i = n - n % together; i < n; ++i) {
    if (x[i] >= lo && x[i] < hi) ++counts[bin_of(x[i], lo, scale, bins)];
  }
}

// Before: each element costs a load, an addition and a store: scalar instructions limit the
// throughput.
// Change: for few bins, keep the bins of 2048 elements as bytes, and count each bin by comparing
// whole vectors of them. The next elements are prefetched.
// Cost: work that grows with the bins; more than 32 bins take the variant before.
void byte_compare(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  if (bins > worth_comparing) return vector_bins(x, n, counts, bins, lo, hi);
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  Count found[worth_comparing] = {};
  std::size_t first = 0;
  for (; first + chunk <= n; first += chunk) {
    unsigned char bin[chunk];
    for (std::size_t part = 0; part < chunk; part += together) {
      std::int32_t wide[together];
      const Real* const next = x + first + chunk + part;
      for (std::size_t i = 0; i < together; i += 64 / sizeof(Real)) __builtin_prefetch(next + i);
      bins_of(x + first + part, wide, static_cast<std::int32_t>(bins), lo, hi);
      for (std::size_t i = 0; i < together; ++i) {
        bin[part + i] = static_cast<unsigned char>(wide[i]);
      }
    }
    for (std::size_t b = 0; b < bins; b += 4) count_four(bin, b, found);
  }
  for (; first < n; ++first) {
    if (x[first] >= lo && x[first] < hi) ++found[bin_of(x[first], lo, scale, bins)];
  }
  for (std::size_t b = 0; b < bins; ++b) counts[b] = found[b];
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"private_bins", "four interleaved tables: neighbours never wait for each other",
       private_bins},
      {"vector_bins", "bins computed as vectors, then counted into four interleaved tables",
       vector_bins},
      {"byte_compare", "few bins: full SIMD vectors compared with each bin in turn", byte_compare},
  };
  return ladder;
}

}  // namespace kernels::histogram
