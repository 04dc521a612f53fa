#include "harness/compare/suspects.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "harness/compare/test/findings.hpp"
#include "harness/document/test/records.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// One pass of a node, whose 95 % intervals are ±0.5 %.
NodeRun pass_of_suspect(const std::string& node, const std::vector<double>& seconds) {
  Document document{context(), {}, {}, {}};
  document.context.run.node = node;
  document.context.run.finished = true;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    CaseRecord& one = document.cases.emplace_back();
    one.workload = fmt::format("w{}", i);
    one.backend = "openmp";
    one.variant = "simd";
    one.size = "1000";
    one.status = Status::measured;
    one.rounds = 10;
    one.seconds.emplace().median = seconds[i];
    one.seconds->ci95 = {seconds[i] * 0.995, seconds[i] * 1.005};
    one.name = one.name_with({});
  }
  return node_run(document, node + ".json", {});
}

NodeComparison with_threshold_10(std::vector<NodeRun> runs) {
  NodeComparisonInput input;
  input.runs = std::move(runs);
  input.threshold = 0.1;
  return compare_nodes(std::move(input));
}

Names suspected(const NodeComparison& comparison) { return nodes_of(comparison, {Found::suspect}); }

/// Equal nodes and one more, `last`, which takes these times of theirs.
NodeComparison with_last(int equal, const std::vector<double>& last) {
  std::vector<NodeRun> runs;
  for (int i = 1; i <= equal; ++i) {
    const std::vector<double> times(last.size(), 1 + 0.001 * i);
    runs.push_back(pass_of_suspect(fmt::format("n{}", i), times));
  }
  runs.push_back(pass_of_suspect("last", last));
  return with_threshold_10(std::move(runs));
}

TEST(Suspects, ANodeThatIsALittleSlowInEveryColumnIsNamed) {
  const NodeComparison found = with_last(7, std::vector<double>(8, 1.06));
  EXPECT_EQ(slow(found), Names{});
  ASSERT_EQ(suspected(found), Names{"last"});
  EXPECT_EQ(exit_code(found, false), 0);
  const std::string text = node_comparison_text(found);
  expect_contains(text, "\nsuspect: last: 1.06× [1.0");
  expect_contains(text,
                  "the time of the median node, slower in 8 of 8\n  columns (best CPU variant)\n");
  expect_contains(text, "8 nodes compared, 0 slow, 1 suspected\n");
  const Json json = node_comparison_json(found, false).at("suspects");
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json.at(0).at("node"), "last");
  EXPECT_EQ(json.at(0).at("workload"), "all");
  EXPECT_EQ(json.at(0).at("slower_columns"), 8);
  EXPECT_EQ(json.at(0).at("columns"), 8);
  EXPECT_GT(json.at(0).at("ratio").at("ci95").at(0), 1);
  const std::string csv = node_comparison_csv(found);
  expect_contains(csv, ",last.json,yes");
  EXPECT_EQ(csv.find(",yes"), csv.rfind(",yes"));
}

TEST(Suspects, NearlyEveryColumnIsEnoughAndOneIsNot) {
  std::vector<double> times(8, 1.05);
  times[3] = 1;
  EXPECT_EQ(suspected(with_last(7, times)), Names{"last"});
  times[4] = 1;
  EXPECT_EQ(suspected(with_last(7, times)), Names{});
  std::vector<double> in_one(8, 1);
  in_one[3] = 1.7;  // slow, and a little slow all together
  const NodeComparison found = with_last(7, in_one);
  EXPECT_EQ(slow(found), Names{"last"});
  EXPECT_EQ(suspected(found), Names{});
}

TEST(Suspects, OfFewNodesNobodyKnowsHowFarTheyAreApart) {
  EXPECT_EQ(suspected(with_last(3, std::vector<double>(8, 1.06))), Names{});
  EXPECT_EQ(suspected(with_last(4, std::vector<double>(8, 1.06))), Names{"last"});
}

TEST(Suspects, AmongManyNodesItHasItsRow) {
  std::vector<NodeRun> runs;
  for (int i = 0; i < 50; ++i) {
    runs.push_back(pass_of_suspect(fmt::format("n{}", i), std::vector<double>(8, 1)));
  }
  runs.push_back(pass_of_suspect("last", std::vector<double>(8, 1.04)));
  expect_contains(node_comparison_text(with_threshold_10(std::move(runs))),
                  "\n  last          1.04 ");
}

/// A survey with the noise of a sound cluster: 0.5 % between nodes, and 0.3 % between the three
/// passes, of all columns and of each. The node n0 takes `factor` times its time.
NodeComparison noisy_survey(std::mt19937& random, double factor) {
  std::normal_distribution<double> of_node(1, 0.005);
  std::normal_distribution<double> of_pass(1, 0.003);
  std::vector<NodeRun> runs;
  for (int node = 0; node < 16; ++node) {
    const double nature = of_node(random) * (node == 0 ? factor : 1);
    std::vector<NodeRun> passes;
    for (int pass = 0; pass < 3; ++pass) {
      const double now = nature * of_pass(random);
      std::vector<double> times(8);
      std::generate(times.begin(), times.end(), [&] { return now * of_pass(random); });
      passes.push_back(pass_of_suspect(fmt::format("n{}", node), times));
    }
    runs.push_back(merged(passes));
  }
  return with_threshold_10(std::move(runs));
}

/// How many of 100 surveys name n0; none names another node.
int surveys_that_name_it(double factor) {
  std::mt19937 random(1);
  int named = 0;
  for (int survey = 0; survey < 100; ++survey) {
    const NodeComparison found = noisy_survey(random, factor);
    EXPECT_EQ(slow(found), Names{});
    for (const std::string& node : suspected(found)) {
      EXPECT_EQ(node, "n0");
      ++named;
    }
  }
  return named;
}

TEST(Suspects, NoSoundNodeIsNamed) { EXPECT_EQ(surveys_that_name_it(1), 0); }
TEST(Suspects, SixPercentAreFoundNearlyAlways) { EXPECT_GE(surveys_that_name_it(1.06), 90); }
TEST(Suspects, ThreePercentAreFoundMostly) { EXPECT_GE(surveys_that_name_it(1.03), 70); }

}  // namespace
}  // namespace bench::test
