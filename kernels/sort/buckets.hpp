// Buckets, for sorts by several threads: what is between two limits, from all over an array.
#pragma once

#include <cstddef>

#include "kernels/sort/quicksort.hpp"

namespace kernels::sort {
namespace {

/// Splits a part about all limits of its buckets, a power of two of them, half of them at a time.
/// They are between ends[0] and ends[buckets] of `from`, and move to one array and the other.
inline void split_all(const Real* from, Real* to, Real* other, std::size_t* ends,
                      const Real* limits, std::size_t buckets) {
  const std::size_t half = buckets / 2;
  const std::size_t begin = ends[0];
  const std::size_t n = ends[buckets] - begin;
  ends[half] = begin + split(from + begin, to + begin, n, limits[buckets]);
  if (half == 1) return;
  split_all(to, other, to, ends, limits, half);
  split_all(to, other, to, ends + half, limits + buckets, half);
}

/// The parts of an array, and the buckets that they are split into.
class Buckets {
 public:
  /// Eight buckets per thread, if they are worth it: some will be larger than others.
  Buckets(std::size_t n, std::size_t threads) : n_(n) {
    const std::size_t most = n / (8 * few) < 8 * threads ? n / (8 * few) : 8 * threads;
    while (2 * count_ <= most && 2 * count_ <= most_buckets &&
           (2 * count_ + 1) * threads <= most_ends) {
      count_ *= 2;
    }
    const std::size_t rounds = n / (threads * part_in_cache) + 1;
    const std::size_t most_rounds = most_ends / ((count_ + 1) * threads);
    parts_ = threads * (rounds < most_rounds ? rounds : most_rounds);
    sides_[2 * count_] = n;
  }

  std::size_t count() const { return count_; }
  std::size_t parts() const { return parts_; }

  /// The limits, from a sample. They divide each bucket again, in two sides.
  void choose_limits(const Real* in, Real* out, Real* work) {
    constexpr std::size_t each = 16;
    const std::size_t size = 2 * count_ * each;
    for (std::size_t i = 0; i < size; ++i) out[i] = sampled(in, n_, i);
    quicksort(out, out, work, size);
    for (std::size_t side = 1; side < 2 * count_; ++side) limits_[side] = out[side * each];
  }

  /// Splits a part of `in` into the same part of `work`; `out` is a second array.
  void split_part(std::size_t part, const Real* in, Real* out, Real* work) {
    std::size_t* const ends = ends_of(part);
    ends[0] = begin_of(part);
    ends[count_] = begin_of(part + 1);
    const bool odd = __builtin_ctzl(count_) % 2 != 0;  // so that the last step ends in `work`
    split_all(in, odd ? work : out, odd ? out : work, ends, limits_, count_);
  }

  /// Moves a bucket from all parts of `work` to `out`, its smaller elements first.
  void collect(std::size_t bucket, const Real* work, Real* out) {
    std::size_t begin = 0;
    std::size_t end = 0;
    for (std::size_t part = 0; part < parts_; ++part) {
      begin += ends_of(part)[bucket] - begin_of(part);
      end += ends_of(part)[bucket + 1] - begin_of(part);
    }
    Sides sides{out + begin, out + end};
    for (std::size_t part = 0; part < parts_; ++part) {
      const std::size_t* const ends = ends_of(part) + bucket;
      sides.add(work + ends[0], ends[1] - ends[0], limits_[2 * bucket + 1]);
    }
    sides_[2 * bucket] = begin;
    sides_[2 * bucket + 1] = static_cast<std::size_t>(sides.low - out);
  }

  /// Sorts one of the two sides of each bucket, in `out`; `work` is a second array.
  void sort_side(std::size_t side, Real* out, Real* work) const {
    const std::size_t begin = sides_[side];
    quicksort(out + begin, out + begin, work + begin, sides_[side + 1] - begin);
  }

 private:
  static constexpr std::size_t part_in_cache = (std::size_t{128} << 10U) / sizeof(Real);
  static constexpr std::size_t most_buckets = 512;
  static constexpr std::size_t most_ends = std::size_t{1} << 16U;  // half a megabyte of the stack

  std::size_t begin_of(std::size_t part) const {
    return n_ / parts_ * part + n_ % parts_ * part / parts_;
  }
  std::size_t* ends_of(std::size_t part) { return ends_ + part * (count_ + 1); }

  std::size_t n_;
  std::size_t parts_ = 1;
  std::size_t count_ = 1;
  Real limits_[2 * most_buckets];            // limit 2b is that between buckets b − 1 and b
  std::size_t sides_[2 * most_buckets + 1];  // where they begin in the sorted array
  std::size_t ends_[most_ends];              // of each part: where its buckets begin, and the end
};

}  // namespace
}  // namespace kernels::sort
