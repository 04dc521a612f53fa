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

constexpr std::size_t together = 128;  // elements

/// The bins of `together` elements; of those outside of [lo, hi), the one behind the last.
inline void bins_of(const Real* x, std::int32_t* bin, std::int32_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
#pragma omp simd
  for (std::size_t i = 0; i < together; ++i) {
    const bool inside = x[i] >= lo && x[i] < hi;
    const auto b = static_cast<std::int32_t>(inside ? (x[i] - lo) * scale : 0);
    bin[i] = inside ? (b < bins ? b : bins - 1) : bins;
  }
}

// Above: each element's bin is computed by itself, and one that is outside costs a wrong guess.
// Here: the bins of 128 elements are computed as vectors, without branches; then they are counted,
// into eight tables in turn, so that equal neighbours do not wait for each other's store.
// Price: a short list in the nearest cache, and eight tables: more than 1024 bins are left to the
// variant above.
void vector_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  constexpr std::size_t tables = 8;
  constexpr std::size_t few_bins = 1024;
  if (bins > few_bins) return private_bins(x, n, counts, bins, lo, hi);
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  Count table[tables][few_bins + 64];  // a pitch that keeps equal bins apart in the cache
  for (auto& one : table) __builtin_memset(one, 0, (bins + 1) * sizeof *one);
  std::size_t first = 0;
  for (; first + together <= n; first += together) {
    std::int32_t bin[together];
    bins_of(x + first, bin, static_cast<std::int32_t>(bins), lo, hi);
    for (std::size_t i = 0; i < together; i += tables) {
      for (std::size_t t = 0; t < tables; ++t) ++table[t][bin[i + t]];
    }
  }
  for (; first < n; ++first) {
    if (x[first] >= lo && x[first] < hi) ++table[0][bin_of(x[first], lo, scale, bins)];
  }
  for (std::size_t b = 0; b < bins; ++b) {
    counts[b] = 0;
    for (const auto& one : table) counts[b] += one[b];
  }
}

constexpr std::size_t chunk = 16 * together;  // elements whose bins are kept as bytes
constexpr std::size_t worth_comparing = 32;   // bins

/// How often each of four numbers, from `first` on, occurs among the bytes of a chunk.
inline void count_four(const unsigned char* bin, std::size_t first, Count* counts) {
  constexpr std::size_t lanes = 64;  // of a vector; each counts up to chunk / lanes
  unsigned char found[4][lanes] = {};
  for (std::size_t begin = 0; begin < chunk; begin += lanes) {
    for (std::size_t b = 0; b < 4; ++b) {
      const auto wanted = static_cast<unsigned char>(first + b);
#pragma omp simd
      for (std::size_t i = 0; i < lanes; ++i) {
        found[b][i] = static_cast<unsigned char>(found[b][i] + (bin[begin + i] == wanted));
      }
    }
  }
  for (std::size_t b = 0; b < 4; ++b) {
    for (const unsigned char one : found[b]) counts[first + b] += one;
  }
}

// Above: each element costs a load, an addition and a store of its counter, one after the other.
// Here: few bins are not looked up at all. The bins of 2048 elements are kept as bytes, and each
// bin is counted by comparing whole vectors of them; meanwhile the next elements are asked for.
// Price: work that grows with the bins: more than 32 are counted as above.
void compared(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
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
      {"vector_bins", "bins computed as vectors, then counted into eight tables in turn",
       vector_bins},
      {"compared", "few bins: whole vectors compared with each bin in turn", compared},
  };
  return ladder;
}

}  // namespace kernels::histogram
