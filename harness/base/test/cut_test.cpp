#include "harness/base/cut.hpp"

#include <gtest/gtest.h>

namespace bench::test {
namespace {

TEST(Cut, ALongTextIsCutInTheMiddle) {
  EXPECT_EQ(cut_in_the_middle("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_in_the_middle("abcdefg", 6), "abc…fg");
  EXPECT_EQ(cut_in_the_middle("ãããããããããã", 5), "ãã…ãã");
}

}  // namespace
}  // namespace bench::test
