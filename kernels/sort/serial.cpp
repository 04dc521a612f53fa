// sort on one core: the elements in ascending order.
//
// A sort costs unpredictable comparisons or passes over memory: n² comparisons, n·log n of them, or
// as many passes as a number has digits. Vectors compare without a branch. The naive loop is that
// of the course, bubble sort. How many times faster the others are grows with n, so such a factor
// means nothing without n. An array of the default size is in the caches: the limit is latency and
// branch misprediction, not memory bandwidth.

#include "kernels/sort/quicksort.hpp"
#include "kernels/sort/runs.hpp"
#include "kernels/sort/sort.hpp"

namespace kernels::sort {
namespace {

// Change: bubble sort in the copy. Neighbours in the wrong order are exchanged, pass after pass,
// and the largest one moves to the end.
// Cost: none, this is the baseline. n²/2 comparisons, and half as many exchanges.
void naive(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  copy(in, out, n);
  for (std::size_t end = n; end > 1; --end) {
    for (std::size_t j = 0; j + 1 < end; ++j) order(out[j], out[j + 1]);
  }
}

// Before: an element moves one position per exchange.
// Change: insertion sort: each element moves straight to its position among those before it, which
// are already sorted.
// Cost: n²/4 moves; nearly sorted input is fast.
void insertion(const Real* in, Real* out, Real* /*work*/, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const Real value = in[i];
    std::size_t j = i;
    for (; j > 0 && value < out[j - 1]; --j) out[j] = out[j - 1];
    out[j] = value;
  }
}

// Before: O(n²) comparisons or moves.
// Change: merge sort: sorted runs of 1, 2, 4 … elements are merged in pairs, from one array to the
// other and back: n·log₂ n comparisons.
// Cost: a second array. The next element of a merge cannot be predicted (branch misprediction).
void merge(const Real* in, Real* out, Real* work, std::size_t n) { merge_sort(in, out, work, n); }

// Before: elements are compared with each other.
// Change: no comparisons: digits of 8 bits, from the last one on, are counted, and the elements
// placed in that order (LSD radix sort), which is stable.
// Cost: four passes in f32, eight in f64; scattered writes to 256 positions.
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

// Before: an element at a time, to one of 256 positions.
// Change: quicksort by vectors. A permutation, from a table, puts the lanes below a median first;
// both ends grow without a branch. Short parts are sorted in registers (see network.hpp).
// Cost: a second array. Inputs made against its sample take n² steps. Without AVX2 a processor has
// no such permutation, and moves an element at a time.
void quick(const Real* in, Real* out, Real* work, std::size_t n) { quicksort(in, out, work, n); }

}  // namespace

template <>
bench::Ladder<Kernel<Real>> serial<Isa, Real>() {
  static constexpr bench::Variant<Kernel<Real>> ladder[] = {
      {"naive", "bubble sort: neighbours are exchanged, n²/2 comparisons", naive, 20'000},
      {"insertion", "insertion sort: each element moves straight to its position", insertion,
       50'000},
      {"merge", "merge sort: sorted runs merged in pairs, n·log n comparisons", merge},
      {"radix", "radix sort: digits are counted and placed, without comparisons", radix},
      {"quicksort", "quicksort by vectors: permuted about a median, then networks in registers",
       quick},
  };
  return ladder;
}

}  // namespace kernels::sort
