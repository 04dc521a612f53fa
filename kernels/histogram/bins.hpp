// From elements to bins, and how often each bin occurs, as both CPU ladders do it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/workload/target.hpp"
#include "kernels/histogram/histogram.hpp"

namespace kernels::histogram {
namespace {

/// The bin of an x in [lo, hi); rounding may give `bins`, which belongs to the last one.
inline std::size_t bin_of(Real x, Real lo, Real scale, std::size_t bins) {
  const auto bin = static_cast<Count>((x - lo) * scale);
  return bin < bins ? bin : bins - 1;
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

constexpr std::size_t few_bins = 1024;

/// Counts `together` elements into the tables in turn; what is outside, into the bin behind the
/// last.
template <std::size_t tables, std::size_t pitch>
inline void count_in_turn(const Real* x, Count (&table)[tables][pitch], std::size_t bins, Real lo,
                          Real hi) {
  std::int32_t bin[together];
  bins_of(x, bin, static_cast<std::int32_t>(bins), lo, hi);
  for (std::size_t i = 0; i < together; i += tables) {
    for (std::size_t t = 0; t < tables; ++t) ++table[t][bin[i + t]];
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

}  // namespace
}  // namespace kernels::histogram
