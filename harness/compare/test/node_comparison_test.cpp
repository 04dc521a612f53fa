#include "harness/compare/node_comparison.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/reasons.hpp"
#include "harness/compare/test/findings.hpp"
#include "harness/document/test/records.hpp"
#include "harness/test/languages.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

struct Timed {
  const char* workload;
  double seconds;
};

/// A result file of a node with one case per workload whose 95 % interval is ±1 %.
Document node_document(const std::string& node, const std::vector<Timed>& times) {
  Document document{context(), {}, {}, {}};
  RunRecord& run = document.context.run;
  run.node = node;
  run.finished = true;
  run.input_hash = {{"energy", {{"f32/1000", "xxh3:1"}}}};
  document.context.build.revision = "abc";
  document.context.machine.cpu_model = "X";
  document.context.machine.governor = "performance";
  document.context.machine.load_average = {{0.1, 0, 0}};
  for (const auto& [workload, seconds] : times) {
    CaseRecord& one = document.cases.emplace_back();
    one.workload = workload;
    one.backend = "openmp";
    one.variant = "simd";
    one.size = "1000";
    one.status = Status::measured;
    one.threads = 2;
    one.rounds = 10;
    TimesRecord& times_of_case = one.seconds.emplace();
    times_of_case.median = seconds;
    times_of_case.ci95 = {seconds * 0.99, seconds * 1.01};
    times_of_case.preempted = 0;
    one.name = one.name_with({});
  }
  return document;
}

/// Makes a case one that was not measured.
void lose(CaseRecord& one, Status status, const Reason& reason) {
  one.status = status;
  one.reason = reason;
  one.rounds.reset();
  one.seconds.reset();
}

NodeRun node(const std::string& name, double seconds) {
  return node_run(node_document(name, {{"energy", seconds}}), name + ".json", {});
}

NodeComparison compared(std::vector<NodeRun> runs) {
  NodeComparisonInput input;
  input.runs = std::move(runs);
  return compare_nodes(std::move(input));
}

/// The text without the breaks of lines.
std::string in_one_line(const std::string& text) {
  std::istringstream stream(text);
  std::string all;
  for (std::string word; stream >> word;) all += word + " ";
  return all;
}

TEST(NodeComparison, TwoEqualNodesAreNotSlow) {
  const NodeComparison comparison = compared({node("a", 1), node("b", 1.005)});
  EXPECT_EQ(slow(comparison), Names{});
  EXPECT_EQ(exit_code(comparison, false), 0);
}

TEST(NodeComparison, OneNodeAloneIsNotFine) {
  const NodeComparison comparison = compared({node("a", 1)});
  EXPECT_EQ(exit_code(comparison, false), 5);
  EXPECT_EQ(exit_code(comparison, true), 4);
  expect_contains(node_comparison_text(comparison),
                  "1 node measured, no equal node to compare with");
}

TEST(NodeComparison, OfTwoNodesTheSlowOneIsNamed) {
  const NodeComparison comparison = compared({node("a", 1.5), node("b", 1)});
  EXPECT_EQ(slow(comparison), Names{"a"});
  EXPECT_EQ(exit_code(comparison, false), 3);
  const Cell& cell = comparison.cells.at(comparison.found({Found::slow}).at(0).cells.at(0));
  EXPECT_DOUBLE_EQ(cell.ratio.value, 1.5);
  EXPECT_LT(cell.ratio.ci95.low, 1.5);
  EXPECT_GT(cell.ratio.ci95.low, 1.4);
  expect_contains(node_comparison_text(comparison), "SLOW a: energy 1.50×");
  ASSERT_EQ(lines(comparison, "doubts").size(), 1U);
  expect_contains(lines(comparison, "doubts")[0], "a: slow, but measured only once");
}

TEST(NodeComparison, ADifferenceWithinTheUncertaintyIsUnclear) {
  const NodeComparison comparison = compared({node("a", 1.06), node("b", 1)});
  EXPECT_EQ(slow(comparison), Names{});
  EXPECT_EQ(exit_code(comparison, false), 4);
  expect_contains(node_comparison_text(comparison), "unclear: 1 node (a)");
  expect_contains(node_comparison_text(comparison), "\n2 nodes compared, 0 slow, 1 unclear\n");
}

TEST(NodeComparison, HalfOfTheNodesMayBeSlow) {
  const NodeComparison comparison =
      compared({node("a", 1), node("b", 1.4), node("c", 1), node("d", 1.4)});
  EXPECT_EQ(slow(comparison), (Names{"b", "d"}));
}

// Where equal nodes scatter by 10 %, a node that is 15 % slower says nothing; one that is slow by
// half does. Slow nodes do not make the scatter look larger.
TEST(NodeComparison, EqualNodesThatScatterWidenTheInterval) {
  std::vector<NodeRun> runs;
  for (int i = 0; i < 20; ++i) runs.push_back(node(fmt::format("n{:02}", i), 1 + 0.01 * (i % 10)));
  runs.push_back(node("x", 1.2));
  EXPECT_EQ(slow(compared(runs)), Names{});
  runs.back() = node("x", 1.8);
  EXPECT_EQ(slow(compared(runs)), Names{"x"});
  for (int i = 0; i < 5; ++i) runs.push_back(node(fmt::format("y{}", i), 1.8));
  EXPECT_EQ(slow(compared(runs)).size(), 6U);
}

// 20 comparisons in 20 nodes × 12 workloads would be "significant" at 95 % each.
TEST(NodeComparison, ManyComparisonsHoldTogether) {
  std::vector<Timed> times;
  const NodeComparison few = compared({node("a", 1), node("b", 1.1)});
  std::vector<NodeRun> runs;
  for (int i = 0; i < 200; ++i) runs.push_back(node(fmt::format("n{:03}", i), 1));
  runs.push_back(node("x", 1.1));
  const NodeComparison many = compared(runs);
  const auto width = [](const NodeComparison& comparison) {
    const Interval ci = comparison.cells.back().ratio.ci95;
    return std::log(ci.high / ci.low);
  };
  EXPECT_GT(width(many), 1.3 * width(few));
}

TEST(NodeComparison, SaysWhatDiffers) {
  Document document = node_document("a", {{"energy", 1.5}});
  document.context.machine.governor = "powersave";
  document.context.machine.load_average = {{2.5, 0, 0}};
  document.context.run.threads = 1;
  document.cases[0].seconds->preempted = 5;
  const NodeComparison comparison =
      compared({node_run(document, "a.json", {}), node("b", 1), node("c", 1), node("d", 1)});
  ASSERT_EQ(slow(comparison), Names{"a"});
  EXPECT_EQ(differences_of_slowest(comparison),
            (Names{"governor powersave (others performance)", "threads 1 (others 2)",
                   "load average 2.5 (others 0.1)",
                   "samples that waited for a processor 50 % (others 0)"}));
  expect_contains(node_comparison_text(comparison),
                  "differs: governor powersave (others performance)");
}

TEST(NodeComparison, AFigureDiffersOnlyBeyondTheScatterOfTheOthers) {
  const auto with_load = [](const std::string& name, double seconds, double load) {
    Document document = node_document(name, {{"energy", seconds}});
    document.context.machine.load_average = {{load, 0, 0}};
    return node_run(document, name, {});
  };
  const auto slow_under = [&](double load) {
    return differences_of_slowest(
        compared({with_load("a", 1.5, load), with_load("b", 1, 15), with_load("c", 1, 14),
                  with_load("d", 1, 13), with_load("e", 1, 16)}));
  };
  EXPECT_EQ(slow_under(17), Names{});
  EXPECT_EQ(slow_under(40), Names{"load average 40 (others 14.5)"});
}

