#include "harness/plan/filters.hpp"

#include <gtest/gtest.h>

namespace bench::test {
namespace {

TEST(Filters, AreGlobsWhoseStarCrossesSlashes) {
  EXPECT_TRUE(matches("twice", "twice/serial/naive"));
  EXPECT_TRUE(matches("twice/serial", "twice/serial/naive"));
  EXPECT_TRUE(matches("twice/serial/naive", "twice/serial/naive"));
  EXPECT_TRUE(matches("*", "twice/serial/naive"));
  EXPECT_TRUE(matches("*naive", "twice/serial/naive"));
  EXPECT_TRUE(matches("tw*/naive", "twice/serial/naive"));
  EXPECT_TRUE(matches("*/serial", "twice/serial/naive"));
  EXPECT_TRUE(matches("t?ice/s*", "twice/serial/naive"));
  EXPECT_TRUE(matches("[st]wice", "twice/serial/naive"));
  EXPECT_FALSE(matches("twic", "twice/serial/naive")) << "a prefix ends at a slash";
  EXPECT_FALSE(matches("twice/ser", "twice/serial/naive"));
  EXPECT_FALSE(matches("naive", "twice/serial/naive"));
  EXPECT_FALSE(matches("serial", "twice/serial/naive"));
  EXPECT_FALSE(matches("", "twice/serial/naive"));
  EXPECT_FALSE(matches("TWICE", "twice/serial/naive"));
  EXPECT_FALSE(matches("twice/serial/naive/f32", "twice/serial/naive"));
}

}  // namespace
}  // namespace bench::test
