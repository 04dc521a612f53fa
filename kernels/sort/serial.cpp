// sort on one core: the elements in ascending order.
//
// What a sort costs is comparisons that nobody can foresee, or passes over memory: n² of the first,
// n·log n of them, or as many passes as a number has digits. The plain loop is that of the course,
// bubble sort: how many times faster the others are grows with n, so that such a factor says
// nothing without it. An array of the default size lies in the caches: the limit is latency and
// branch misprediction, not memory.

#include "kernels/sort/runs.hpp"
#include "kernels/sort/sort.hpp"

namespace kernels::sort {
namespace {

// Here: bubble sort, in the copy: neighbours in the wrong order change places, pass after pass, and
// the largest one rises to the end.
// Price: n²/2 comparisons, and half as many exchanges.
void naive(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  copy(in, out, n);
  for (std::size_t end = n; end > 1; --end) {
    for (std::size_t j = 0; j + 1 < end; ++j) order(out[j], out[j + 1]);
  }
}

// Above: an element moves one place per exchange.
// Here: each element goes straight to its place among those before it, which are sorted already.
// Price: n²/4 moves; what is nearly sorted is quick.
void insertion(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const Real value = in[i];
    std::size_t j = i;
    for (; j > 0 && value < out[j - 1]; --j) out[j] = out[j - 1];
    out[j] = value;
  }
}

// Above: n² of something.
// Here: sorted runs of 1, 2, 4 … elements are merged in pairs, from one array into the other and
// back: n·log₂ n comparisons.
// Price: a second array; which of two elements comes next cannot be predicted (branch
// misprediction).
void merge(const Real* in, Real* out, Real* work, std::size_t n) { merge_sort(in, out, work, n); }

// Above: elements are compared with each other.
// Here: none is: digits of 8 bits, from the last one on, are counted and the elements placed in
// that order (LSD radix sort), which keeps the order of those before it.
// Price: four passes in f32, eight in f64; 256 places to write to, not one after the other.
void radix(const Real* in, Real* out, Real* work, std::size_t n) {
  std::size_t places[radix_passes][digits] = {};
  for (std::size_t i = 0; i < n; ++i) {
    for (int pass = 0; pass < radix_passes; ++pass) ++places[pass][digit_of(in[i], pass)];
  }
  const Real* from = in;
  for (int pass = 0; pass < radix_passes; ++pass) {
    counts_to_places(places[pass]);
    Real* const to = pass % 2 == 0 ? work : out;
    for (std::size_t i = 0; i < n; ++i) to[places[pass][digit_of(from[i], pass)]++] = from[i];
    from = to;
  }
}

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "bubble sort: neighbours change places, n²/2 comparisons", naive, 20'000},
      {"insertion", "each element straight to its place among those before it", insertion, 50'000},
      {"merge", "sorted runs merged in pairs: n·log n comparisons", merge},
      {"radix", "digits counted and placed: nothing is compared", radix},
  };
  return ladder;
}

}  // namespace kernels::sort