// One task more is nothing among fifteen, nor where a sound node has as many.
TEST(NodeComparison, WhatASoundNodeHasTooDoesNotDiffer) {
  const auto with_tasks = [](const std::string& name, double seconds, int tasks,
                             const std::string& kernel) {
    Document document = node_document(name, {{"energy", seconds}});
    document.context.machine.running_tasks = tasks;
    document.context.machine.kernel = kernel;
    return node_run(document, name, {});
  };
  const auto differences_of = [&](int tasks, int of_one, const std::string& kernel_of_one) {
    std::vector<NodeRun> runs{with_tasks("a", 1.5, tasks, "6.2"),
                              with_tasks("b", 1, of_one, kernel_of_one)};
    for (const char* const name : {"c", "d", "e", "f"}) {
      runs.push_back(with_tasks(name, 1, 15, "6.1"));
    }
    runs.push_back(with_tasks("g", 1, 15, kernel_of_one));
    return differences_of_slowest(compared(runs));
  };
  const std::string kernel = "kernel 6.2 (others 6.1)";
  EXPECT_EQ(differences_of(16, 15, "6.1"), Names{kernel});
  EXPECT_EQ(differences_of(19, 15, "6.1"),
            (Names{kernel, "tasks running at the start 19 (others 15)"}));
  EXPECT_EQ(differences_of(19, 19, "6.2"), Names{});
}

TEST(NodeComparison, ANodeThatIsLongerAtWorkWithTheSameCasesIsNamed) {
  const auto longer = [](int nodes, double seconds, double of_another, const char* workload) {
    std::vector<NodeRun> runs;
    for (int i = 1; i <= nodes; ++i) {
      Document document = node_document(fmt::format("n{}", i), {{i == 1 ? workload : "energy", 1}});
      document.context.run.phases_s = {{"checks", i == 1   ? seconds
                                                  : i == 2 ? of_another
                                                           : 29},
                                       {"samples", 1}};
      runs.push_back(node_run(document, fmt::format("n{}", i), {}));
    }
    return compared(runs);
  };
  const auto found_longer = [](const NodeComparison& comparison) {
    return comparison.found({Found::longer}).size();
  };
  const NodeComparison comparison = longer(6, 39, 29, "energy");
  expect_contains(in_one_line(node_comparison_text(comparison)),
                  "warning: n1: a repetition takes 40 s (others 30 s), although no time in the "
                  "tables is slow: it may be throttled between samples");
  EXPECT_EQ(node_comparison_json(comparison, false)["longer"],
            Json::parse(R"([{"node": "n1", "seconds": 40.0, "others_seconds": 30.0}])"));
  EXPECT_EQ(exit_code(comparison, false), 0);
  const NodeComparison two = longer(60, 39, 49, "energy");
  expect_contains(in_one_line(node_comparison_text(two)),
                  "n[1-2]: a repetition takes 40–50 s (others 30 s)");
  EXPECT_EQ(node_comparison_json(two, false)["longer"].size(), 2U);
  EXPECT_EQ(found_longer(longer(6, 30, 29, "energy")), 0U) << "within the threshold";
  EXPECT_EQ(found_longer(longer(6, 39, 39, "energy")), 0U) << "another one is, too";
  EXPECT_EQ(found_longer(longer(4, 39, 29, "energy")), 0U) << "of few nobody knows";
  EXPECT_EQ(found_longer(longer(6, 39, 29, "copy")), 0U) << "with other cases";
}

TEST(NodeComparison, ALimitThatTheOthersDoNotHaveIsNone) {
  Document limited = node_document("a", {{"energy", 1}});
  limited.context.machine.cpu_quota = 0.6;
  EXPECT_EQ(lines(compared({node_run(limited, "a", {}), node("b", 1), node("c", 1)}), "lacking"),
            Names{"a: quota of cpu time 0.6 (others none)"});
}

/// The times of both limits, in all cases.
Document with_limits(Document document, double memory, double in_cache) {
  for (CaseRecord& one : document.cases) {
    one.bound = BoundRecord{1, Limit::memory, memory, in_cache, {}};
  }
  return document;
}

NodeRun bound_node(const std::string& name, double memory, double in_cache) {
  const double seconds = std::max(memory, in_cache);
  const Document document = node_document(name, {{"energy", seconds}, {"hypot", seconds}});
  return node_run(with_limits(document, memory, in_cache), name + ".json", {});
}

TEST(NodeComparison, TellsSlowMemoryFromSlowCores) {
  struct Expected {
    double memory;
    double in_cache;
    const char* part;
    const char* words;
  };
  for (const auto& [memory, in_cache, part, words] :
       {Expected{1.5, 1.01, "memory", "its memory is slow, its cores are not"},
        {1.01, 1.5, "computing", "its cores are slow (see clock, power limit, neighbours)"},
        {1.5, 1.5, "both", "memory and cores are slow"}}) {
    const NodeComparison comparison =
        compared({bound_node("a", memory, in_cache), bound_node("b", 1, 0.99),
                  bound_node("c", 1, 0.99), bound_node("d", 1, 0.99)});
    ASSERT_EQ(slow(comparison), Names{"a"});
    const Json all = node_comparison_json(comparison, false).at("slow").at(0).at("limits");
    ASSERT_EQ(all.size(), 1U);
    const Json& limits = all[0];
    EXPECT_EQ(limits.at("slow"), part);
    EXPECT_EQ(limits.at("of"), "cpu");
    EXPECT_EQ(limits.at("memory").at("cases"), 2U);
    EXPECT_DOUBLE_EQ(limits.at("memory").at("value").get<double>(), memory);
    EXPECT_DOUBLE_EQ(limits.at("in_cache").at("quartiles").at(1).get<double>(), in_cache / 0.99);
    expect_contains(in_one_line(node_comparison_text(comparison)), words);
  }
}

TEST(NodeComparison, SaysNothingOfLimitsThatWereNotMeasured) {
  const Findings found = compared({node("a", 1.5), node("b", 1)}).found({Found::slow});
  EXPECT_TRUE(found.at(0).values.at("limits").empty());
}

TEST(NodeComparison, OfPassesTheMedianLimitsCount) {
  const NodeRun all =
      merged({bound_node("a", 1, 2), bound_node("a", 3, 5), bound_node("a", 2, 3), node("a", 1)});
  ASSERT_EQ(all.limits.size(), 2U);
  EXPECT_DOUBLE_EQ(*all.limits.begin()->second.memory, 2);
  EXPECT_DOUBLE_EQ(*all.limits.begin()->second.in_cache, 3);
}

TEST(NodeComparison, OnlyNodesOfTheSameHardwareAreCompared) {
  Document other = node_document("z", {{"energy", 9}});
  other.context.machine.cpu_model = "Y";
  const NodeComparison comparison =
      compared({node("a", 1), node("b", 1), node_run(other, "z.json", {})});
  EXPECT_EQ(comparison.kinds.size(), 2U);
  EXPECT_EQ(slow(comparison), Names{});
  EXPECT_EQ(comparison.cells.back().verdict, NodeVerdict::alone);
  EXPECT_EQ(exit_code(comparison, false), 0);
}

