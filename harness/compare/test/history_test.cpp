#include "harness/compare/history.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/compare/node_comparison.hpp"
#include "harness/compare/test/findings.hpp"
#include "harness/document/test/records.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// Surveys of equal nodes in consecutive weeks. `factor`: of a node's time in a week.
struct Year {
  int nodes = 16;
  int weeks = 52;
  std::function<double(int node, int week)> factor = [](int, int) { return 1.0; };
};

NodeRun node_in_week(int node, int week, double seconds) {
  static const NodeRun without_times = node_run({context(), {}, {}, {}}, "", {});
  NodeRun run = without_times;
  run.host = run.node = fmt::format("n{}", node);
  run.file = fmt::format("w{}/{}.json", week, run.node);
  run.started = fmt::format("2026-{:02}-{:02}T10:00:{:02}Z", 1 + week / 4, 1 + 7 * (week % 4),
                            std::min(node, 59));
  run.finished = true;
  const Column column{Best::on_cpu, "best CPU variant", "all", "f32", "2 sizes", "", {"a", "b"}};
  run.times.push_back({column, seconds, 0.001, 0.001, "all together", false, Scope::kernel});
  return run;
}

/// Surveys with 0.4 % of noise, and a driver that changes all nodes in the tenth week.
std::vector<std::vector<NodeRun>> surveys_of(const Year& year, std::mt19937& random) {
  constexpr double of_driver = 1.2;
  std::normal_distribution<double> noise(0, 0.004);
  std::normal_distribution<double> of_node(0, 0.02);
  std::vector<double> own(static_cast<std::size_t>(year.nodes));
  std::generate(own.begin(), own.end(), [&] { return of_node(random); });
  std::vector<std::vector<NodeRun>> surveys;
  for (int week = 0; week < year.weeks; ++week) {
    std::vector<NodeRun>& survey = surveys.emplace_back();
    for (int node = 0; node < year.nodes; ++node) {
      const double seconds = std::exp(own[static_cast<std::size_t>(node)] + noise(random)) *
                             year.factor(node, week) * (week >= 10 ? of_driver : 1);
      survey.push_back(node_in_week(node, week, seconds));
    }
  }
  return surveys;
}

NodeComparison looked_back(std::vector<std::vector<NodeRun>> surveys) {
  NodeComparisonInput input;
  input.threshold = 0.1;
  input.runs = std::move(surveys.back());
  surveys.pop_back();
  for (const auto& survey : surveys) input.history.push_back(survey_of(survey));
  return compare_nodes(std::move(input));
}

NodeComparison looked_back(const Year& year) {
  std::mt19937 random(1);
  return looked_back(surveys_of(year, random));
}

std::set<std::string> slower_nodes(const NodeComparison& comparison) {
  const Names nodes = nodes_of(comparison, {Found::slower_since});
  return {nodes.begin(), nodes.end()};
}

using NodeSet = std::set<std::string>;

TEST(History, SaysSinceWhenANodeIsSlower) {
  const NodeComparison found = looked_back(
      Year{16, 40, [](int node, int week) { return node == 5 && week >= 30 ? 1.08 : 1; }});
  ASSERT_EQ(slower_nodes(found), NodeSet{"n5"});
  const Finding one = found.found({Found::slower_since}).at(0);
  EXPECT_EQ(one.values.at("since"), "2026-08-15");
  EXPECT_NEAR(one.ratio.value, 1.08, 0.005);
  EXPECT_GT(one.ratio.ci95.low, 1.05);
  EXPECT_EQ(one.values.at("surveys_before"), 30U);
  EXPECT_EQ(one.values.at("surveys_since"), 10U);
  EXPECT_EQ(exit_code(found, false), 3);
  const std::string text = node_comparison_text(found);
  expect_contains(text, "\nslower than before: n5: 1.08× [1.0");
  expect_contains(text, "] since 2026-08-15 (best CPU variant)\n");
  expect_contains(text,
                  "39 earlier surveys, from 2026-01-01\n  to 2026-10-15; what is common to all "
                  "nodes is removed\n");
  expect_contains(text, "16 nodes compared, 0 slow, 1 slower than before");
  const Json json = node_comparison_json(found, false).at("slower_since").at(0);
  EXPECT_EQ(json.at("node"), "n5");
  EXPECT_EQ(json.at("since"), "2026-08-15");
  EXPECT_EQ(json.at("surveys_since"), 10);
  expect_contains(node_comparison_csv(found), "n5.json,no,2026-08-15,1.08");
}

