// histogram on all cores of the job: how many elements fall into each of `bins` equal bins.
//
// The elements are independent but the counters are not: if two threads add to one counter at the
// same time, a count is lost. Per element: 4 bytes read in f32, and one update at an address that
// depends on the data. A core that writes a cache line takes it from all others. They wait for it
// even to update another counter of that line (false sharing). So private tables gain more than
// anything else.

#include "kernels/histogram/bins.hpp"
#include "kernels/histogram/histogram.hpp"

namespace kernels::histogram {
namespace {

// Change: the naive loop, divided among the threads, with atomic additions to one table.
// Cost: an atomic addition takes some 20 cycles, and many more under contention.
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

// Before: all threads add to one table, whose cache lines move from core to core (true and false
// sharing).
// Change: one private table per thread (privatisation, OpenMP's array reduction), added at the end.
// Cost: a table per thread on its stack; the final sum grows with threads × bins.
void private_bins(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
#pragma omp parallel for schedule(static) reduction(+ : counts[:bins])
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] >= lo && x[i] < hi) ++counts[bin_of(x[i], lo, scale, bins)];
  }
}

/// Each thread counts into this number of tables in turn.
template <std::size_t tables, std::size_t most_bins>
inline void count_in_tables(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo,
                            Real hi) {
#pragma omp parallel
  {
    TablesInTurn<tables, most_bins> mine(bins, lo, hi);
#pragma omp for schedule(static) nowait
    for (std::size_t first = 0; first < n - n % together; first += together) mine.count(x + first);
#pragma omp critical
    mine.add_to(counts);
  }
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
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
#pragma omp parallel
  {
    Count mine[worth_comparing] = {};
#pragma omp for schedule(static) nowait
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
      {"vector_bins", "bins computed as vectors, then counted into four interleaved tables",
       vector_bins},
      {"byte_compare", "few bins: full SIMD vectors compared with each bin in turn", byte_compare},
  };
  return ladder;
}

}  // namespace kernels::histogram
