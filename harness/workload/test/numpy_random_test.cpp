// The expected numbers are NumPy's own.

#include "harness/workload/numpy_random.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace bench {
namespace {

template <class Real>
std::vector<Real> uniform(NumpyRandom& random, std::size_t n, double lo, double hi) {
  std::vector<Real> values(n);
  random.uniform(values.data(), n, lo, hi);
  return values;
}

template <class Real>
std::vector<Real> normal(NumpyRandom& random, std::size_t n, double mean, double deviation) {
  std::vector<Real> values(n);
  random.normal(values.data(), n, mean, deviation);
  return values;
}

/// Every bit of every value: h ← 31·h + bits.
template <class Bits, class Real>
std::uint64_t fold(const std::vector<Real>& values) {
  std::uint64_t hash = 0;
  for (const Real value : values) hash = hash * 31 + std::bit_cast<Bits>(value);
  return hash;
}

TEST(NumpyRandomTest, Uniform) {
  NumpyRandom random(42);
  EXPECT_EQ(uniform<double>(random, 5, 0, 1),
            (std::vector<double>{0.3745401188473625, 0.9507143064099162, 0.7319939418114051,
                                 0.5986584841970366, 0.15601864044243652}));
}

TEST(NumpyRandomTest, Normal) {
  NumpyRandom random(42);
  EXPECT_EQ(normal<double>(random, 5, 0, 1),
            (std::vector<double>{0.4967141530112327, -0.13826430117118466, 0.6476885381006925,
                                 1.5230298564080254, -0.23415337472333597}));
}

TEST(NumpyRandomTest, SeveralArraysInARowWithOddCounts) {
  NumpyRandom random(42);
  EXPECT_EQ(uniform<double>(random, 3, 0, 1000),
            (std::vector<double>{374.54011884736246, 950.7143064099162, 731.9939418114051}));
  EXPECT_EQ(normal<double>(random, 5, 0, 1),
            (std::vector<double>{-1.1118801180469204, 0.31890218468938336, 0.2790412922001377,
                                 1.0105152848065264, -0.580878134023515}));
  EXPECT_EQ(uniform<double>(random, 2, 0, 1),
            (std::vector<double>{0.18340450985343382, 0.3042422429595377}));
  // The pair that the five began is finished here.
  EXPECT_EQ(normal<double>(random, 4, 1, 2),
            (std::vector<double>{-0.050339614356295526, -4.225098025387203, 2.9007393647938065,
                                 2.6328901619026546}));
}

TEST(NumpyRandomTest, ManyValuesBitForBit) {
  NumpyRandom random(7);
  EXPECT_EQ(fold<std::uint64_t>(normal<double>(random, 10'001, 0, 1)), 0x43b13cca9e6112ddU);
  EXPECT_EQ(fold<std::uint32_t>(uniform<float>(random, 10'001, 0, 1000)), 0xe976b0b31481a049U);
}

// More than one piece, by all threads; an odd number of values ends within a pair.
TEST(NumpyRandomTest, MoreThanAPieceBitForBit) {
  NumpyRandom random(11);
  const std::size_t n = 150'001;
  EXPECT_EQ(fold<std::uint64_t>(normal<double>(random, n, 0, 1)), 0xb7a238f8ca96c753U);
  EXPECT_EQ(fold<std::uint32_t>(uniform<float>(random, n, 0, 1000)), 0x228ed4076cd1a68U);
  EXPECT_EQ(fold<std::uint64_t>(normal<double>(random, 3, 1, 2)), 0x45fc5304a1c800f9U);
}

TEST(NumpyRandomTest, FirstAndLastSeed) {
  NumpyRandom first(0);
  EXPECT_EQ(fold<std::uint64_t>(uniform<double>(first, 1000, -3, 5)), 0x3803726aca6b6e9aU);
  NumpyRandom last(4294967295U);
  EXPECT_EQ(fold<std::uint32_t>(normal<float>(last, 999, 2, 3)), 0x2cb6d82b30960f89U);
}

TEST(NumpyRandomTest, ReachesBothTypesByTheSameDraws) {
  NumpyRandom single(1);
  NumpyRandom twofold(1);
  const auto floats = normal<float>(single, 99, 0, 1);
  const auto doubles = normal<double>(twofold, 99, 0, 1);
  for (std::size_t i = 0; i < 99; ++i) EXPECT_EQ(floats[i], static_cast<float>(doubles[i]));
}

// np.random.seed(42); np.random.randint(0, 2**32, 2, dtype=np.uint32)
TEST(NumpyRandom, Words) {
  NumpyRandom random(42);
  EXPECT_EQ(random.word(), 1608637542U);
  EXPECT_EQ(random.word(), 3421126067U);
}

}  // namespace
}  // namespace bench