TEST(History, SaysWhatChangedOnThatDate) {
  std::mt19937 random(1);
  const auto slower = [](int node, int week) { return node == 5 && week >= 20 ? 1.08 : 1; };
  auto surveys = surveys_of(Year{16, 30, slower}, random);
  for (std::size_t week = 0; week < surveys.size(); ++week) {
    for (NodeRun& run : surveys[week]) {
      if (week >= 20) run.facts["BIOS"] = "2.1";  // nobody asked before
      run.facts["kernel"] = week >= 20 && run.node == "n5" ? "6.19" : "6.18";
      run.facts["driver"] = week >= 10 ? "590" : "580";
    }
  }
  const NodeComparison found = looked_back(surveys);
  ASSERT_EQ(slower_nodes(found), NodeSet{"n5"});
  const std::string text = node_comparison_text(found);
  expect_contains(text, "(best CPU variant);\n  kernel 6.19 (before 6.18)\n");
  // The driver is that of all.
  const Findings common = found.found({Found::all_slower_since});
  ASSERT_EQ(common.size(), 1U);
  EXPECT_EQ(common[0].values.at("since"), "2026-03-15");
  EXPECT_NEAR(common[0].ratio.value, 1.2, 0.01);
  expect_contains(text, "slower than before: all nodes (");
  expect_contains(text, "driver 590 (before 580)");
  expect_contains(text, ", 1 slower than before, all slower than before");
  const Json json = node_comparison_json(found, false);
  EXPECT_EQ(json.at("slower_since").at(0).at("changed").at(0).at("now"), "6.19");
  EXPECT_EQ(json.at("all_slower_since").at(0).at("changed").at(0).at("name"), "driver");
  EXPECT_EQ(exit_code(found, false), 3);
}

TEST(History, WhatMovesAllNodesFromSurveyToSurveyIsNoStep) {
  std::mt19937 random(1);
  std::size_t named = 0;
  for (int year = 0; year < 20; ++year) {
    std::vector<double> of_week(10);
    std::normal_distribution<double> noise(0, 0.01);
    std::generate(of_week.begin(), of_week.end(), [&] { return std::exp(noise(random)); });
    const auto moved = [&](int, int week) { return of_week[static_cast<std::size_t>(week)]; };
    const NodeComparison found = looked_back(surveys_of(Year{16, 10, moved}, random));
    named += found.found({Found::all_slower_since}).size();
  }
  EXPECT_LE(named, 1U);
}

TEST(History, AStepOfTheLastSurveyIsFound) {
  const auto step = [](int node, int week) { return node == 5 && week == 9 ? 1.08 : 1; };
  EXPECT_EQ(slower_nodes(looked_back(Year{16, 10, step})), NodeSet{"n5"});
  // Of two surveys, too.
  EXPECT_EQ(slower_nodes(looked_back(
                Year{16, 2, [](int node, int week) { return node == 5 && week == 1 ? 1.08 : 1; }})),
            NodeSet{"n5"});
}

TEST(History, WhatHasPassedIsNotNamed) {
  const auto repaired = [](int node, int week) {
    return node == 5 && week >= 10 && week < 20 ? 1.08 : 1;
  };
  EXPECT_EQ(slower_nodes(looked_back(Year{16, 30, repaired})), NodeSet{});
  const auto one_week = [](int node, int week) { return node == 5 && week == 20 ? 1.3 : 1; };
  EXPECT_EQ(slower_nodes(looked_back(Year{16, 30, one_week})), NodeSet{});
  const auto faster = [](int node, int week) { return node == 5 && week >= 20 ? 0.9 : 1; };
  EXPECT_EQ(slower_nodes(looked_back(Year{16, 30, faster})), NodeSet{});
}

