#include "harness/measure/perturbation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "harness/measure/test/fakes.hpp"

namespace bench::test {
namespace {

struct Filled {
  explicit Filled(std::size_t n) : input(n), output(n) {
    for (std::size_t i = 0; i < n; ++i) input[i] = static_cast<float>(i);
  }
  Arrays arrays() { return {{input.data()}, output.data()}; }

  std::vector<float> input;
  std::vector<float> output;
};

TEST(Perturbation, ChangesAFewElementsToValuesThatAreThereAndPutsThemBack) {
  Filled filled(10'000);
  const std::vector<float> before = filled.input;
  const TwiceProblem problem({.cols = 10'000});
  Secret secret(secret_source);
  Perturbation changed(problem, filled.arrays(), drawn(secret));
  std::size_t differing = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (filled.input[i] == before[i]) continue;
    ++differing;
    EXPECT_EQ(std::count(before.begin(), before.end(), filled.input[i]), 1);
  }
  EXPECT_GT(differing, 20U);
  EXPECT_LE(differing, 32U);
  EXPECT_TRUE(changed.undo());
  EXPECT_EQ(filled.input, before);
}

TEST(Perturbation, SaysWhichResultsItDecides) {
  Filled filled(10'000);
  const std::vector<float> before = filled.input;
  const TwiceProblem problem({.cols = 10'000});
  Secret secret(secret_source);
  const Perturbation changed(problem, filled.arrays(), drawn(secret));
  std::set<std::size_t> outputs;
  for (std::size_t k = 0; k < changed.outputs().size(); ++k) outputs.insert(changed.outputs()[k]);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_TRUE(filled.input[i] == before[i] || outputs.contains(i)) << i;
  }
  const CountProblem counts({.cols = 10'000, .bins = 4});
  EXPECT_TRUE(Perturbation(counts, filled.arrays(), drawn(secret)).outputs().are_all());
}

TEST(Perturbation, IsAnotherEachTime) {
  Filled filled(10'000);
  const TwiceProblem problem({.cols = 10'000});
  Secret secret(secret_source);
  std::set<std::vector<float>> seen;
  for (int i = 0; i < 10; ++i) {
    const Perturbation changed(problem, filled.arrays(), drawn(secret));
    seen.insert(filled.input);
  }
  EXPECT_EQ(seen.size(), 10U);
}

TEST(Perturbation, OfTheSameSeedIsTheSame) {
  Filled filled(10'000);
  const TwiceProblem problem({.cols = 10'000});
  std::set<std::vector<float>> seen;
  for (int i = 0; i < 2; ++i) {
    const Perturbation changed(problem, filled.arrays(), 7);
    seen.insert(filled.input);
  }
  EXPECT_EQ(seen.size(), 1U);
}

TEST(Perturbation, LooksAlsoAtResultsThatItDoesNotDecide) {
  Filled filled(100'000);
  const std::vector<float> before = filled.input;
  const TwiceProblem problem({.cols = 100'000});
  Secret secret(secret_source);
  const Perturbation changed(problem, filled.arrays(), drawn(secret));
  int unchanged = 0;
  for (std::size_t k = 0; k < changed.outputs().size(); ++k) {
    const std::size_t i = changed.outputs()[k];
    unchanged += filled.input[i] == before[i] ? 1 : 0;
  }
  EXPECT_GE(unchanged, 7);
}

// Else three inputs would be all that there are.
TEST(Perturbation, MakesInputsOfFewElementsNew) {
  Filled filled(2);
  const std::vector<float> before = filled.input;
  const CountProblem counts({.cols = 2, .bins = 3});
  Secret secret(secret_source);
  std::set<std::vector<float>> seen;
  for (int i = 0; i < 20; ++i) {
    Perturbation changed(counts, filled.arrays(), drawn(secret));
    seen.insert(filled.input);
    EXPECT_TRUE(changed.undo());
    EXPECT_EQ(filled.input, before);
  }
  EXPECT_EQ(seen.size(), 20U);
}

TEST(Perturbation, NoticesWhoWritesWhereItChanged) {
  Filled filled(1'000);
  const std::vector<float> before = filled.input;
  const TwiceProblem problem({.cols = 1'000});
  Secret secret(secret_source);
  Perturbation changed(problem, filled.arrays(), drawn(secret));
  filled.input[changed.outputs()[0]] = -1;
  EXPECT_FALSE(changed.undo());
  EXPECT_EQ(filled.input, before);
}

TEST(Perturbation, TakesArraysOfAnySize) {
  Secret secret(secret_source);
  for (const std::size_t n : {0U, 1U, 2U, 31U, 32U, 33U}) {
    Filled filled(n);
    const std::vector<float> before = filled.input;
    for (int i = 0; i < 20; ++i) {
      const TwiceProblem problem({.cols = n});
      const CountProblem counts({.cols = n, .bins = 3});
      EXPECT_TRUE(Perturbation(problem, filled.arrays(), drawn(secret)).undo());
      EXPECT_TRUE(Perturbation(counts, filled.arrays(), drawn(secret)).undo());
      EXPECT_EQ(filled.input, before);
    }
  }
}

}  // namespace
}  // namespace bench::test
