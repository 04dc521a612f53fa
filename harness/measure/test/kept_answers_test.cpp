#include "harness/measure/kept_answers.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace bench::test {
namespace {

constexpr double honestly = 3e-3;
constexpr double from_memory = 1e-4;
constexpr int few_samples = 12;
constexpr int many_in_doubt = 24;

/// A node on which most runs wait for a processor.
class BusyNode {
 public:
  Effort effort(double work) {
    const bool waits = std::bernoulli_distribution(0.6)(random_);
    return {work + (waits ? std::exponential_distribution(250.0)(random_) : 0), work, 0};
  }

 private:
  std::mt19937 random_{1};
};

TEST(KeptAnswers, NothingIsSaidOfNothing) { EXPECT_EQ(KeptAnswers().times(), 0); }

TEST(KeptAnswers, WhoComputesInEveryOtherCallIsSeen) {
  KeptAnswers cheat;
  for (int i = 0; i < few_samples; ++i) cheat.usual({i % 2 == 0 ? honestly : from_memory, 0, 0});
  for (int i = 0; i < 3; ++i) cheat.on_new_inputs({honestly, 0, 0});
  EXPECT_GT(cheat.times(), 10);
}

TEST(KeptAnswers, TheSampleAfterNewInputsIsNotUsual) {
  KeptAnswers cheat;
  for (int i = 0; i < 3; ++i) {
    cheat.on_new_inputs({honestly, 0, 0});
    cheat.usual({honestly, 0, 0});
  }
  cheat.usual({from_memory, 0, 0});
  EXPECT_GT(cheat.times(), 10);
}

TEST(KeptAnswers, ABusyNodeHidesNobody) {
  BusyNode node;
  for (int file = 0; file < 1000; ++file) {
    KeptAnswers cheat;
    for (int i = 0; i < few_samples; ++i)
      cheat.usual(node.effort(i % 3 == 0 ? honestly : from_memory));
    for (int i = 0; i < many_in_doubt; ++i) cheat.on_new_inputs(node.effort(honestly));
    EXPECT_GT(cheat.times(), 10);
  }
}

TEST(KeptAnswers, WhereAllNewInputsWaitNothingIsCertain) {
  // After new inputs have been drawn, the scheduler lets others run first.
  KeptAnswers either;
  for (int i = 0; i < many_in_doubt; ++i) {
    either.on_new_inputs({honestly + 5e-3, honestly, 5e-3});
    EXPECT_FALSE(either.is_certain());
  }
  for (int i = 0; i < 3; ++i) either.on_new_inputs({honestly, honestly, 1e-5});
  EXPECT_TRUE(either.is_certain());
}

TEST(KeptAnswers, OfShortRunsThatWaitedNothingIsCertain) {
  const auto waits = [](double work) { return Effort{work + 5e-3, work, 5e-3, work}; };
  KeptAnswers is_short;
  KeptAnswers is_long;
  for (int i = 0; i < many_in_doubt; ++i) {
    is_short.on_new_inputs(waits(5e-6));
    is_long.on_new_inputs(waits(honestly));
  }
  EXPECT_FALSE(is_short.is_certain());
  EXPECT_TRUE(is_long.is_certain());
}

TEST(KeptAnswers, AFewMicrosecondsAccuseNobody) {
  KeptAnswers is_short;
  KeptAnswers is_long;
  for (int i = 0; i < few_samples; ++i) {
    is_short.usual({15e-6, 15e-6, 0});
    is_long.usual({15e-4, 15e-4, 0});
    is_short.on_new_inputs({21e-6, 21e-6, 0});
    is_long.on_new_inputs({21e-4, 21e-4, 0});
  }
  EXPECT_TRUE(is_short.seems_slow() && is_short.is_too_short());
  EXPECT_TRUE(is_long.seems_slow() && !is_long.is_too_short());
}

TEST(KeptAnswers, WhatWaitsSeemsSlowAndIsNotYetCertain) {
  KeptAnswers cheat;
  for (int i = 0; i < few_samples; ++i) cheat.usual({from_memory, from_memory, 0});
  for (int i = 0; i < many_in_doubt; ++i) {
    cheat.on_new_inputs({honestly + 5e-3, honestly, 5e-3});
    EXPECT_TRUE(cheat.seems_slow());
    EXPECT_FALSE(cheat.is_certain());
  }
  for (int i = 0; i < 3; ++i) cheat.on_new_inputs({honestly, honestly, 0});
  EXPECT_TRUE(cheat.is_certain());

  KeptAnswers sound;
  for (int i = 0; i < few_samples; ++i) sound.usual({honestly, honestly, 0});
  sound.on_new_inputs({honestly, honestly, 0});
  EXPECT_FALSE(sound.seems_slow());
}

TEST(KeptAnswers, WhatTheBusiestThreadHadIsCertainOnABusyNode) {
  KeptAnswers cheat;
  KeptAnswers sound;
  for (int i = 0; i < few_samples; ++i) {
    cheat.usual({from_memory + 5e-3, from_memory, 5e-3, from_memory});
    sound.usual({honestly, honestly, 0, honestly});
  }
  for (int i = 0; i < 3; ++i) {
    cheat.on_new_inputs({honestly + 5e-3, honestly, 5e-3, honestly});
    sound.on_new_inputs({honestly + 5e-3, honestly, 5e-3, 1.1 * honestly});
  }
  EXPECT_TRUE(cheat.seems_slow() && cheat.is_certain());
  EXPECT_FALSE(sound.seems_slow());
}

TEST(KeptAnswers, ABusyNodeAccusesNobody) {
  BusyNode node;
  for (int file = 0; file < 1000; ++file) {
    KeptAnswers sound;
    for (int i = 0; i < few_samples; ++i) sound.usual(node.effort(honestly));
    for (int i = 0; i < many_in_doubt; ++i) sound.on_new_inputs(node.effort(honestly));
    EXPECT_FALSE(sound.seems_slow());
  }
}

}  // namespace
}  // namespace bench::test
