// histogram on one core: how many elements fall into each of `bins` equal bins over [lo, hi).
//
// The reads are easy: 4 bytes per element in f32, in order. The counting is the difficulty: where
// to count depends on the data, so the loop is a chain of load, add and store on a few addresses,
// and no vector instruction does that safely. Whoever counts into the same bin twice in a row waits
// for the first store to finish.

#include "harness/simd/target.hpp"
#include "kernels/histogram/histogram.hpp"

namespace kernels::histogram {
namespace {

/// The bin of an x in [lo, hi); rounding may give `bins`, which belongs to the last one.
inline std::size_t bin_of(Real x, Real lo, Real scale, std::size_t bins) {
  const auto bin = static_cast<Count>((x - lo) * scale);
  return bin < bins ? bin : bins - 1;
}

// Here: the plain loop over one table.
// Price: nothing; this is the baseline. Equal neighbours wait for each other's store.
void naive(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] >= lo && x[i] < hi) ++counts[bin_of(x[i], lo, scale, bins)];
  }
}

// Above: with few bins neighbours often meet in one counter, and one waits for the other's store.
// Here: four private tables in turn, added up at the end: neighbours never meet.
// Price: four times the table in the cache, and the final sum.
void private_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  Count tables[4][max_bins + 256];  // a pitch that keeps equal bins apart in the cache
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

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the plain loop on one core, strict IEEE arithmetic, -O3", naive},
      {"private_bins", "four tables in turn: neighbours never wait for each other", private_bins},
  };
  return ladder;
}

}  // namespace kernels::histogram
