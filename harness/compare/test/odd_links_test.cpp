#include "harness/compare/odd_links.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

namespace bench::test {
namespace {

constexpr double tolerance = 0.1;

/// Nine samples that are up to 1 % from this time.
std::vector<double> samples_of(double seconds, std::mt19937& random) {
  std::uniform_real_distribution<double> noise(0.99, 1.01);
  std::vector<double> all;
  for (int i = 0; i < 9; ++i) all.push_back(seconds * noise(random));
  return all;
}

std::string node(int number) { return fmt::format("n{:02}", number); }

/// All pairs of nodes. `factor` of a pair: how much longer than the others it takes.
template <class Factor>
std::vector<LinkTimes> pairs_of(int nodes, unsigned seed, const Factor& factor) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> place(0.98, 1.02);
  std::vector<LinkTimes> all;
  for (int a = 0; a < nodes; ++a) {
    for (int b = a + 1; b < nodes; ++b) {
      const double seconds = 1e-3 * place(random) * factor(a, b);
      all.push_back({Way::between_nodes, node(a), node(b), 1 << 20, samples_of(seconds, random)});
    }
  }
  return all;
}

std::vector<LinkTimes> copies_of(const std::vector<double>& seconds) {
  std::mt19937 random(1);
  std::vector<LinkTimes> all;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    all.push_back(
        {Way::to_device, fmt::format("GPU {}", i), "", 1 << 20, samples_of(seconds[i], random)});
  }
  return all;
}

TEST(OddLinks, EqualOnesAreFine) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    for (const int nodes : {3, 4, 8, 20}) {
      const LinkVerdicts found =
          odd_links(pairs_of(nodes, seed, [](int, int) { return 1; }), tolerance);
      EXPECT_TRUE(found.odd.empty()) << nodes << " " << found.odd[0].from << found.odd[0].to;
      EXPECT_EQ(exit_code(found), Exit::fine);
    }
  }
}

TEST(OddLinks, NodeWhoseLinksAreAllSlowIsNamedAlone) {
  for (const int nodes : {3, 4, 5, 8, 20}) {
    const LinkVerdicts found = odd_links(
        pairs_of(nodes, 7, [](int a, int b) { return a == 1 || b == 1 ? 1.6 : 1; }), tolerance);
    ASSERT_EQ(found.odd.size(), 1U) << nodes;
    EXPECT_EQ(found.odd[0].from, "n01");
    EXPECT_EQ(found.odd[0].to, "");
    EXPECT_NEAR(found.odd[0].speed.value, 1 / 1.6, 0.03);
    if (nodes > 4) {  // of fewer the scatter between links is not known
      EXPECT_LT(found.odd[0].speed.ci95.low, 1 / 1.6);
      EXPECT_GT(found.odd[0].speed.ci95.high, 1 / 1.6);
    }
    EXPECT_EQ(exit_code(found), Exit::slower);
  }
}

TEST(OddLinks, TwoNodesAreNamedBoth) {
  const LinkVerdicts found =
      odd_links(pairs_of(12, 3, [](int a, int b) { return a < 2 || b < 2 ? 1.5 : 1; }), tolerance);
  ASSERT_EQ(found.odd.size(), 2U);
  EXPECT_EQ(found.odd[0].to + found.odd[1].to, "");
}

TEST(OddLinks, OnePairIsNamedAsAPair) {
  for (const int nodes : {3, 4, 5, 20}) {
    const LinkVerdicts found = odd_links(
        pairs_of(nodes, 9, [](int a, int b) { return a == 1 && b == 2 ? 1.6 : 1; }), tolerance);
    ASSERT_EQ(found.odd.size(), 1U) << nodes;
    EXPECT_EQ(found.odd[0].from, "n01") << nodes;
    EXPECT_EQ(found.odd[0].to, "n02") << nodes;
  }
}

TEST(OddLinks, DeviceIsNamed) {
  const LinkVerdicts found = odd_links(copies_of({1e-3, 1e-3, 1e-3, 1.63e-3}), tolerance);
  ASSERT_EQ(found.odd.size(), 1U);
  EXPECT_EQ(found.odd[0].from, "GPU 3");
  EXPECT_NEAR(found.odd[0].speed.value, 0.61, 0.02);
  ASSERT_EQ(found.ways.size(), 1U);
  EXPECT_EQ(found.ways[0].links, 4U);
}

TEST(OddLinks, TwoSpeedsOfHalfOfThemAreHowTheNodeIsBuilt) {
  const LinkVerdicts found = odd_links(copies_of({1, 1, 1, 1, 1.3, 1.3, 1.3, 1.3}), tolerance);
  EXPECT_TRUE(found.odd.empty());
}

TEST(OddLinks, OfTwoNobodyKnowsWhichIsOdd) {
  const LinkVerdicts found = odd_links(copies_of({1e-3, 2e-3}), tolerance);
  EXPECT_TRUE(found.odd.empty());
  EXPECT_EQ(exit_code(found), Exit::unclear);
  EXPECT_EQ(exit_code(odd_links({}, tolerance)), Exit::unclear);
}

}  // namespace
}  // namespace bench::test