TEST(History, ANodeMayBeMissingForWeeksAndASurveyMayBeOfFewNodes) {
  std::mt19937 random(1);
  auto surveys = surveys_of(
      Year{16, 30, [](int node, int week) { return node == 5 && week >= 20 ? 1.08 : 1; }}, random);
  surveys[20].erase(surveys[20].begin() + 5);
  surveys[25] = {surveys[25][5]};
  surveys[29].push_back(node_in_week(99, 29, 9));
  const NodeComparison found = looked_back(surveys);
  ASSERT_EQ(slower_nodes(found), NodeSet{"n5"});
  const Finding one = found.found({Found::slower_since}).at(0);
  EXPECT_EQ(one.values.at("since"), "2026-06-08");
  EXPECT_EQ(one.values.at("surveys_since"), 8U);
  expect_contains(node_comparison_text(found), "so left out: n99\n");
}

TEST(History, OtherHardwareAndOtherSizesAreNoHistory) {
  std::mt19937 random(1);
  const auto slower = [](int node, int week) { return node == 5 && week >= 20 ? 1.08 : 1; };
  for (const auto& change : std::vector<std::function<void(NodeRun&)>>{
           [](NodeRun& run) { run.cpu_model = "Y"; },
           [](NodeRun& run) { run.times[0].column.pooled = {"a"}; }}) {
    auto surveys = surveys_of(Year{16, 30, slower}, random);
    for (std::size_t week = 0; week < 20; ++week) {
      for (NodeRun& run : surveys[week]) change(run);
    }
    EXPECT_EQ(slower_nodes(looked_back(surveys)), NodeSet{});
    for (std::size_t week = 20; week < 29; ++week) {
      for (NodeRun& run : surveys[week]) change(run);
    }
    const NodeComparison nothing = looked_back(surveys);
    EXPECT_EQ(exit_code(nothing, false), 5);
    expect_contains(node_comparison_text(nothing),
                    "16 nodes measured, no equal node to compare with");
  }
}

TEST(History, OfTwoNodesNobodyKnowsWhichHasChanged) {
  const auto step = [](int node, int week) { return node == 1 && week >= 5 ? 1.5 : 1; };
  const NodeComparison found = looked_back(Year{2, 10, step});
  EXPECT_EQ(slower_nodes(found), NodeSet{});
  expect_contains(node_comparison_text(found), "so left out: n[0-1]\n");
  EXPECT_EQ(slower_nodes(looked_back(Year{3, 10, step})), NodeSet{"n1"});
}

/// A test of 20 years of 30 nodes, looked at each week: the sound nodes that were named in all.
TEST(History, AboutOneSoundNodeIsNamedInAYear) {
  std::mt19937 random(1);
  std::size_t named = 0;
  for (int year = 0; year < 20; ++year) {
    NodeSet of_year;
    std::vector<Survey> earlier;
    for (const std::vector<NodeRun>& now : surveys_of(Year{30, 52}, random)) {
      for (const Finding& one : look_back(now, earlier).slower) of_year.insert(one.nodes.front());
      earlier.push_back(survey_of(now));
    }
    named += of_year.size();
  }
  EXPECT_LE(named, 20U);
}

TEST(History, ANodeWhoseClockIsWrongMovesNoSurvey) {
  std::mt19937 random(1);
  const Year year{16, 40, [](int node, int week) { return node == 5 && week >= 30 ? 1.08 : 1; }};
  for (const int week : {3, 30, 39}) {
    std::vector<std::vector<NodeRun>> surveys = surveys_of(year, random);
    surveys[static_cast<std::size_t>(week)][2].started = "1970-01-01T00:00:05Z";
    const NodeComparison found = looked_back(std::move(surveys));
    ASSERT_EQ(slower_nodes(found), NodeSet{"n5"}) << week;
    EXPECT_EQ(found.found({Found::slower_since}).at(0).values.at("since"), "2026-08-15") << week;
  }
}

}  // namespace
}  // namespace bench::test
