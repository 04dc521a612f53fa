// histogram on a device by the directives of OpenMP: how many elements fall into each of `bins`
// equal bins.
//
// Iterations on any two threads may meet in a counter: `atomic` is what keeps both additions.
// Zeroing the counts is a region of its own, since teams cannot wait for each other within one.

#include "kernels/histogram/bins.hpp"
#include "kernels/histogram/histogram.hpp"

namespace kernels::histogram {
namespace {

// Change: the naive loop in regions on the device. `target data` moves the arrays once for both.
// Cost: each call allocates memory on the device and moves the elements over the bus.
void map(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
#pragma omp target data map(to : x[:n]) map(from : counts[:bins])
  {
#pragma omp target teams distribute parallel for simd
    for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
#pragma omp target teams distribute parallel for simd
    for (std::size_t i = 0; i < n; ++i) {
      if (x[i] < lo || !(x[i] < hi)) continue;
#pragma omp atomic
      ++counts[bin_of(x[i], lo, scale, bins)];
    }
  }
}

// Before: the arrays travel with every call.
// Change: they are on the device already, and the regions take their addresses there.
// Cost: two regions. Atomic additions to one counter follow each other, as everywhere.
void resident(const Real* x, std::size_t n, Count* counts, std::size_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
#pragma omp target teams distribute parallel for simd is_device_ptr(counts)
  for (std::size_t b = 0; b < bins; ++b) counts[b] = 0;
#pragma omp target teams distribute parallel for simd is_device_ptr(x, counts)
  for (std::size_t i = 0; i < n; ++i) {
    if (x[i] < lo || !(x[i] < hi)) continue;
#pragma omp atomic
    ++counts[bin_of(x[i], lo, scale, bins)];
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> target<Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"map", "the naive loop on the device; arrays move with each call", map, bench::any_size,
       bench::with_transfers},
      {"resident", "arrays that stay on the device", resident},
  };
  return ladder;
}

}  // namespace kernels::histogram
