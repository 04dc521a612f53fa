// sum_of_squares on one core: Σ x², in float64.
//
// It reads 4 bytes per element in f32 and does two operations, next to nothing: memory should be
// the limit. But an addition to a total needs the total of the addition before. Its latency is some
// four cycles, while the core can issue two additions of whole vectors per cycle (throughput). So
// the naive loop uses a few percent of that. Rounding makes the order of additions part of the
// result, and in strict IEEE arithmetic the compiler must not change it.

#include "kernels/sum_of_squares/squares.hpp"
#include "kernels/sum_of_squares/sum_of_squares.hpp"

namespace kernels::sum_of_squares {
namespace {

// Change: the naive loop; the total is a double.
// Cost: none, this is the baseline. Each addition waits for the one before (a loop-carried
// dependency): bound by latency.
void naive(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += square(x[i]);
  sum[0] = total;
}

// Before: each element is converted to a double.
// Change: the total is a float.
// Cost: wrong, and no faster, since additions still wait for each other. Each is rounded to the
// last bit of the total: from about 10⁵ elements on the error is beyond the bound. At 10⁷ that bit
// is ¼, nearly as large as a square.
void float_total(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  float total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto value = static_cast<float>(x[i]);
    total += value * value;
  }
  sum[0] = total;
}

// Before: each addition waits for the one before it.
// Change: eight accumulators in turn (instruction-level parallelism). They are independent, so the
// compiler may also vectorise them.
// Cost: another order of additions, so the last digits differ.
void chains(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  constexpr std::size_t count = 8;
  double total[count] = {};
  const std::size_t whole = n - n % count;
  for (std::size_t first = 0; first < whole; first += count) {
    for (std::size_t c = 0; c < count; ++c) total[c] += square(x[first + c]);
  }
  for (std::size_t i = whole; i < n; ++i) total[0] += square(x[i]);
  sum[0] = 0;
  for (const double one : total) sum[0] += one;
}

// Before: eight doubles are few vectors, and a float is converted before it is added.
// Change: four cache lines are added together in the precision of the data. After 64 terms each of
// these sums is added to a double.
// Cost: two steps, with the rounding of up to 64 terms in f32, where squares beyond 3e38 overflow.
void simd(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  sum[0] = sum_of_neighbours(x, n);
}

// Before: one stream of lines: the hardware prefetcher restarts at each page.
// Change: four streams, a quarter of the array each: while one restarts, the loads of the others
// are in flight.
// Cost: four pages in use at the same time.
void streams(const Real* x, std::size_t n, double* sum, double* /*partial*/) {
  sum[0] = sum_of_streams(x, n);
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "the naive loop on one core, strict IEEE arithmetic, -O3", naive},
      {"float_total", "a total in float: small squares get lost", float_total, bench::any_size,
       bench::kernel_only, bench::wrong_on_purpose},
      {"chains", "eight independent accumulators: eight additions in flight", chains},
      {"simd", "vectors of four cache lines; doubles after every 64 terms", simd},
      {"streams", "four streams: one continues while another crosses a page", streams},
  };
  return ladder;
}

}  // namespace kernels::sum_of_squares
