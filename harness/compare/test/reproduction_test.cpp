#include "harness/compare/reproduction.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "harness/compare/test/timed.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// A run in which the threads were `factor` times faster than one.
Document run(double factor, double seconds = 1) {
  return document_of_groups(
      {group_of({timed(seconds), timed(seconds / factor, "energy", "openmp")})});
}

/// The same, of which only that is known.
Document vague_run(double factor) {
  Document document = run(factor);
  document.cases.back().over_serial->ci95 = {factor * 0.95, factor * 1.05};
  return document;
}

Claim claim(const Document& recorded, const Document& here) {
  return reproduce(recorded, here, 0.1).claims.at(0);
}

int code(const Document& recorded, const Document& here) {
  return exit_code(reproduce(recorded, here, 0.1));
}

TEST(Reproduction, ARatioIsAClaimWhateverTheTimes) {
  EXPECT_EQ(claim(run(4), run(4, 30)).outcome, Outcome::holds);
  EXPECT_EQ(claim(run(4), run(4.2)).outcome, Outcome::holds);
  EXPECT_EQ(claim(run(4), run(3)).outcome, Outcome::refuted);
  EXPECT_EQ(claim(run(4), run(5)).outcome, Outcome::refuted);
  EXPECT_EQ(claim(run(4), vague_run(4.4)).outcome, Outcome::untold);
}

TEST(Reproduction, TheBaselineAndReferencesClaimNothing) {
  Document recorded = run(4);
  EXPECT_EQ(claims_of(recorded).size(), 1U);
  EXPECT_EQ(claims_of(recorded).at(0)->backend, "openmp");
  recorded.cases.back().reference = true;
  EXPECT_TRUE(claims_of(recorded).empty());
}

TEST(Reproduction, ErrorsOfBothRunsAddUpInSquares) {
  Document recorded = run(4);
  Document here = run(4);
  recorded.cases.back().over_serial->ci95 = {4 / 1.03, 4 * 1.03};
  here.cases.back().over_serial->ci95 = {4 / 1.04, 4 * 1.04};
  const Interval interval = claim(recorded, here).change->ci95;
  EXPECT_NEAR(interval.high, 1.05, 0.001);
  EXPECT_NEAR(interval.low, 1 / 1.05, 0.001);
}

// Of forty equal claims two are outside of their intervals.
TEST(Reproduction, OneOfManyClaimsIsRefutedByMoreThanItsOwnInterval) {
  const auto claimed = [](double factor, std::size_t claims) {
    std::vector<Case> cases{timed(1)};
    for (std::size_t i = 0; i < claims; ++i) {
      cases.push_back(timed(1 / factor, "energy", "openmp"));
      cases.back().variant = fmt::format("v{}", i);
      cases.back() = named(cases.back());
    }
    return document_of_groups({group_of(cases)});
  };
  for (const auto& [claims, outcome] : {std::pair{1U, Outcome::refuted}, {40U, Outcome::untold}}) {
    Document here = claimed(4.55, claims);
    here.cases.at(1).over_serial->ci95 = {4.41, 4.69};
    EXPECT_EQ(reproduce(claimed(4, claims), here, 0.1).claims.at(0).outcome, outcome) << claims;
  }
}

TEST(Reproduction, ExitCodes) {
  EXPECT_EQ(code(run(4), run(4)), 0);
  EXPECT_EQ(code(run(4), run(3)), 3);
  EXPECT_EQ(code(run(4), vague_run(4.4)), 4);
}

TEST(Reproduction, WhatThisNodeCannotMeasureIsSaid) {
  Document here = run(4);
  CaseRecord& one = here.cases.back();
  one.status = Status::skipped;
  one.reason = "no device";
  one.over_serial = {};
  const Claim skipped = claim(run(4), here);
  EXPECT_EQ(skipped.outcome, Outcome::untold);
  EXPECT_EQ(skipped.reason, "no device");
  here.cases.pop_back();
  EXPECT_EQ(claim(run(4), here).untold, Untold::not_here);
  EXPECT_EQ(code(run(4), here), 4);
}

TEST(Reproduction, WhatGivesWrongAnswersHereIsAFailure) {
  Document here = run(4);
  CaseRecord& one = here.cases.back();
  one.status = Status::failed;
  one.reason = "wrote nothing";
  one.over_serial = {};
  EXPECT_EQ(claim(run(4), here).outcome, Outcome::failed);
  EXPECT_EQ(code(run(4), here), 1);
}

// Samples that waited for a processor are others', too; also those of the baseline.
TEST(Reproduction, ABusyNodeRefutesNothing) {
  for (const std::size_t of : {0U, 1U}) {
    Document here = run(3);
    here.cases.at(of).seconds->preempted = 20;
    const Claim busy = claim(run(4), here);
    EXPECT_EQ(busy.outcome, Outcome::untold);
    EXPECT_EQ(busy.untold, Untold::busy);

    Document recorded = run(4);
    recorded.cases.at(of).seconds->preempted = 20;
    EXPECT_EQ(claim(recorded, run(3)).outcome, Outcome::untold) << "busy when it was recorded";
  }
}

// Neither for nor against a claim; also those of the baseline.
TEST(Reproduction, FewSamplesTellNothing) {
  for (const double factor : {3, 4}) {
    for (const std::size_t of : {0U, 1U}) {
      Document few = run(factor);
      few.cases.at(of).rounds = 5;
      for (const Claim& one : {claim(run(4), few), claim(few, run(4))}) {
        EXPECT_EQ(one.outcome, Outcome::untold);
        EXPECT_EQ(one.untold, Untold::few_samples);
      }
    }
  }
}

TEST(Reproduction, OtherThreadsAreAnotherClaim) {
  Document here = run(4);
  here.cases.back().threads = 1;
  EXPECT_EQ(claim(run(4), here).outcome, Outcome::untold);
  // Where as many are not the node's default, the name says so.
  here = run(4);
  CaseRecord& one = here.cases.back();
  one.parameters["threads"] = "2";
  one.name = one.name_with(one.parameters);
  EXPECT_EQ(claim(run(4), here).outcome, Outcome::holds);
}

TEST(Reproduction, AnotherInstructionSetIsADifferenceNotAnotherClaim) {
  Document here = run(4);
  CaseRecord& one = here.cases.back();
  one.parameters["isa"] = "avx2";
  one.name = one.name_with(one.parameters);
  here.context.run.isa = "narrow";
  const Reproduction found = reproduce(run(4), here, 0.1);
  EXPECT_EQ(found.claims.at(0).outcome, Outcome::holds);
  EXPECT_EQ(found.differences.at(0), (DifferingFact{"isa", "avx2", "narrow"}));
}

}  // namespace
}  // namespace bench::test
