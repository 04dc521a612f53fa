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

}  // namespace

template <>
bench::Ladder<Kernel<Real>> openmp<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the same loop, divided among the threads; shared atomic counters", naive},
      {"private_bins", "one table per thread, added up at the end", private_bins},
  };
  return ladder;
}

}  // namespace kernels::histogram
