#include "harness/node/nodelist.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using Names = std::vector<std::string>;

TEST(Nodelist, ExpandsSlurmsNotation) {
  EXPECT_EQ(bench::expand_nodelist("n1"), Names{"n1"});
  EXPECT_EQ(bench::expand_nodelist("n1,gpu-2"), (Names{"n1", "gpu-2"}));
  EXPECT_EQ(bench::expand_nodelist("n[01-03,07],gpu1"),
            (Names{"n01", "n02", "n03", "n07", "gpu1"}));
  EXPECT_EQ(bench::expand_nodelist("n[9-11]"), (Names{"n9", "n10", "n11"}));
  EXPECT_EQ(bench::expand_nodelist("r[1-2]n[3,5]x"), (Names{"r1n3x", "r1n5x", "r2n3x", "r2n5x"}));
}

TEST(Nodelist, NonsenseIsEmpty) {
  for (const char* text : {"", ",", "n[", "n]", "n[1", "n[]", "n[1-]", "n[3-1]", "n[a-b]", "n[[1]]",
                           "n[-1]", "n[1]]", "a,,b", "n[0-99999999999999999999]"}) {
    EXPECT_TRUE(bench::expand_nodelist(text).empty()) << text;
  }
}

TEST(Nodelist, MoreThanAnyClusterHasIsRefused) {
  EXPECT_EQ(bench::expand_nodelist("n[1-99999]").size(), 99999U);
  EXPECT_TRUE(bench::expand_nodelist("n[0-4000000000]").empty());
  EXPECT_TRUE(bench::expand_nodelist("a[1-1000]b[1-1000]c[1-1000]").empty());
  std::string list = "a";
  for (int i = 0; i < 20'000; ++i) list += "[1]";
  EXPECT_TRUE(bench::expand_nodelist(list).empty());
  list = "n[" + std::string(100'000, '0') + "-99999]";
  EXPECT_TRUE(bench::expand_nodelist(list).empty());
  EXPECT_TRUE(bench::expand_nodelist(std::string(100'000, 'n')).empty());
  EXPECT_TRUE(bench::expand_nodelist("n" + std::string(200'000, ',') + "n").empty());
}

TEST(Nodelist, NumbersInNamesAreInTheirOrder) {
  Names names{"n10", "n10c01", "n2",    "n1c01",    "10",     "n",
              "2",   "n02",    "login", "n1c01/10", "n1c01/2"};
  std::sort(names.begin(), names.end(), bench::NodeOrder());
  EXPECT_EQ(names, (Names{"2", "10", "login", "n", "n1c01", "n1c01/2", "n1c01/10", "n02", "n2",
                          "n10", "n10c01"}));
}

Names ranges(const Names& names) {
  Names found;
  for (const bench::NodeRange& one : bench::node_ranges(names)) found.push_back(one.text);
  return found;
}

TEST(Nodelist, NamesWithConsecutiveNumbersAreOneRange) {
  EXPECT_EQ(ranges({"n10", "n2", "n9", "n1", "n8"}), (Names{"n[1-2]", "n[8-10]"}));
  EXPECT_EQ(ranges({"n09", "n10", "n011", "n12"}), (Names{"n[09-10]", "n12", "n011"}));
  EXPECT_EQ(ranges({"login", "r1n1/gpu1", "r1n2/gpu1", "r2n3/gpu1", "7", "8"}),
            (Names{"[7-8]", "login", "r1n[1-2]/gpu1", "r2n3/gpu1"}));
  EXPECT_EQ(ranges({"n18446744073709551615", "n18446744073709551616"}).size(), 2U);
  EXPECT_EQ(bench::node_ranges({"n1", "n2", "n3"}).at(0).nodes, 3U);
}

}  // namespace
