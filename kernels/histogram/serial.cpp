// histogram on one core: how many elements fall into each of `bins` equal bins over [lo, hi).
//
// The reads are easy: 4 bytes per element in f32, in order. The counting is the difficulty: where
// to count depends on the data, so the loop is a chain of load, add and store on a few addresses,
// and no vector instruction does that safely. Who counts into the same bin twice in a row needs the
// value of a store that has not reached the cache: store forwarding hands it on, at a latency of
// some cycles, in which independent counters would get on.

#include "kernels/histogram/bins.hpp"
#include "kernels/histogram/histogram.hpp"

namespace kernels::histogram {
namespace {

// Here: the plain loop over one table.
// Price: nothing; this is the baseline. Equal neighbours wait for the latency of store forwarding;
// an x outside is a branch misprediction.
void naive(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] >= lo && x[i] < hi) ++counts[bin_of(x[i], lo, scale, bins)];
  }
}

// Above: with few bins neighbours often meet in one counter: a dependency, bound by latency.
// Here: four private tables in turn, added up at the end: neighbours never meet, and throughput is
// the limit.
// Price: four times the table in the cache, and the final sum.
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

/// Counts into so many tables in turn.
template <std::size_t tables, std::size_t most_bins>
inline void count_in_tables(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo,
                            Real hi) {
  TablesInTurn<tables, most_bins> mine(bins, lo, hi);
  for (std::size_t first = 0; first < n - n % together; first += together) mine.count(x + first);
  mine.add_to(counts);
}

// Above: each bin is computed by itself, and an x outside costs a branch misprediction.
// Here: the bins of 256 bytes are computed as vectors, without branches, while those before are
// counted, into four tables in turn, so that equal neighbours do not wait for store forwarding.
// Price: two short lists and four tables in the nearest cache; for more than 1024 bins one table.
void vector_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
  (bins <= few_bins ? count_in_tables<4, few_bins> : count_in_tables<1, max_bins>)(x, n, counts,
                                                                                   bins, lo, hi);
  for (std::size_t i = n - n % together; i < n; ++i) {
    if (x[i] >= lo && x[i] < hi) ++counts[bin_of(x[i], lo, scale, bins)];
  }
}

// Above: each element costs a load, an addition and a store of its counter: scalar instructions
// that bound the throughput.
// Here: few bins are not looked up at all. The bins of 2048 elements are kept as bytes, and each
// bin is counted by comparing whole vectors of them; meanwhile the next elements are prefetched.
// Price: work that grows with the bins: more than 32 are counted as above.
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
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"private_bins", "four tables in turn: neighbours never wait for each other", private_bins},
      {"vector_bins", "bins computed as vectors, then counted into four tables in turn",
       vector_bins},
      {"byte_compare", "few bins: whole vectors compared with each bin in turn", byte_compare},
  };
  return ladder;
}

}  // namespace kernels::histogram
