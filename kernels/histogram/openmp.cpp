// histogram on all cores of the job: how many elements fall into each of `bins` equal bins.
//
// The elements are independent but the counters are not: two threads that add to one counter at the
// same time lose a count. Per element: 4 bytes read in f32, and one update of a place that the data
// decide. Keeping the threads out of each other's cache lines is worth more than anything else.

#include "harness/simd/target.hpp"
#include "kernels/histogram/histogram.hpp"

namespace kernels::histogram {
namespace {

/// The bin of an x in [lo, hi); rounding may give `bins`, which belongs to the last one.
inline std::size_t bin_of(Real x, Real lo, Real scale, std::size_t bins) {
  const auto bin = static_cast<Count>((x - lo) * scale);
  return bin < bins ? bin : bins - 1;
}

// Here: the plain loop, divided among the threads; each addition to the shared table is atomic.
// Price: an atomic addition costs some 20 cycles, and many more while cores fight over its line.
void naive(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] >= lo && x[i] < hi) {
#pragma omp atomic
      ++counts[bin_of(x[i], lo, scale, bins)];
    }
  }
}

// Above: all threads add to one table, whose cache lines travel from core to core.
// Here: a private table for each thread (OpenMP's array reduction), added up at the end.
// Price: a table per thread on its stack; the sum grows with threads × bins.
void private_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
#pragma omp parallel for schedule(static) reduction(+ : counts[:bins])
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] >= lo && x[i] < hi) ++counts[bin_of(x[i], lo, scale, bins)];
  }
}

constexpr std::size_t together = 128;  // elements
constexpr std::size_t few_bins = 1024;

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

/// Counts into so many tables in turn for each thread.
template <std::size_t tables, std::size_t most_bins>
inline void count_in_turn(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo,
                          Real hi) {
#pragma omp parallel
  {
    Count table[tables][most_bins + 64];  // a pitch that keeps equal bins apart in the cache
    for (auto& one : table) __builtin_memset(one, 0, (bins + 1) * sizeof *one);
#pragma omp for schedule(static)
    for (std::size_t first = 0; first < n - n % together; first += together) {
      std::int32_t bin[together];
      bins_of(x + first, bin, static_cast<std::int32_t>(bins), lo, hi);
      for (std::size_t i = 0; i < together; i += tables) {
        for (std::size_t t = 0; t < tables; ++t) ++table[t][bin[i + t]];
      }
    }
    for (std::size_t t = 1; t < tables; ++t) {
      for (std::size_t b = 0; b < bins; ++b) table[0][b] += table[t][b];
    }
#pragma omp critical
    for (std::size_t b = 0; b < bins; ++b) counts[b] += table[0][b];
  }
}

// Above: each element's bin is computed by itself, and one that is outside costs a wrong guess.
// Here: the bins of 128 elements are computed as vectors, without branches; then they are counted,
// into eight tables in turn, so that equal neighbours do not wait for each other's store.
// Price: a short list in the nearest cache, and eight tables; for more than 1024 bins only one.
void vector_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
  (bins <= few_bins ? count_in_turn<8, few_bins> : count_in_turn<1, max_bins>)(x, n, counts, bins,
                                                                               lo, hi);
  for (std::size_t i = n - n % together; i < n; ++i) {
    if (x[i] >= lo && x[i] < hi) ++counts[bin_of(x[i], lo, scale, bins)];
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
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
#pragma omp parallel
  {
    Count mine[worth_comparing] = {};
#pragma omp for schedule(static)
    for (std::size_t first = 0; first < n - n % chunk; first += chunk) {
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
      for (std::size_t b = 0; b < bins; b += 4) count_four(bin, b, mine);
    }
#pragma omp critical
    for (std::size_t b = 0; b < bins; ++b) counts[b] += mine[b];
  }
  for (std::size_t i = n - n % chunk; i < n; ++i) {
    if (x[i] >= lo && x[i] < hi) ++counts[bin_of(x[i], lo, scale, bins)];
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads; shared atomic counters", naive},
      {"private_bins", "one table per thread, added up at the end", private_bins},
      {"vector_bins", "bins computed as vectors, then counted into eight tables in turn",
       vector_bins},
      {"compared", "few bins: whole vectors compared with each bin in turn", compared},
  };
  return ladder;
}

}  // namespace kernels::histogram
