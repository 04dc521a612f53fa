#include "harness/base/suggest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bench {
namespace {

const std::vector<std::string> names{"energy", "hypot", "histogram", "transpose"};

TEST(Suggest, FindsTheNearestName) {
  EXPECT_EQ(nearest("enrgy", names), "energy");
  EXPECT_EQ(nearest("energys", names), "energy");
  EXPECT_EQ(nearest("hypto", names), "hypot");
  EXPECT_EQ(nearest("histogramm", names), "histogram");
  EXPECT_EQ(nearest("transpose", names), "transpose");
}

TEST(Suggest, SaysNothingWhereItWouldGuess) {
  EXPECT_EQ(nearest("xyz", names), "");
  EXPECT_EQ(nearest("energies", names), "") << "three letters are a guess";
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("energy", {}), "");
  EXPECT_EQ(nearest("f16", {"i16", "u32"}), "") << "is another, and no slip";
  EXPECT_EQ(nearest(std::string(100'000, 'e'), names), "") << "and does not take long";
}

TEST(Suggest, KnowsWhatOthersCallOtherwise) {
  EXPECT_EQ(nearest("float32", {"f32", "f64"}), "f32");
  EXPECT_EQ(nearest("gpu", {"serial", "cuda"}), "cuda");
  EXPECT_EQ(nearest("--cuda", {"--backend"}), "--backend cuda");
  EXPECT_EQ(nearest("--cuda", {"--format"}), "") << "the command has no such option";
  EXPECT_EQ(called_here("cuda", {"cuda"}), "cuda");
  EXPECT_EQ(called_here("cudas", {"cuda"}), "") << "a slip is not another name";
}

TEST(Suggest, TakesTheFirstOfEquallyNearOnes) {
  EXPECT_EQ(nearest("bank", {"tank", "rank"}), "tank");
}

}  // namespace
}  // namespace bench
