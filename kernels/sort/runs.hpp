// Sorted runs that are merged, and digits of numbers, for both CPU ladders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "harness/workload/target.hpp"

namespace kernels::sort {
namespace {

inline void copy(const Real* from, Real* to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

/// Two positions in ascending order, without a branch.
inline void order(Real& low, Real& high) {
  const Real a = low;
  const Real b = high;
  const bool exchange = b < a;
  low = exchange ? b : a;
  high = exchange ? a : b;
}

/// out = the m elements of a merged with the n of b, both ascending; of equal elements those of a
/// come first.
inline void merge_runs(const Real* a, std::size_t m, const Real* b, std::size_t n, Real* out) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < m && j < n) {
    const bool second = b[j] < a[i];
    out[i + j] = second ? b[j] : a[i];
    (second ? j : i) += 1;
  }
  for (; i < m; ++i) out[i + j] = a[i];
  for (; j < n; ++j) out[i + j] = b[j];
}

/// Merges runs of `width` elements into runs of twice as many.
inline void merge_pairs(const Real* from, Real* to, std::size_t n, std::size_t width) {
  for (std::size_t left = 0; left < n; left += 2 * width) {
    const std::size_t middle = n - left < width ? n : left + width;
    const std::size_t right = n - middle < width ? n : middle + width;
    merge_runs(from + left, middle - left, from + middle, right - middle, to + left);
  }
}

/// How often n has to be halved until nothing is left to merge.
inline int passes_over(std::size_t n) {
  int passes = 0;
  for (std::size_t width = 1; width < n; width *= 2) ++passes;
  return passes;
}

/// out = `in`, sorted, from one of the two arrays into the other and back.
inline void merge_sort(const Real* in, Real* out, Real* work, std::size_t n) {
  const int passes = passes_over(n);
  if (passes == 0) copy(in, out, n);
  const Real* from = in;
  std::size_t width = 1;
  for (int pass = passes; pass > 0; --pass, width *= 2) {
    Real* const to = pass % 2 != 0 ? out : work;  // the last one is 1
    merge_pairs(from, to, n, width);
    from = to;
  }
}

using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

constexpr unsigned digit_bits = 8;
constexpr unsigned digits = 1U << digit_bits;  ///< values of one
constexpr int radix_passes = sizeof(Real);     ///< an even number: the last one ends in `out`

/// A digit of a number, from the last one on. As bits, positive numbers order like integers.
/// Negative ones order in reverse, and after them. So the sign bit is flipped, and all bits of
/// negative numbers.
inline unsigned digit_of(Real value, int pass) {
  constexpr unsigned last = 8 * sizeof(Real) - 1;
  const Bits bits = __builtin_bit_cast(Bits, value);
  const Bits turned = bits ^ ((Bits{0} - (bits >> last)) | Bits{1} << last);
  return static_cast<unsigned>(turned >> (digit_bits * static_cast<unsigned>(pass))) % digits;
}

/// Counts become the position of the first element of each digit.
inline void counts_to_places(std::size_t* counts) {
  std::size_t place = 0;
  for (unsigned d = 0; d < digits; ++d) {
    const std::size_t count = counts[d];
    counts[d] = place;
    place += count;
  }
}

}  // namespace
}  // namespace kernels::sort