TEST(NodeComparison, UnlikeRunsAreRefusedUnlessForced) {
  Document other = node_document("c", {{"energy", 1}});
  other.context.build.revision = "def";
  other.context.run.input_hash["energy"]["f32/1000"] = "xxh3:2";
  const NodeComparison comparison =
      compared({node("a", 1), node("b", 1), node_run(other, "c.json", {})});
  EXPECT_EQ(lines(comparison, "unlike"),
            (Names{"inputs of energy/f32/1000: xxh3:2 (c), others xxh3:1",
                   "revision: def (c), others abc"}));
  EXPECT_EQ(exit_code(comparison, false), 5);
  EXPECT_EQ(exit_code(comparison, true), 0);
}

TEST(NodeComparison, NamesMissingAndUnfinishedNodes) {
  Document document = node_document("n2", {{"energy", 1}});
  document.context.run.finished = false;
  document.context.run.ended_by = "SIGTERM";
  document.context.slurm.emplace().job_id = "7";
  document.context.slurm->job_nodelist = "n[1-4]";
  NodeComparisonInput input;
  input.runs = {node("n1", 1), node_run(document, "n2.json", {})};
  input.nodes = {"n5"};
  const NodeComparison comparison = bench::compare_nodes(input);
  EXPECT_EQ(lines(comparison, "missing"), (Names{"n3", "n4", "n5"}));
  ASSERT_EQ(lines(comparison, "unfinished").size(), 1U);
  expect_contains(lines(comparison, "unfinished")[0], "n2: ended by SIGTERM, n2.json");
  EXPECT_EQ(exit_code(comparison, false), 3);
}

TEST(NodeComparison, ANodeWhoseJobHasNotBegunIsNotMissing) {
  NodeComparisonInput input;
  input.runs = {node("n1", 1), node("n2", 1)};
  input.nodes = {"n1", "n2", "n3"};
  input.not_begun = {"n3"};
  input.findings = {{Found::left_out, {"n4"}, {{"reason", "drain: no memory"}}}};
  const NodeComparison comparison = compare_nodes(input);
  EXPECT_EQ(lines(comparison, "missing"), Names{});
  EXPECT_EQ(lines(comparison, "waiting"), Names{"n3"});
  EXPECT_EQ(exit_code(comparison, false), 4);
  const std::string text = node_comparison_text(comparison);
  expect_contains(text, "waiting: n3: no job has begun there (squeue says why)\n");
  expect_contains(text, "left out: n4: drain: no memory\n");
  expect_contains(text, "2 nodes compared, 0 slow, 1 waiting\n");
  const Json json = node_comparison_json(comparison, false);
  EXPECT_EQ(json.at("waiting"), Json({"n3"}));
  EXPECT_EQ(json.at("left_out").at(0).at("reason"), "drain: no memory");
}

TEST(NodeComparison, AJobThatDidNotEndWellIsAFinding) {
  NodeComparisonInput input;
  input.runs = {node("n1", 1), node("n2", 1)};
  input.nodes = {"n1", "n2", "n3"};
  input.findings = {{Found::ended, {"n3"}, {{"reason", "FAILED (JobLaunchFailure)"}}}};
  const NodeComparison comparison = compare_nodes(input);
  EXPECT_EQ(exit_code(comparison, false), 3);
  const std::string text = node_comparison_text(comparison);
  expect_contains(text, "failed: n3: FAILED (JobLaunchFailure)\n");
  expect_contains(text, "2 nodes compared, 0 slow, 1 failed, 1 missing\n");
  const Json json = node_comparison_json(comparison, false);
  EXPECT_EQ(json.at("ended").at(0).at("reason"), "FAILED (JobLaunchFailure)");
}

/// Passes that are 2 % apart: the median of three is better known than each.
TEST(NodeComparison, ThreePassesFindWhatOneFinds) {
  std::vector<NodeRun> runs;
  for (const auto& [name, seconds] :
       {std::pair("a", 1.1), {"b", 1.0}, {"c", 1.0}, {"d", 1.0}, {"e", 1.0}}) {
    runs.push_back(
        merged({node(name, 0.98 * seconds), node(name, seconds), node(name, 1.02 * seconds)}));
  }
  EXPECT_EQ(slow(compared(runs)), Names{"a"});
}

/// The nodes named slow or suspect in a survey of three passes. The last one's memory takes
/// `memory` times as long.
std::set<std::string> named_of_survey(unsigned seed, double memory) {
  std::mt19937 random(seed);
  const auto around = [&random](double deviation) {
    return std::exp(std::normal_distribution<double>(0, deviation)(random));
  };
  constexpr int nodes = 60;
  std::vector<NodeRun> runs;
  for (int i = 0; i < nodes; ++i) {
    const double of_node = around(0.005);
    const double limits[] = {of_node * around(0.004) * (i + 1 == nodes ? memory : 1),
                             of_node * around(0.003)};
    std::vector<NodeRun> passes;
    for (int pass = 0; pass < 3; ++pass) {
      const double of_pass = around(0.004);
      std::vector<Timed> times;
      for (const char* const name : {"a", "b", "c", "d", "e", "f"}) {
        times.push_back({name, of_pass * limits[name[0] > 'c'] * around(0.008)});
      }
      Document made = node_document(fmt::format("n{:02}", i), times);
      for (CaseRecord& one : made.cases) {
        one.bound = BoundRecord{1,
                                Limit::memory,
                                of_pass * limits[0] * around(0.005),
                                of_pass * limits[1] * around(0.005),
                                {}};
      }
      passes.push_back(node_run(made, made.context.run.node, {}));
    }
    runs.push_back(merged(passes));
  }
  const NodeComparison comparison = compared(std::move(runs));
  const Names named = nodes_of(comparison, {Found::slow, Found::suspect});
  return {named.begin(), named.end()};
}

TEST(NodeComparison, SlowMemoryAloneIsNamed) {
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    EXPECT_EQ(named_of_survey(seed, 1.1), std::set<std::string>{"n59"});
    EXPECT_EQ(named_of_survey(seed, 1), std::set<std::string>{});
  }
}

TEST(NodeComparison, LimitsOfFewNodesAreNotCompared) {
  std::vector<NodeRun> runs{bound_node("a", 1.2, 1), bound_node("b", 1, 1), bound_node("c", 1, 1),
                            bound_node("d", 1, 1)};
  const auto columns_of_limits = [](const NodeComparison& comparison) {
    return std::count_if(comparison.columns.begin(), comparison.columns.end(),
                         [](const Column& column) { return column.of_limits(); });
  };
  EXPECT_EQ(columns_of_limits(compared(runs)), 0);
  runs.push_back(bound_node("e", 1, 1));
  const NodeComparison comparison = compared(runs);
  EXPECT_EQ(columns_of_limits(comparison), 2);
  expect_contains(node_comparison_text(comparison), "memory");
}

