// The bins of elements, and how often each bin occurs, for both CPU ladders.
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/workload/target.hpp"
#include "kernels/histogram/histogram.hpp"

namespace kernels::histogram {
namespace {

/// The bin of an x in [lo, hi). Rounding may give `bins`, which counts as the last bin.
inline std::size_t bin_of(Real x, Real lo, Real scale, std::size_t bins) {
  const auto bin = static_cast<Count>((x - lo) * scale);
  return bin < bins ? bin : bins - 1;
}

constexpr std::size_t together = 256 / sizeof(Real);  // elements

/// The bins of `together` elements; for elements outside of [lo, hi), the bin after the last one.
inline void bins_of(const Real* x, std::int32_t* bin, std::int32_t bins, Real lo, Real hi) {
  const Real scale = static_cast<Real>(bins) / (hi - lo);
#pragma omp simd
  for (std::size_t i = 0; i < together; ++i) {
    const bool inside = x[i] >= lo && x[i] < hi;
    const auto b = static_cast<std::int32_t>(inside ? (x[i] - lo) * scale : 0);
    bin[i] = inside ? (b < bins ? b : bins - 1) : bins;
  }
}

constexpr std::size_t few_bins = 1024;  // four tables of them leave room in L1

/// Tables into which elements are counted in turn. Bins are computed one list ahead: loading a list
/// right after storing it would wait for store forwarding.
template <std::size_t tables, std::size_t most_bins>
class TablesInTurn {
 public:
  TablesInTurn(std::size_t bins, Real lo, Real hi)
      : bins_(static_cast<std::int32_t>(bins)), lo_(lo), hi_(hi) {
    for (auto& one : table_) __builtin_memset(one, 0, (bins + 1) * sizeof *one);
    for (std::int32_t& bin : list_[0]) bin = bins_;
  }

  /// Computes the bins of `together` elements, and counts those of the call before.
  void count(const Real* x) {
    bins_of(x, list_[1 - now_], bins_, lo_, hi_);
    count_list();
    now_ = 1 - now_;
  }

  /// Adds the counters; called once, after the last elements.
  void add_to(Count* counts) {
    count_list();
    for (const auto& one : table_) {
      for (std::int32_t b = 0; b < bins_; ++b) counts[b] += one[b];
    }
  }

 private:
  /// Each load brings two bins: loads of the list and of the counters compete for the same ports.
  void count_list() {
    constexpr std::size_t turn = tables < 2 ? 2 : tables;
    for (std::size_t i = 0; i < together; i += turn) {
      for (std::size_t t = 0; t < turn; t += 2) {
        std::uint64_t two = 0;
        __builtin_memcpy(&two, list_[now_] + i + t, sizeof two);
        ++table_[t % tables][static_cast<std::uint32_t>(two)];
        ++table_[(t + 1) % tables][two >> 32U];
      }
    }
  }

  std::int32_t bins_;
  Real lo_;
  Real hi_;
  std::size_t now_ = 0;
  alignas(64) std::int32_t list_[2][together];
  Count table_[tables][most_bins + 64];  // the pitch keeps equal bins out of one cache set
};

constexpr std::size_t chunk = 2048;          // elements whose bins are kept as bytes
constexpr std::size_t worth_comparing = 32;  // bins

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
