#include "harness/base/half.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bench::test {
namespace {

Half of_bits(unsigned bits) {
  Half half;
  half.bits = static_cast<std::uint16_t>(bits);
  return half;
}

TEST(Half, IsTheNumberOfItsBits) {
  EXPECT_EQ(of_bits(0x3c00), 1.0F);
  EXPECT_EQ(of_bits(0xc000), -2.0F);
  EXPECT_EQ(of_bits(0x7bff), 65504.0F);
  EXPECT_EQ(of_bits(0x0001), 0x1p-24F);
  EXPECT_EQ(of_bits(0x03ff), 0x3ffp-24F);
  EXPECT_EQ(of_bits(0xfc00), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(static_cast<float>(of_bits(0x7e00))));
  EXPECT_TRUE(std::signbit(static_cast<float>(of_bits(0x8000))));
}

TEST(Half, ComesBack) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const float number = of_bits(bits);
    if (!std::isnan(number)) {
      ASSERT_EQ(Half(number).bits, bits);
    }
  }
}

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(Half(1 + 0x1p-11F), 1.0F);
  EXPECT_EQ(Half(1 + 0x1.8p-10F), 1 + 0x1p-9F);
  EXPECT_EQ(Half(1 + 0x1.002p-11F), 1 + 0x1p-10F);
  EXPECT_EQ(Half(65519.9F), 65504.0F);
  EXPECT_EQ(Half(65520.0F), std::numeric_limits<float>::infinity());
  EXPECT_EQ(Half(0x1p-25F), 0.0F);
  EXPECT_EQ(Half(0x1.8p-24F), 0x1p-23F);
  EXPECT_EQ(Half(0x1p-14F - 0x1p-26F), 0x1p-14F);
  EXPECT_TRUE(std::isnan(static_cast<float>(Half(std::nanf("")))));
}

}  // namespace
}  // namespace bench::test
