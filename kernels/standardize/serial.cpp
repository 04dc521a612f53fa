// standardize on one core: z = (x − mean)/σ, with the mean and the standard deviation of all x.
//
// A reduction before a map: the first result needs all elements, so the data are read twice, unless
// a cache holds them. That is 12 bytes per element in f32, and fusion cannot get below. The sums
// wait for the latency of their additions (see sum_of_squares), unless there are many independent
// ones.

#include "kernels/standardize/moments.hpp"
#include "kernels/standardize/standardize.hpp"

namespace kernels::standardize {
namespace {

// Change: three naive loops: the mean, the squared deviations from it, the results.
// Cost: none, this is the baseline. The data are read three times, and the additions of two of the
// loops wait for each other.
void naive(const Real* x, Real* z, std::size_t n, double* /*sums*/) {
  const auto count = static_cast<double>(n);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += x[i];
  const double mean = total / count;
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const double sigma = std::sqrt(squares / count);
  for (std::size_t i = 0; i < n; ++i) z[i] = static_cast<Real>((x[i] - mean) / sigma);
}

// Before: one pass for the mean and one for the deviations from it.
// Change: one loop for both sums, of deviations from x[0]. Σd²/n − (Σd/n)² is the variance,
// whatever d is measured from, and near the data it loses no digits.
// Cost: loses precision if x[0] is far from the other values.
void one_pass(const Real* x, Real* z, std::size_t n, double* /*sums*/) {
  const double shift = first_of(x, n);
  Sums sums;
  for (std::size_t i = 0; i < n; ++i) add_to(sums, x[i] - shift);
  const Scale scaled(sums, shift, n);
  for (std::size_t i = 0; i < n; ++i) z[i] = scaled(x[i]);
}

// Before: each addition waits for the one before it (a loop-carried dependency).
// Change: sixteen accumulators of each kind in turn, as vectors (SIMD).
// Cost: another order of additions, so the last digits differ.
void simd(const Real* x, Real* z, std::size_t n, double* /*sums*/) {
  const double shift = first_of(x, n);
  const Scale scaled(sums_of_vectors(x, n, shift), shift, n);
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) z[i] = scaled(x[i]);
}

// Before: every line of `z` is read only to be overwritten (write-allocate).
// Change: write one full cache line at a time with streaming (non-temporal) stores.
// Cost: results bypass the cache, so small arrays get slower.
void streaming(const Real* x, Real* z, std::size_t n, double* /*sums*/) {
  const double shift = first_of(x, n);
  const Scale scaled(sums_of_vectors(x, n, shift), shift, n);
  const auto result = [=](std::size_t i) { return scaled(x[i]); };
  const Lines lines = store_ends(z, n, result);
  for (std::size_t first = lines.begin; first < lines.end; first += line) {
    stream_elements(z, first, result);
  }
  stream_fence();
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "three naive loops on one core, strict IEEE arithmetic, -O3", naive},
      {"one_pass", "both sums in one loop, of deviations from the first element", one_pass},
      {"simd", "sixteen independent accumulators, as vectors", simd},
      {"streaming", "streaming stores: no line is read only to be overwritten", streaming},
  };
  return ladder;
}

}  // namespace kernels::standardize