TEST(NodeComparison, OneColumnAloneMakesNoNodeUnclear) {
  const auto of = [](const std::string& name, double second) {
    return node_run(node_document(name, {{"a", 1}, {"b", second}, {"c", 1}, {"d", 1}, {"e", 1}}),
                    name, {});
  };
  const NodeComparison comparison = compared({of("a", 1.05), of("b", 1), of("c", 1)});
  EXPECT_EQ(lines(comparison, "unclear"), Names{});
  EXPECT_EQ(exit_code(comparison, false), 0);
  EXPECT_EQ(lines(compared({node("a", 1.05), node("b", 1), node("c", 1)}), "unclear"), Names{"a"});
}

TEST(NodeComparison, TheNewestFinishedRunOfANodeCounts) {
  NodeRun old = node("a", 5);
  old.file = "old.json";
  old.started = "2025-01-01T00:00:00Z";
  NodeRun broken = node("a", 7);
  broken.file = "broken.json";
  broken.started = "2026-12-01T00:00:00Z";
  broken.finished = false;
  const NodeComparison comparison = compared({old, broken, node("a", 1), node("b", 1)});
  EXPECT_EQ(slow(comparison), Names{});
  EXPECT_EQ(comparison.runs.size(), 2U);
  expect_contains(lines(comparison, "notes").at(0), "2 other runs");
}

TEST(NodeComparison, SurveysThatAreTakenTogetherAreNamed) {
  NodeRun before = node("a", 1);
  before.started = "2026-07-13T00:00:00Z";
  before.file = "nodes-week-29/a.json";
  NodeRun after = node("a", 2);
  after.started = "2026-12-14T00:00:00Z";
  after.file = "nodes-week-51/a.json";
  NodeRun other = node("b", 1);
  other.file = "nodes-week-51/b.json";
  expect_contains(lines(compared({before, after, other}), "notes").at(0),
                  "(nodes-week-29, nodes-week-51)");
  const NodeComparison alone = compared({before, after});
  expect_contains(lines(alone, "notes").at(2),
                  "bench compare nodes-week-29/a.json nodes-week-51/a.json compares two of them");
  EXPECT_TRUE(lines(compared({after, other}), "notes").empty());
}

TEST(NodeComparison, TasksOfOneJobAreRowsOfTheirOwn) {
  NodeRun first = node("a", 1);
  NodeRun second = node("a", 1);
  first.job = second.job = "ci-1";
  first.task = "0";
  second.task = "1";
  second.file = "other.json";
  const NodeComparison comparison = compared({first, second});
  ASSERT_EQ(comparison.runs.size(), 2U);
  EXPECT_EQ(comparison.runs[0].node, "a/0");
  EXPECT_EQ(comparison.runs[1].node, "a/1");
  EXPECT_EQ(lines(comparison, "missing"), Names{});
}

// Taken for passes of one run, seven fast ones would hide the slow one.
TEST(NodeComparison, GpusOfOneNodeAreRowsOfTheirOwn) {
  const auto on_gpu = [](const std::string& name, const std::string& uuid,
                         const std::string& number, double seconds) {
    NodeRun run = node(name, seconds);
    run.job = "ci-1";
    run.task = "0";
    run.gpu = uuid.empty() ? "" : "H200";
    run.gpu_uuid = uuid;
    run.gpu_number = number;
    run.file = name + uuid + ".json";
    return run;
  };
  const std::vector<NodeRun> runs{on_gpu("a", "GPU-1", "0", 1),   on_gpu("a", "GPU-2", "1", 1),
                                  on_gpu("a", "GPU-3", "2", 1.5), on_gpu("a", "GPU-3", "2", 1.51),
                                  on_gpu("a", "GPU-4", "3", 1),   on_gpu("b", "GPU-5", "0", 1)};
  const NodeComparison comparison = compared(runs);
  ASSERT_EQ(comparison.runs.size(), 5U);
  EXPECT_EQ(slow(comparison), Names{"a/gpu2"});
  EXPECT_EQ(lines(comparison, "missing"), Names{});

  // Each step saw one GPU, its number 0.
  const NodeComparison alone = compared(
      {on_gpu("a", "GPU-1", "0", 1), on_gpu("a", "GPU-2", "0", 1.5), on_gpu("b", "GPU-3", "0", 1)});
  EXPECT_EQ(slow(alone), Names{"a/GPU-2"});

  // A step without one is not a GPU, nor are those of one task apart where there is one GPU.
  const NodeComparison one =
      compared({on_gpu("a", "", "", 1), on_gpu("a", "GPU-1", "0", 1), node("b", 1)});
  ASSERT_EQ(one.runs.size(), 2U);
  EXPECT_EQ(one.runs[0].node, "a");
  EXPECT_EQ(one.runs[0].passes, 2U);
}

/// A case of a run with --devices all.
CaseRecord on_device(const char* number, double seconds) {
  CaseRecord one = node_document("a", {{"energy", seconds}}).cases.at(0);
  one.backend = backends::cuda.name;
  one.variant = "wide";
  one.threads.reset();
  one.parameters = {{"device", number}};
  one.name = one.name_with(one.parameters);
  return one;
}

TEST(NodeComparison, OfOneDocumentEachGpuIsARowAndADeadOneIsNamed) {
  Document document = node_document("a", {{"energy", 1}});
  std::vector<GpuFacts> gpus;
  for (const auto& [number, seconds] : {std::pair{"0", 0.1}, {"1", 0.1}, {"2", 0.2}}) {
    document.cases.push_back(on_device(number, seconds));
    GpuFacts& gpu = gpus.emplace_back();
    gpu.name = "H200";
    gpu.uuid = fmt::format("GPU-{}", number);
    gpu.device_number = std::stoi(number);
  }
  document.cases.push_back(on_device("3", 1));
  lose(document.cases.back(), Status::skipped, "no device: it fell off the bus");
  document.context.machine.gpu = gpus.at(0);
  document.context.machine.gpus = gpus;
  for (const bool in_job : {false, true}) {
    std::vector<NodeRun> runs = node_runs(document, "a.json", {});
    ASSERT_EQ(runs.size(), 4U);
    for (NodeRun& run : runs) run.job = in_job ? "ci-1" : "";
    const NodeComparison comparison = compared(runs);
    ASSERT_EQ(comparison.runs.size(), 4U);
    EXPECT_EQ(slow(comparison), Names{"a/gpu2"});
    ASSERT_EQ(lines(comparison, "absent").size(), 1U);
    expect_contains(lines(comparison, "absent")[0], "a/gpu3: ");
    expect_contains(lines(comparison, "absent")[0], "fell off the bus");
  }
}

TEST(NodeComparison, WhatRunsOnProcessorsIsExpectedBesideOneGpuOfANode) {
  Document document = node_document("a", {{"energy", 1}});
  for (const char* number : {"0", "1"}) document.cases.push_back(on_device(number, 0.1));
  const NodeComparison comparison = compared(node_runs(document, "a.json", {}));
  EXPECT_EQ(comparison.runs.size(), 2U);
  EXPECT_EQ(lines(comparison, "absent"), Names{});
}

TEST(NodeComparison, WhatNobodyAskedForIsNoBestVariant) {
  Document document = node_document("a", {{"energy", 1}});
  document.cases.front().reference = true;
  EXPECT_TRUE(node_run(document, "a.json", {}).times.empty());
}

