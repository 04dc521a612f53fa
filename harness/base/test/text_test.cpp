#include "harness/base/text.hpp"

#include <gtest/gtest.h>

namespace bench::test {
namespace {

TEST(Text, ColumnsCountCharactersNotBytes) {
  EXPECT_EQ(columns(""), 0U);
  EXPECT_EQ(columns("abc"), 3U);
  EXPECT_EQ(columns("µs × – ·"), 8U);
}

TEST(Text, FiguresHaveNoExponentWherePeopleWriteNone) {
  EXPECT_EQ(figure(0.0123, 2), "0.012");
  EXPECT_EQ(figure(1.5, 2), "1.5");
  EXPECT_EQ(figure(144, 2), "144");
  EXPECT_EQ(figure(50722, 3), "50722");
  EXPECT_EQ(figure(4e30, 3), "4e+30");
}

TEST(Text, DurationsAreRough) {
  EXPECT_EQ(rough_duration(2.34), "2.3 s");
  EXPECT_EQ(rough_duration(42), "42 s");
  EXPECT_EQ(rough_duration(720), "12 min");
  EXPECT_EQ(rough_duration(6000), "1.7 h");
}

TEST(Text, WrapsAtBlanks) {
  EXPECT_EQ(wrapped("", 10, 2), "");
  EXPECT_EQ(wrapped("aa bb", 10, 2), "aa bb");
  EXPECT_EQ(wrapped("aaaa bbbb c", 9, 2), "aaaa bbbb\n  c");
  EXPECT_EQ(wrapped("aaaa bbbb c d", 6, 1), "aaaa\n bbbb\n c d");
  EXPECT_EQ(wrapped("averylongword x", 4, 0), "averylongword\nx");
  EXPECT_EQ(wrapped("µµµ µµµ", 7, 0), "µµµ µµµ");
  EXPECT_EQ(wrapped("aa bb cc dd", 10, 4, 6), "aa\n    bb cc\n    dd")
      << "the first line begins late";
}

TEST(Text, CutsWhatHasNoRoomAtASlashOrComma) {
  EXPECT_EQ(wrapped("most: copy/numba/parallel/f32/10000000/kernel,beside=energy:1", 30, 2),
            "most:\n  copy/numba/parallel/f32/\n  10000000/kernel,\n  beside=energy:1");
  EXPECT_EQ(wrapped("a aaaaaaaaaaaaaaaaaaaa b", 10, 2), "a\n  aaaaaaaaaaaaaaaaaaaa\n  b");
  EXPECT_EQ(wrapped("/,/,/,/,/,/", 4, 0), "/,/,\n/,/,\n/,/");
  EXPECT_EQ(wrapped("at 95\u00A0% of it", 7, 0), "at 95\u00A0%\nof it");
}

}  // namespace
}  // namespace bench::test
