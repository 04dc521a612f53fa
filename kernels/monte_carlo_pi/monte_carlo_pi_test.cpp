#include "kernels/monte_carlo_pi/monte_carlo_pi.hpp"

#include <omp.h>

#include <array>
#include <cmath>
#include <numbers>

#include "kernels/monte_carlo_pi/philox.hpp"
#include "kernels/test_support.hpp"

namespace kernels::monte_carlo_pi {
namespace {

/// The key of a seed, as the harness draws it.
std::vector<Word> key_of(std::uint32_t seed) {
  std::vector<Word> key(2);
  workload.make(bench::Dtype::u32, {})->generate(bench::NumpyRandom(seed), {{key.data()}});
  return key;
}

/// The count by the reference.
double points_inside(std::vector<Word> key, std::size_t n) {
  return workload.make(bench::Dtype::u32, {.cols = n})->wanted({{key.data()}}, 1).at(0);
}

// Random123's known answers for ten rounds.
TEST(MonteCarloPi, PhiloxGivesTheWordsOfItsAuthors) {
  using Four = std::array<Word, 4>;
  const auto words = [](const Four& c, Word key_0, Word key_1) {
    const auto [word] = philox<10>({{c[0], c[1], c[2], c[3]}}, key_0, key_1);
    return Four{word[0], word[1], word[2], word[3]};
  };
  constexpr Word ones = 0xFFFFFFFF;
  EXPECT_EQ(words({}, 0, 0), (Four{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
  EXPECT_EQ(words({ones, ones, ones, ones}, ones, ones),
            (Four{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD}));
  EXPECT_EQ(words({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, 0xA4093822, 0x299F31D0),
            (Four{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1}));
}

TEST(MonteCarloPi, TheKeyIsWhatTheSeededGeneratorGivesFirst) {
  EXPECT_EQ(key_of(42), (std::vector<Word>{1608637542, 3421126067}));
}

TEST(MonteCarloPi, KnownCounts) {
  const std::vector<Word> key = key_of(42);
  const auto expect_counted = [&](std::size_t n, Word expected) {
    test::for_each_variant<Word>(workload, {.cols = n}, {key},
                                 [&](const std::vector<Word>& inside) {
                                   EXPECT_EQ(inside.at(0), expected) << n << " points";
                                 });
  };
  expect_counted(10, 7);
  expect_counted(1'000, 782);
  expect_counted(1'000'000, 786'334);
  EXPECT_EQ(points_inside(key, 10'000'000), 7'855'201);
}

// Around a group of 64 blocks. The last block of an odd number of points has one.
TEST(MonteCarloPi, AnyNumberOfPoints) {
  const std::vector<Word> key = key_of(7);
  for (const std::size_t n : {0U, 1U, 127U, 128U, 129U, 130U, 1003U}) {
    const double expected = points_inside(key, n);
    test::for_each_variant<Word>(workload, {.cols = n}, {key},
                                 [&](const std::vector<Word>& inside) {
                                   EXPECT_EQ(inside.at(0), expected) << n << " points";
                                 });
  }
}

TEST(MonteCarloPi, CountsFitIntoTheirWord) {
  EXPECT_EQ(workload.make(bench::Dtype::u32, {.cols = 4'294'967'295})->unsupported(), "");
  EXPECT_NE(workload.make(bench::Dtype::u32, {.cols = 4'294'967'296})->unsupported(), "");
}

// π as a hundred seeds estimate it: no deviation that less than one in 100 000 would have, and no
// deviation in common.
TEST(MonteCarloPi, EstimatesPi) {
  constexpr std::size_t n = 100'000;
  constexpr double pi = std::numbers::pi;
  const double deviation = std::sqrt(pi * (4 - pi) / n);
  double sum = 0;
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    const double off = (4 * points_inside(key_of(seed), n) / n - pi) / deviation;
    EXPECT_LE(std::abs(off), 4.5) << "seed " << seed;
    sum += off;
  }
  EXPECT_LE(std::abs(sum / 100), 0.45);
}

// Points of another generator: only their probability is known.
TEST(MonteCarloPi, OtherPointsAreCheckedInSigma) {
  constexpr std::size_t n = 1'000'000;  // sigma is 410.5, the mean 785 398
  const auto problem = workload.make(bench::Dtype::u32, {.cols = n});
  std::vector<Word> key = key_of(42);
  const auto verdict = [&](Word count) {
    return problem->check({.inputs = {key.data()}, .result = &count, .own_numbers = true},
                          bench::Elements::all(1));
  };
  for (const Word right : {785'398U, 785'398U + 2'400U, 785'398U - 2'400U}) {
    EXPECT_TRUE(verdict(right).passed) << right;
  }
  EXPECT_NEAR(verdict(785'398U + 821U).max_error, 2, 0.01);
  EXPECT_EQ(verdict(785'398U).metric, "sigma");
  for (const Word wrong : {785'398U + 2'500U, 785'398U - 2'500U, 0U, 1'000'001U, 0xFFFFFFFFU}) {
    EXPECT_FALSE(verdict(wrong).passed) << wrong;
  }
}

// Two threads that draw the same points: right only for one thread.
TEST(WrongOnPurpose, MonteCarloPiSameStream) {
  constexpr std::size_t n = 1'000;
  const std::vector<Word> key = key_of(42);
  const auto count = [&](int threads) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    Word inside = 0;
    const auto ladder = openmp<bench::simd::baseline, std::uint32_t>();
    for (std::size_t i = 0; i < ladder.size; ++i) {
      if (ladder.rungs[i].wrong) ladder.rungs[i].kernel(key.data(), n, &inside);
    }
    omp_set_num_threads(before);
    return inside;
  };
  EXPECT_EQ(count(1), 782);
  EXPECT_EQ(count(2), 2 * points_inside(key, n / 2));
}

}  // namespace
}  // namespace kernels::monte_carlo_pi