// What a node shows at one moment may be the moment: a difference counts if it is larger than the
// differences between passes.
TEST(NodeComparison, StepsOfAJobArePassesAndShowHowMomentsDiffer) {
  const auto pass = [](const std::string& name, int step, double seconds) {
    NodeRun run = node(name, seconds);
    run.job = "ci-1";
    run.task = "0";
    run.file = fmt::format("{}.{}.json", name, step);
    return run;
  };
  const auto found = [&](double a1, double a2, double a3) {
    return compared({pass("a", 0, a1), pass("a", 1, a2), pass("a", 2, a3), pass("b", 0, 1),
                     pass("b", 1, 1.001), pass("b", 2, 0.999)});
  };
  EXPECT_EQ(slow(found(1.5, 1.52, 1.51)), Names{"a"});
  EXPECT_EQ(lines(found(1.5, 1.52, 1.51), "doubts"), Names{}) << "its moments are known";
  EXPECT_EQ(slow(found(1.5, 1.0, 1.5)), Names{});
  const NodeComparison comparison = found(1.5, 1.0, 1.6);
  ASSERT_EQ(comparison.runs.size(), 2U);
  EXPECT_EQ(comparison.runs[0].passes, 3U);
  EXPECT_DOUBLE_EQ(comparison.cells[0].time.seconds, 1.5) << "the median of the passes";
  EXPECT_EQ(comparison.cells[0].verdict, NodeVerdict::unclear);
}

TEST(NodeComparison, APartitionThatIsSlowAsAWholeIsNoticed) {
  NodeComparisonInput input;
  input.runs = {node("a", 2), node("b", 2), node("c", 2)};
  input.recorded = {node("reference", 1)};
  input.with_expected = true;
  const NodeComparison found = compare_nodes(input);
  EXPECT_EQ(slow(found), Names{});
  ASSERT_EQ(found.found({Found::expected}).size(), 1U);
  EXPECT_DOUBLE_EQ(found.found({Found::expected})[0].ratio.value, 2);
  EXPECT_EQ(exit_code(found, false), 3);
  expect_contains(node_comparison_text(found), "energy 2.00×");
  expect_contains(node_comparison_text(found),
                  "\n3 nodes compared, 0 slow, slower than expected in 1 of 1 columns\n");

  input.recorded[0].facts[facts::threads] = 64;
  const NodeComparison other = compare_nodes(input);
  EXPECT_TRUE(other.found({Found::expected}).empty());
  expect_contains(lines(other, "notes").at(0), "had 64 threads, these have 2");
  input.recorded[0].cpu_model = "Y";
  expect_contains(lines(compare_nodes(input), "notes").at(0), "no recorded run of X");
}

TEST(NodeComparison, AllRecordedRunsAreTheReference) {
  NodeComparisonInput input;
  input.runs = {node("a", 1.15), node("b", 1.15)};
  input.with_expected = true;
  input.recorded = {node("r1", 1)};
  EXPECT_EQ(compare_nodes(input).found({Found::expected}).at(0).verdict, NodeVerdict::slow);
  // How far they are apart counts.
  input.recorded = {node("r1", 0.8), node("r2", 1), node("r3", 1.2)};
  const NodeComparison found = compare_nodes(input);
  const Findings expected = found.found({Found::expected});
  ASSERT_EQ(expected.size(), 1U);
  EXPECT_EQ(expected[0].values.at("expected_seconds"), 1);
  EXPECT_EQ(expected[0].values.at("recorded_runs"), 3U);
  EXPECT_EQ(expected[0].verdict, NodeVerdict::unclear);
  expect_contains(in_one_line(node_comparison_text(found)), "of the time in r1.json and 2 more: ");
  // One that is odd among many does not.
  input.recorded.clear();
  for (int i = 0; i < 20; ++i) input.recorded.push_back(node("r", 1));
  input.recorded.push_back(node("odd", 3));
  EXPECT_EQ(compare_nodes(input).found({Found::expected}).at(0).verdict, NodeVerdict::slow);
}

TEST(NodeComparison, AWrongAnswerIsAnError) {
  Document document = node_document("a", {{"energy", 1}, {"hypot", 1}});
  lose(document.cases[1], Status::failed, "wrote nothing");
  const NodeComparison comparison = compared({node_run(document, "a.json", {}), node("b", 1)});
  EXPECT_EQ(lines(comparison, "failed"),
            Names{"a: hypot/openmp/simd/f32/1000/kernel: wrote nothing"});
  EXPECT_EQ(exit_code(comparison, false), 1);
}

TEST(NodeComparison, TheBestVariantCountsAndChosenOnesHaveTheirColumn) {
  Document document = node_document("a", {{"energy", 1}, {"energy", 4}});
  document.cases[1].variant = "naive";
  const NodeRun run = node_run(document, "a.json", {"energy/openmp/naive"});
  ASSERT_EQ(run.times.size(), 2U);
  EXPECT_EQ(run.times[0].column.what, "best CPU variant");
  EXPECT_EQ(run.times[0].variant, "openmp/simd");
  EXPECT_EQ(run.times[1].column.what, "openmp/naive");
  EXPECT_DOUBLE_EQ(run.times[1].seconds, 4);
}

TEST(NodeComparison, ALibraryIsNoBestVariantButMayBeChosen) {
  Document document = node_document("a", {{"energy", 2}});
  document.cases.push_back(document.cases[0]);
  CaseRecord& library = document.cases[1];
  library.backend = "cuda";
  library.variant = "library";
  library.threads.reset();
  library.library = true;
  const auto columns = [&](const std::vector<std::string>& chosen) {
    Names names;
    for (const NodeTime& time : node_run(document, "a.json", chosen).times) {
      names.push_back(time.column.what);
    }
    return names;
  };
  EXPECT_EQ(columns({}), Names{"best CPU variant"});
  EXPECT_EQ(columns({"*/library"}), (Names{"best CPU variant", "cuda/library"}));
}

TEST(NodeComparison, SpreadsheetsComputeNothing) {
  Document document = node_document("=1+1", {{"energy", 1}});
  document.context.machine.cpu_model = "a,\"b\"";
  const std::string csv = node_comparison_csv(compared({node_run(document, "-x.json", {})}));
  expect_contains(csv, "\n'=1+1,\"a,\"\"b\"\"\",,best CPU variant,energy,");
  expect_contains(csv, ",alone,'-x.json,no");
}

TEST(NodeComparison, JsonHasEverything) {
  NodeRun slow_one = node("a", 1.5);
  slow_one.doubts = {"odd"};
  const NodeComparison comparison = compared({slow_one, node("b", 1)});
  const Json json = node_comparison_json(comparison, false);
  EXPECT_EQ(json.at("schema"), "bench-nodes/1");
  EXPECT_EQ(json.at("exit_code"), 3);
  EXPECT_EQ(json.at("slow").at(0).at("node"), "a");
  EXPECT_EQ(json.at("slow").at(0).at("where").at(0).at("workload"), "energy");
  EXPECT_DOUBLE_EQ(json.at("cells").at(0).at("ratio").at("value").get<double>(), 1.5);
  EXPECT_EQ(json.at("cells").size(), 2U);
  EXPECT_EQ(json.at("kinds").at(0).at("nodes").at(0).at("warnings"), Json::array({"odd"}));
}

