#include "kernels/histogram/histogram.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>

#include "kernels/test_support.hpp"

namespace kernels::histogram {
namespace {

// The interval is half open: lo counts, hi does not. Elements outside, and NaN, never count.
TEST(Histogram, Edges) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> x{-4.0F,
                             std::nextafter(-4.0F, -5.0F),
                             4.0F,
                             std::nextafter(4.0F, 0.0F),
                             0.0F,
                             -0.0F,
                             std::nextafter(0.0F, -1.0F),
                             inf,
                             -inf,
                             std::nanf("")};
  test::for_each_variant<float, Count>(
      workload, {.cols = x.size(), .bins = 2}, {x},
      // −1e-45 − (−4) rounds to 4 in f32, so it is in the upper bin, since the reference computes
      // in Real. CUB's HistogramEven has no bin for what rounding moves up to hi: see library.cu.
      [](const std::vector<Count>& counts, const bench::BoundVariant& rung) {
        const Count upper = rung.variant == "library_even" ? 3 : 4;
        EXPECT_EQ(counts, (std::vector<Count>{1, upper}));
      });
}

TEST(Histogram, CountsEveryElementInRangeOnce) {
  std::vector<double> x;
  for (int i = -5000; i <= 5000; ++i) x.push_back(i * 0.001);
  const auto inside = std::count_if(x.begin(), x.end(), [](double v) { return v >= -4 && v < 4; });
  for (const std::size_t bins : {std::size_t{1}, std::size_t{7}, max_bins}) {
    test::for_each_variant<double, Count>(
        workload, {.cols = x.size(), .bins = bins}, {x}, [&](const std::vector<Count>& counts) {
          EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), inside);
        });
  }
}

// All elements in one bin: the most contention.
TEST(Histogram, AllInOneBin) {
  const std::vector<float> x(100'003, 0.1F);
  test::for_each_variant<float, Count>(
      workload, {.cols = x.size(), .bins = 10}, {x},
      [](const std::vector<Count>& counts) { EXPECT_EQ(counts[5], 100'003U); });
}

/// `each` elements of each of two bins: a piece of one, then a piece of the other.
std::vector<float> in_two_bins(unsigned each, unsigned piece, std::size_t bins, std::size_t low,
                               std::size_t high) {
  const auto middle = [&](std::size_t bin) {
    return (static_cast<float>(bin) + 0.5F) * 8.0F / static_cast<float>(bins) - 4.0F;
  };
  std::vector<float> x;
  for (unsigned i = 0; i < each; i += piece) {
    x.insert(x.end(), piece, middle(low));
    x.insert(x.end(), piece, middle(high));
  }
  return x;
}

// 16-bit counters overflow, those of two bins at about the same time: of neighbours, and of two
// that may share a word. Pieces that fill a vector may be counted at once.
TEST(Histogram, AllInTwoOfManyBins) {
  constexpr unsigned each = 140'000;
  constexpr std::size_t bins = 16'384;
  constexpr std::size_t low = 5;
  for (const std::size_t high : {low + 1, low + bins / 2}) {
    for (const unsigned piece : {1U, 4U}) {
      const auto x = in_two_bins(each, piece, bins, low, high);
      for (const bool shuffled : bench::test::thread_orders) {
        bench::test::shuffle_threads(shuffled);
        test::for_each_variant<float, Count>(workload, {.cols = x.size(), .bins = bins}, {x},
                                             [&](const std::vector<Count>& counts) {
                                               EXPECT_EQ(counts[low], each);
                                               EXPECT_EQ(counts[high], each);
                                             });
      }
    }
  }
  bench::test::shuffle_threads(false);
}

// Each pass over the input takes as long as the first.
TEST(Histogram, ManyBinsTakeOnePassWhereABlockMayHaveTheSharedMemory) {
  constexpr std::size_t bins = 65'536;
  std::set<std::string> seen;
  test::for_each_variant<float, Count>(
      workload, {.cols = 1000, .bins = bins}, {std::vector<float>(1000)},
      [&](const std::vector<Count>& /*counts*/, const bench::BoundVariant& rung) {
        if (rung.backend != "cuda" || rung.transfers) return;
        const unsigned passes = bench::cuda::last_launch()->grid[1];
        // The stand-in's blocks may have 227 KB, those of some GPUs 64.
        if (rung.variant == "packed") {
          EXPECT_LE(passes, bench::test::real_device ? 2U : 1U);
        } else if (rung.variant == "wide") {
          EXPECT_EQ(passes, 6U) << "of 48 KB";
        }
        seen.insert(rung.variant);
      });
  EXPECT_TRUE(seen.empty() || seen.contains("packed"));
}

}  // namespace
}  // namespace kernels::histogram
