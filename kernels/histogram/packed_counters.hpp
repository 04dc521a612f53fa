// Two counters in each word of shared memory, for kernels whose counters do not fit otherwise.
#pragma once

#include "harness/cuda/kernel.hpp"

namespace kernels::histogram {

/// Each counter has `bits`. The counters in the upper halves of the words follow those in the lower
/// halves. An overflow would carry into the neighbour. So the thread that brings a counter to half
/// of its range takes that half out, and adds it elsewhere. Between two barriers, all threads of a
/// block together add no more than the other half.
template <unsigned bits>
class PackedCounters {
 public:
  static constexpr unsigned half = 1U << (bits - 1);

  /// Words for this number of counters.
  __host__ __device__ static unsigned words(unsigned counters) { return (counters + 1) / 2; }

  __device__ PackedCounters(unsigned* table, unsigned counters)
      : table_(table), words_(words(counters)), in_shared_(table) {}

  /// `take(half)` adds elsewhere what is taken out.
  template <class Take>
  __device__ void add(unsigned counter, unsigned count, Take take) const {
    const unsigned word = counter < words_ ? counter : counter - words_;
    const unsigned one = counter < words_ ? 1U : 1U << bits;
    const unsigned before = in_shared_.exchange_add(word, count * one);
    const unsigned full = one * half;
    if (!((before + count * one) & ~before & full)) return;
    take(half);
    in_shared_.add(word, 0U - full);
  }

  __device__ unsigned value(unsigned counter) const {
    constexpr unsigned lower = (1U << bits) - 1;
    return counter < words_ ? table_[counter] & lower : table_[counter - words_] >> bits & lower;
  }

 private:
  const unsigned* table_;
  unsigned words_;
  bench::cuda::SharedCounters in_shared_;
};

}  // namespace kernels::histogram