TEST(NodeComparison, ManyNodesAreShownWhereThereIsSomethingToSay) {
  std::vector<NodeRun> runs;
  for (int i = 0; i < 100; ++i) runs.push_back(node(fmt::format("n{:03}", i), 1));
  runs.push_back(node("x", 2));
  const std::string text = node_comparison_text(compared(runs));
  expect_contains(text, "… and 100 nodes that are unremarkable");
  expect_contains(text, "  x");
  EXPECT_EQ(text.find("n050"), std::string::npos);
}

CaseRecord on_gpu(const std::string& workload, double seconds) {
  CaseRecord one = node_document("x", {{workload.c_str(), seconds}}).cases[0];
  one.backend = "cuda";
  one.variant = "wide";
  one.threads.reset();
  one.name = one.name_with({});
  return one;
}

/// A node with a GPU, which the result file says or misses.
Document gpu_node(const std::string& node, bool alive) {
  Document document = node_document(node, {{"energy", 1}});
  document.cases.push_back(on_gpu("energy", 0.1));
  if (alive) {
    document.context.machine.gpu.emplace().name = "H200";
  } else {
    lose(document.cases[1], Status::skipped, "no device: CUDA sees none");
    document.context.machine.gpu_reason = "no device: CUDA sees none";
  }
  return document;
}

TEST(NodeComparison, ADeadGpuIsNoOtherHardware) {
  std::vector<NodeRun> runs;
  for (const char* node : {"n1", "n2", "n4"}) {
    runs.push_back(node_run(gpu_node(node, true), node, {}));
  }
  runs.push_back(node_run(gpu_node("n3", false), "n3", {}));
  const NodeComparison comparison = compared(runs);
  ASSERT_EQ(comparison.kinds.size(), 1U);
  EXPECT_EQ(lines(comparison, "absent"),
            Names{"n3: best GPU kernel of energy 1000: no device: CUDA sees none"});
  EXPECT_EQ(exit_code(comparison, false), 3);
  expect_contains(node_comparison_text(comparison),
                  "absent: n3: best GPU kernel of energy 1000: no device");
}

TEST(NodeComparison, NodesWithoutGpusMayStandBesideOthers) {
  std::vector<NodeRun> runs;
  for (const char* node : {"c1", "c2", "c3", "c4"}) {
    runs.push_back(node_run(gpu_node(node, false), node, {}));
  }
  runs.push_back(node_run(gpu_node("g1", true), "g1", {}));
  EXPECT_EQ(compared(runs).kinds.size(), 2U);
  EXPECT_EQ(exit_code(compared(runs), false), 0);
  runs[0].given_gpu = true;  // Slurm gave it one
  EXPECT_EQ(exit_code(compared(runs), false), 3);
}

/// A node with so many GPUs, each measured by itself, and so much memory.
std::vector<NodeRun> node_with(const std::string& name, int gpus, double gigabytes) {
  Document document = node_document(name, {{"energy", 1}});
  document.context.machine.memory_bytes = static_cast<std::size_t>(gigabytes * 1e9);
  document.context.machine.logical_cpus = 16;
  std::vector<NodeRun> runs;
  for (int i = 0; i < std::max(1, gpus); ++i) {
    if (gpus > 0) {
      GpuFacts& gpu = document.context.machine.gpu.emplace();
      gpu.name = "H200";
      gpu.visible_devices = gpus;
    } else {
      document.context.machine.gpu_reason = "no device";
    }
    NodeRun& run = runs.emplace_back(node_run(document, name, {}));
    run.job = "ci-1";
    run.task = "0";
    run.file = fmt::format("{}-{}.json", name, i);
    if (gpus == 0) continue;
    run.gpu_uuid = fmt::format("GPU-{}{}", name, i);
    run.gpu_number = std::to_string(i);
  }
  return runs;
}

template <class... Nodes>
std::vector<NodeRun> all_of(const Nodes&... nodes) {
  std::vector<NodeRun> runs;
  (runs.insert(runs.end(), nodes.begin(), nodes.end()), ...);
  return runs;
}

std::vector<NodeRun> several(const std::string& prefix, int count, int gpus, double gigabytes) {
  std::vector<NodeRun> runs;
  for (int i = 0; i < count; ++i) {
    runs = all_of(runs, node_with(fmt::format("{}{}", prefix, i), gpus, gigabytes));
  }
  return runs;
}

TEST(NodeComparison, AGpuIsNotANode) {
  const NodeComparison found = compared(all_of(several("c", 20, 0, 64), several("g", 3, 8, 64)));
  EXPECT_EQ(lines(found, "lacking"), Names{}) << "20 of 23 nodes have no GPU";
  EXPECT_EQ(exit_code(found, false), 0);
  expect_contains(node_comparison_text(found), "23 nodes compared, 0 slow\n");
}

TEST(NodeComparison, AGpuThatIsGoneIsNamedOnceForItsNode) {
  const NodeComparison found = compared(all_of(several("g", 9, 8, 64), several("h", 1, 7, 64)));
  EXPECT_EQ(lines(found, "lacking"), Names{"h0: GPUs 7 (others 8)"});
  expect_contains(node_comparison_text(found), "10 nodes compared, 0 slow, 1 with something");
}

TEST(NodeComparison, SeveralNodesWithLessAreAKindOfTheirOwn) {
  const NodeComparison found = compared(all_of(several("a", 12, 0, 64), several("b", 5, 0, 32)));
  ASSERT_EQ(found.kinds.size(), 2U);
  EXPECT_EQ(found.kinds[0].amounts, "32 GB");
  EXPECT_EQ(found.kinds[1].amounts, "64 GB");
  EXPECT_EQ(lines(found, "lacking"), Names{});
  expect_contains(node_comparison_text(found), "X · 32 GB · 5 nodes\n");
  const NodeComparison few = compared(all_of(several("a", 12, 0, 64), several("b", 2, 0, 32)));
  EXPECT_EQ(few.kinds.size(), 1U);
  EXPECT_EQ(lines(few, "lacking").size(), 2U);
  const NodeComparison gpus = compared(all_of(several("a", 4, 8, 64), several("b", 4, 4, 64)));
  ASSERT_EQ(gpus.kinds.size(), 2U);
  EXPECT_EQ(gpus.kinds[0].amounts, "4 GPUs");
  EXPECT_EQ(lines(gpus, "lacking"), Names{});
}

TEST(NodeComparison, TheOnlyNodeOfItsKindIsNamed) {
  std::vector<NodeRun> runs{node("a", 1), node("b", 1), node("c", 3)};
  runs[2].cpu_model = "Y";
  const NodeComparison found = compared(runs);
  EXPECT_EQ(lines(found, "notes"), Names{"no equal node to compare with: c"});
  EXPECT_EQ(exit_code(found, false), 0);
}

TEST(NodeComparison, BuildsOfDifferentProcessorsAreNotCompared) {
  std::vector<NodeRun> runs{node("a", 1), node("b", 1.5), node("c", 1), node("d", 1)};
  for (const std::size_t i : {2U, 3U}) {
    runs[i].cpu_model = "Y";
    runs[i].asked["revision"] = "def";
  }
  EXPECT_EQ(lines(compared(runs), "unlike"), Names{});
  EXPECT_EQ(exit_code(compared(runs), false), 3);
  runs[3].asked["revision"] = "abc";
  EXPECT_EQ(exit_code(compared(runs), false), 5);
  runs[0].failed.push_back({"energy", "wrong"});
  EXPECT_EQ(exit_code(compared(runs), false), 1);
}

