#include "harness/words/numbers.hpp"

#include <gtest/gtest.h>

namespace bench::test {
namespace {

TEST(Duration, HasFourDigitsAndTheUnitThatFits) {
  EXPECT_EQ(duration(0.1632), "163.2\u00A0ms");
  EXPECT_EQ(duration(1), "1.000\u00A0s");
  EXPECT_EQ(duration(12.3456), "12.35\u00A0s");
  EXPECT_EQ(duration(123456), "123456\u00A0s");
  EXPECT_EQ(duration(1.5e-3), "1.500\u00A0ms");
  EXPECT_EQ(duration(99.994e-6), "99.99\u00A0µs");
  EXPECT_EQ(duration(1.23456e-6), "1.235\u00A0µs");
  EXPECT_EQ(duration(25e-9), "25.00\u00A0ns");
  EXPECT_EQ(duration(0.5e-9), "0.500\u00A0ns");
  EXPECT_EQ(duration(0), "0.000\u00A0ns");
}

TEST(Joules, HaveThreeDigitsAndTheUnitThatFits) {
  EXPECT_EQ(energy(12.345), "12.3\u00A0J");
  EXPECT_EQ(energy(1234.5), "1234\u00A0J");
  EXPECT_EQ(energy(1.5e-3), "1.50\u00A0mJ");
  EXPECT_EQ(energy(99.96e-6), "100\u00A0µJ");
  EXPECT_EQ(energy(3e-9, Language::pt), "3,00\u00A0nJ");
}

TEST(PerElement, HasThreeDigitsWhereThereIsSomething) {
  EXPECT_EQ(per_element(1.2544), "1.25");
  EXPECT_EQ(per_element(4), "4.00");
  EXPECT_EQ(per_element(0.031249), "0.0312");
  EXPECT_EQ(per_element(0.031249, Language::fr), "0,0312");
  EXPECT_EQ(per_element(4.14e-5), "4.1e-05");
  EXPECT_EQ(per_element(0), "0");
}

TEST(Factor, HasTwoDigitsThatCount) {
  EXPECT_EQ(factor(0.372), "0.37");
  EXPECT_EQ(factor(1), "1.00");
  EXPECT_EQ(factor(1.949), "1.95");
  EXPECT_EQ(factor(1.95), "1.9");
  EXPECT_EQ(factor(9.94), "9.9");
  EXPECT_EQ(factor(9.95), "10");
  EXPECT_EQ(factor(180.4), "180");
}

TEST(FourSignificant, HasNoExponent) {
  EXPECT_EQ(four_significant(0.2117), "0.2117");
  EXPECT_EQ(four_significant(2.3014e-6), "0.000002301");
  EXPECT_EQ(four_significant(9.99996), "10.00");
  EXPECT_EQ(four_significant(1), "1.000");
  EXPECT_EQ(four_significant(12345.6), "12346");
  EXPECT_EQ(four_significant(0), "0.000");
}

TEST(Dates, AreShortAndWhole) {
  EXPECT_EQ(date_and_time("2026-11-21T09:34:09+00:00"), "2026-11-21\u00A009:34");
  EXPECT_EQ(day("2026-11-21T09:34:09+00:00"), "2026-11-21");
  EXPECT_EQ(date_and_time("yesterday"), "yesterday");
  EXPECT_EQ(day(""), "");
}

TEST(Numbers, ARatioShowsADigit) {
  EXPECT_EQ(ratio(0), "0.00");
  EXPECT_EQ(ratio(0.00312), "0.003");
  EXPECT_EQ(ratio(0.000097), "0.0001");
  EXPECT_EQ(ratio(0.0096), "0.01");
  EXPECT_EQ(ratio(0.0114), "0.01");
  EXPECT_EQ(factor(0.00312, Language::fr), "0,003");
}

TEST(Numbers, HaveTheDecimalSignOfTheLanguage) {
  EXPECT_EQ(duration(0.1632, Language::pt), "163,2\u00A0ms");
  EXPECT_EQ(factor(1.5, Language::es), "1,50");
  EXPECT_EQ(ratio(78.214, Language::fr), "78,21");
  EXPECT_EQ(ratio(136.2, Language::fr), "136");
  EXPECT_EQ(percent(0.053, Language::pt), "5,3%");
  EXPECT_EQ(percent(0.053, Language::fr), "5,3\u00A0%");
  EXPECT_EQ(whole_percent(0.98, Language::pt), "98%");
  EXPECT_EQ(whole_percent(0.0047, Language::es), "0,5\u00A0%");
  EXPECT_EQ(percent(0.42), "42\u00A0%");
  EXPECT_EQ(four_significant(0.2117, Language::fr), "0,2117");
}

TEST(Rate, HasThreeDigitsAndTheUnitThatFits) {
  EXPECT_EQ(rate(3.123e9), "3.12\u00A0G/s");
  EXPECT_EQ(rate(40.25e6), "40.2\u00A0M/s");
  EXPECT_EQ(rate(999.6e6), "1.00\u00A0G/s");
  EXPECT_EQ(rate(512), "512\u00A0/s");
  EXPECT_EQ(rate(0.5), "0.50\u00A0/s");
  EXPECT_EQ(rate(2e6, Language::fr), "2,00\u00A0M/s");
}

}  // namespace
}  // namespace bench::test