TEST(NodeComparison, TheExpectationIsOfAsManyThreadsAsMostNodesHave) {
  for (const char* lame : {"n00", "n99"}) {
    NodeComparisonInput input;
    for (const char* name : {"n1", "n2", "n3", lame}) input.runs.push_back(node(name, 1.5));
    input.runs.back().facts[facts::threads] = 1;
    input.recorded = {node("reference", 1)};
    input.with_expected = true;
    const NodeComparison found = compare_nodes(std::move(input));
    EXPECT_EQ(found.found({Found::expected}).size(), 1U) << lame;
    EXPECT_EQ(exit_code(found, false), 3);
  }
}

TEST(NodeComparison, ASizeThatDoesNotFitOnOneNodeIsNamed) {
  Document small = node_document("n3", {{"energy", 1}, {"transpose", 1}});
  lose(small.cases[1], Status::skipped, "memory: needs 800 MB, 100 MB available (ulimit -v)");
  std::vector<NodeRun> runs{node_run(small, "n3", {})};
  for (const char* node : {"n1", "n2"}) {
    runs.push_back(node_run(node_document(node, {{"energy", 1}, {"transpose", 1}}), node, {}));
  }
  const NodeComparison comparison = compared(runs);
  EXPECT_EQ(lines(comparison, "absent"),
            Names{"n3: best CPU variant of transpose 1000: memory: needs 800 MB, "
                  "100 MB available (ulimit -v)"});
  EXPECT_EQ(exit_code(comparison, false), 3);
}

TEST(NodeComparison, FewerThreadsOrLessMemoryAreNamedEvenWhereNothingIsSlow) {
  Document weak = node_document("n3", {{"energy", 1}});
  weak.context.run.threads = 1;
  weak.context.machine.memory_bytes = 32'000'000'000;
  std::vector<NodeRun> runs{node_run(weak, "n3", {})};
  for (const char* node : {"n1", "n2"}) {
    Document whole = node_document(node, {{"energy", 1}});
    whole.context.machine.memory_bytes = 64'000'000'000;
    runs.push_back(node_run(whole, node, {}));
  }
  const NodeComparison comparison = compared(runs);
  EXPECT_EQ(slow(comparison), Names{});
  EXPECT_EQ(lines(comparison, "lacking"),
            Names{"n3: threads 1 (others 2); memory 32 GB (others 64)"});
  EXPECT_EQ(exit_code(comparison, false), 3);
  expect_contains(node_comparison_text(comparison), "lacking: n3: threads 1 (others 2)");
  expect_contains(node_comparison_text(comparison),
                  ", 0 slow, 1 with something absent or lacking\n");
}

TEST(NodeComparison, ANodeThatMeasuredNothingIsNotCompared) {
  Document nothing = node_document("n3", {{"energy", 1}});
  lose(nothing.cases[0], Status::skipped, "memory: needs 8 MB, 0 MB available");
  const NodeComparison comparison =
      compared({node("n1", 1), node("n2", 1), node_run(nothing, "n3", {})});
  expect_contains(node_comparison_text(comparison), "2 nodes compared, 0 slow, 1 without any time");
  EXPECT_EQ(exit_code(comparison, false), 3);
}

TEST(NodeComparison, WhatTheRunsWarnedOfIsSaidOnceWithTheNodes) {
  std::vector<NodeRun> runs;
  for (const char* node : {"n1", "n2"}) {
    Document document = node_document(node, {{"energy", 1}});
    document.context.run.warnings = {"one thread only"};
    runs.push_back(node_run(document, node, {}));
  }
  EXPECT_EQ(lines(compared(runs), "doubts"), Names{"n[1-2]: one thread only"});
  expect_contains(node_comparison_text(compared(runs)), "warning: n[1-2]: one thread only");
}

TEST(NodeComparison, WhatThePassesWarnedOfAlikeIsOne) {
  std::vector<NodeRun> runs;
  for (const char* const percent : {"77", "60", "64"}) {
    NodeRun& run = runs.emplace_back(node("n1", 1));
    run.job = "ci-1";
    run.task = "0";
    run.file = std::string(percent) + ".json";
    run.doubts = {said<reasons::time_taken_away>(percent, "4")};
  }
  runs.push_back(node("n2", 1));
  const NodeComparison comparison = compared(runs);
  ASSERT_EQ(lines(comparison, "doubts").size(), 1U);
  expect_contains(
      with_plain_blanks(lines(comparison, "doubts")[0]),
      "n1: in 3 of 3 repetitions: 60–77 % of the threads' time was taken away before the "
      "measurement, up to 4 ms at a time");
}

TEST(NodeComparison, WhatManyNodesWarnedOfAlikeIsOneLine) {
  std::vector<NodeRun> runs;
  for (int i = 1; i <= 9; ++i) {
    NodeRun& run = runs.emplace_back(node(fmt::format("n{}", i), 1));
    run.doubts = {said<reasons::other_tasks>(10 + i, said<reasons::measure_when_idle>())};
  }
  EXPECT_EQ(lines(compared(runs), "doubts"),
            Names{"n[1-9]: other tasks were running when the measurement began (11–19); "
                  "measure when the machine is idle"});
}

// Nor what only begins alike: one pass that was interrupted warns of what it is, and of what it
// was.
TEST(NodeComparison, WhatSaysSomethingElseInsideIsNotOne) {
  const Reason taken = said<reasons::time_taken_away>("60", "4");
  const Reason tasks = said<reasons::other_tasks>(3, said<reasons::measure_when_idle>());
  std::vector<NodeRun> runs;
  for (const char* const name : {"a", "b"}) {
    NodeRun& run = runs.emplace_back(node("n1", 1));
    run.job = "ci-1";
    run.task = "0";
    run.file = std::string(name) + ".json";
    run.doubts = {said<reasons::before_interruption>(taken),
                  said<reasons::before_interruption>(tasks)};
  }
  runs.push_back(node("n2", 1));
  const NodeComparison comparison = compared(runs);
  ASSERT_EQ(lines(comparison, "doubts").size(), 2U);
  for (const std::string& doubt : lines(comparison, "doubts")) {
    EXPECT_EQ(doubt.find("other tasks were running") != std::string::npos,
              doubt.find("taken away") == std::string::npos)
        << doubt;
  }
}

// 3 % in each of nine workloads is within the uncertainty of each, and not of all together.
TEST(NodeComparison, ANodeThatIsALittleSlowEverywhereShowsInAllTogether) {
  const auto many = [](const std::string& name, double seconds) {
    static const char* const workloads[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    std::vector<Timed> times;
    for (const char* workload : workloads) times.push_back({workload, seconds});
    return node_run(node_document(name, times), name, {});
  };
  NodeComparisonInput input;
  input.runs = {many("n1", 1), many("n2", 1), many("n3", 1.06)};
  const NodeComparison found = compare_nodes(input);
  ASSERT_EQ(slow(found), Names{"n3"});
  const Finding slowest = found.found({Found::slow}).at(0);
  ASSERT_EQ(slowest.cells.size(), 1U);
  EXPECT_EQ(found.columns[found.cells[slowest.cells[0]].column].workload, "all");
  expect_contains(node_comparison_text(found), "SLOW n3: all 1.06×");
}

TEST(NodeComparison, AllTogetherIsOfTheSameWorkloadsOnly) {
  const auto of = [](const std::string& name, const std::vector<Timed>& times) {
    return node_run(node_document(name, times), name, {});
  };
  const NodeComparison found =
      compared({of("n1", {{"a", 1}, {"b", 1}}), of("n2", {{"a", 1}, {"b", 1}}),
                of("n3", {{"a", 1}, {"b", 1}, {"c", 9}})});
  EXPECT_EQ(slow(found), Names{});
}

/// Nodes of which there is something to say in every way that there is a sentence for.
NodeComparisonInput everything() {
  const std::vector<Timed> work{{"energy", 1}, {"transpose", 1}};
  NodeComparisonInput input;
  const auto add = [&input](const Document& document, const std::string& node) -> NodeRun& {
    return input.runs.emplace_back(node_run(document, node + ".json", {"energy/openmp/simd"}));
  };
  for (const char* node : {"n1", "n2", "n3", "n4", "n5", "n6"}) {
    Document document = with_limits(node_document(node, work), 1, 1);
    document.context.machine.memory_bytes = 64'000'000'000;
    document.context.run.warnings = {said<reasons::no_huge_pages>()};
    document.context.run.phases_s = {{"checks", node == std::string("n6") ? 3 : 2}};
    add(document, node).passes = 3;
  }
  Document slow = node_document("s1", {{"energy", 1.5}, {"transpose", 1.5}});
  slow.context.machine.governor = "powersave";
  slow.context.machine.load_average = {{2.5, 0, 0}};
  slow.context.machine.memory_bytes = 32'000'000'000;
  slow.context.machine.gpu_reason = said<reasons::built_without_cuda>();
  slow.context.run.threads = 1;
  slow.context.build.compiler = "";
  slow.cases[0].seconds->preempted = 5;
  add(with_limits(slow, 1.5, 1), "s1");
  const Document slower = node_document("s2", {{"energy", 1.6}, {"transpose", 1.6}});
  add(with_limits(slower, 1, 1.6), "s2");
  Document slowest = node_document("s3", {{"energy", 1.7}, {"transpose", 1.7}});
  add(with_limits(slowest, 1.7, 1.7), "s3");
  Document unsure = node_document("u1", {{"energy", 1.06}, {"transpose", 1}});
  unsure.cases[1].seconds->ci95 = {0.9, 1.1};
  add(unsure, "u1");
  add(node_document("u2", {{"energy", 1.025}, {"transpose", 1.025}}), "u2");
  Document wrong = node_document("w1", work);
  lose(wrong.cases[1], Status::failed, said<reasons::wrote_into_input>());
  add(wrong, "w1").finished = false;
  Document other_input = node_document("w2", {{"energy", 1}});
  other_input.context.run.input_hash["energy"]["f32/1000"] = "xxh3:2";
  NodeRun& ended = add(other_input, "w2");
  ended.finished = false;
  ended.ended_by = "SIGTERM";
  Document nothing = node_document("w3", work);
  for (CaseRecord& one : nothing.cases)
    lose(one, Status::skipped, said<reasons::system_refused>("8 GB"));
  add(nothing, "w3");
  for (const char* job : {"1", "2", "3"}) add(node_document("n1", work), job);
  for (int i = 0; i < 43; ++i) {
    Document lonely = node_document(fmt::format("x{}", i), work);
    lonely.context.machine.cpu_model = i == 0 ? "" : "Y";
    add(lonely, fmt::format("x{}", i)).gpu = i == 0 ? "Z" : "";
  }
  input.recorded = {node("reference", 0.5), node("reference", 1)};
  input.recorded[1].cpu_model = "Y";
  input.recorded[1].facts[facts::threads] = 64;
  input.with_expected = true;
  input.nodes = {"m1", "m2"};
  input.not_begun = {"m2"};
  input.findings = {{Found::left_out, {"m3"}, {{"reason", "drain"}}},
                    {Found::unreadable, {}, {{"reason", "0"}}}};
  for (const char* day : {"01", "08"}) {
    Survey& survey = input.history.emplace_back(survey_of(input.runs));
    survey.started = fmt::format("2025-01-{}T00:00:00Z", day);
    for (auto& [column, nodes] : survey.logarithms) {
      nodes.erase("n1");
      nodes["u1"] -= 1;
    }
  }
  return input;
}

TEST(NodeComparison, SaysAllThatThereIsASentenceFor) {
  const std::string english = node_comparison_text(compare_nodes(everything()));
  expect_eighty_columns(english);
  for (const char* part : {"SLOW s2: ",
                           "2 sizes",
                           "(all together)",
                           "and 2 more",
                           "its result file shows no difference",
                           "limits: time over that of the others",
                           "expected:",
                           " SLOW",
                           "wrong: w1",
                           "missing: m1",
                           "absent: w",
                           "lacking: s1",
                           "unfinished: w1: still",
                           "unfinished: w2: ended by",
                           "unreadable:",
                           "not comparable: inputs of",
                           "unclear: 1 node",
                           "warning: ",
                           "note: 3 other runs",
                           "note: expected: the recorded run of Y had",
                           " with Z",
                           "unremarkable",
                           "repetitions",
                           "unknown processor",
                           "1 without any",
                           "waiting: m2: no job",
                           "warning: n6: a repetition takes 3 s (others 2 s)",
                           "left out: m3: drain",
                           "4 with something absent or lacking, 1 missing, 1 waiting",
                           "1 suspected",
                           "slower than before: u1: 2.7",
                           "since 2",
                           "suspect: u2: 1.0"}) {
    expect_contains(english, part);
  }
}

/// Nodes of which each has words, figures and warnings of its own, and some are slow.
std::vector<NodeRun> fleet(int nodes) {
  std::vector<Timed> times;
  for (const char* workload : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}) {
    times.push_back({workload, 1});
  }
  std::vector<NodeRun> runs;
  for (int i = 0; i < nodes; ++i) {
    for (Timed& one : times) one.seconds = i % 10 == 0 ? 1.5 : 1 + 1e-5 * i;
    Document document = with_limits(node_document(fmt::format("n{}", i), times), 1, 1);
    document.context.machine.memory_bytes = 64'000'000'000 + i;
    document.context.machine.kernel = fmt::format("6.1.{}", i);
    document.context.machine.gpu_reason = "no device";
    document.context.run.warnings = {fmt::format("something odd {}", i)};
    document.context.slurm.emplace().job_id = "7";
    document.context.slurm->job_nodelist = fmt::format("n[0-{}]", nodes - 1);
    runs.push_back(node_run(document, fmt::format("n{}.json", i), {}));
  }
  return runs;
}

/// Seconds of processor time.
double time_of_fleet(int nodes) {
  std::vector<NodeRun> runs = fleet(nodes);
  const std::clock_t begin = std::clock();
  const NodeComparison comparison = compared(std::move(runs));
  EXPECT_FALSE(node_comparison_text(comparison).empty());
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// 5 000 nodes were not compared within minutes where each was compared with each other one: four
// times as long, always.
TEST(NodeComparison, TwiceAsManyNodesTakeAboutTwiceAsLong) {
  double least = 4;
  for (int i = 0; i < 9 && least > 2.5; ++i) {
    const double half = time_of_fleet(500);
    least = std::min(least, time_of_fleet(1000) / half);
  }
  EXPECT_LE(least, 2.5);
}

}  // namespace
}  // namespace bench::test
