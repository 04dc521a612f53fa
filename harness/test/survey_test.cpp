#include "harness/survey.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/test/support.hpp"

namespace bench::test {
namespace {

struct Timed {
  const char* workload;
  double seconds;
};

/// A document as read_document returns it, of a node with one case per workload whose 95 %
/// interval is ±1 %.
Json node_document(const std::string& node, const std::vector<Timed>& times) {
  Json document{
      {"context",
       {{"run",
         {{"node", node},
          {"started", "2026-01-01T00:00:00Z"},
          {"finished", true},
          {"ended_by", nullptr},
          {"seed", 42},
          {"cache", "cold"},
          {"threads", 2},
          {"isa", "avx2"},
          {"input_hash", {{"energy", {{"f32/1000", "xxh3:1"}}}}}}},
        {"machine",
         {{"cpu_model", "X"}, {"governor", "performance"}, {"load_average", {0.1, 0, 0}}}},
        {"build", {{"revision", "abc"}, {"dirty", false}}},
        {"slurm", nullptr}}},
      {"cases", Json::array()}};
  for (const auto& [workload, seconds] : times) {
    document["cases"].push_back(
        {{"name", std::string(workload) + "/openmp/simd/f32/1000/kernel"},
         {"workload", workload},
         {"backend", "openmp"},
         {"variant", "simd"},
         {"dtype", "f32"},
         {"size", "1000"},
         {"scope", "kernel"},
         {"status", "measured"},
         {"rounds", 10},
         {"seconds",
          {{"median", seconds}, {"ci95", {seconds * 0.99, seconds * 1.01}}, {"preempted", 0}}}});
  }
  return document;
}

NodeRun node(const std::string& name, double seconds) {
  return node_run(node_document(name, {{"energy", seconds}}), name + ".json", {});
}

Survey survey_of(std::vector<NodeRun> runs) {
  SurveyInput input;
  input.runs = std::move(runs);
  return survey(std::move(input));
}

std::vector<std::string> slow(const Survey& survey) {
  std::vector<std::string> names;
  for (const SlowNode& one : survey.slow) names.push_back(survey.runs[one.run].node);
  return names;
}

using Names = std::vector<std::string>;

TEST(Survey, TwoEqualNodesAreNotSlow) {
  const Survey survey = survey_of({node("a", 1), node("b", 1.005)});
  EXPECT_EQ(slow(survey), Names{});
  EXPECT_EQ(exit_code(survey, false), 0);
}

TEST(Survey, OfTwoNodesTheSlowOneIsNamed) {
  const Survey survey = survey_of({node("a", 1.5), node("b", 1)});
  EXPECT_EQ(slow(survey), Names{"a"});
  EXPECT_EQ(exit_code(survey, false), 3);
  const Cell& cell = survey.cells.at(survey.slow.at(0).cells.at(0));
  EXPECT_DOUBLE_EQ(cell.ratio.value, 1.5);
  EXPECT_LT(cell.ratio.ci95.low, 1.5);
  EXPECT_GT(cell.ratio.ci95.low, 1.4);
  expect_contains(survey_text(survey), "SLOW a: energy 1.50×");
}

TEST(Survey, ADifferenceWithinTheUncertaintyIsUnclear) {
  const Survey survey = survey_of({node("a", 1.06), node("b", 1)});
  EXPECT_EQ(slow(survey), Names{});
  EXPECT_EQ(exit_code(survey, false), 4);
  expect_contains(survey_text(survey), "unclear: 1 node (a)");
}

TEST(Survey, HalfOfTheNodesMayBeSlow) {
  const Survey survey = survey_of({node("a", 1), node("b", 1.4), node("c", 1), node("d", 1.4)});
  EXPECT_EQ(slow(survey), (Names{"b", "d"}));
}

// Where equal nodes scatter by 10 %, a node that is 15 % slower says nothing; one that is slow by
// half does. Slow nodes do not make the scatter look larger.
TEST(Survey, EqualNodesThatScatterWidenTheInterval) {
  std::vector<NodeRun> runs;
  for (int i = 0; i < 20; ++i) runs.push_back(node(fmt::format("n{:02}", i), 1 + 0.01 * (i % 10)));
  runs.push_back(node("x", 1.2));
  EXPECT_EQ(slow(survey_of(runs)), Names{});
  runs.back() = node("x", 1.8);
  EXPECT_EQ(slow(survey_of(runs)), Names{"x"});
  for (int i = 0; i < 5; ++i) runs.push_back(node(fmt::format("y{}", i), 1.8));
  EXPECT_EQ(slow(survey_of(runs)).size(), 6U);
}

// 20 comparisons in 20 nodes × 12 workloads would be "significant" at 95 % each.
TEST(Survey, ManyComparisonsHoldTogether) {
  std::vector<Timed> times;
  const Survey few = survey_of({node("a", 1), node("b", 1.1)});
  std::vector<NodeRun> runs;
  for (int i = 0; i < 200; ++i) runs.push_back(node(fmt::format("n{:03}", i), 1));
  runs.push_back(node("x", 1.1));
  const Survey many = survey_of(runs);
  const auto width = [](const Survey& survey) {
    const Interval ci = survey.cells.back().ratio.ci95;
    return std::log(ci.high / ci.low);
  };
  EXPECT_GT(width(many), 1.3 * width(few));
}

TEST(Survey, SaysWhatDiffers) {
  Json document = node_document("a", {{"energy", 1.5}});
  document["context"]["machine"]["governor"] = "powersave";
  document["context"]["machine"]["load_average"] = {2.5, 0, 0};
  document["context"]["run"]["threads"] = 1;
  document["cases"][0]["seconds"]["preempted"] = 5;
  const Survey survey =
      survey_of({node_run(document, "a.json", {}), node("b", 1), node("c", 1), node("d", 1)});
  ASSERT_EQ(slow(survey), Names{"a"});
  EXPECT_EQ(survey.slow[0].differences,
            (Names{"governor powersave (others performance)", "threads 1 (others 2)",
                   "load average 2.5 (others 0.1)",
                   "samples that waited for a processor 50 % (others 0)"}));
  expect_contains(survey_text(survey), "differs: governor powersave (others performance)");
}

TEST(Survey, OnlyNodesOfTheSameHardwareAreCompared) {
  Json other = node_document("z", {{"energy", 9}});
  other["context"]["machine"]["cpu_model"] = "Y";
  const Survey survey = survey_of({node("a", 1), node("b", 1), node_run(other, "z.json", {})});
  EXPECT_EQ(survey.kinds.size(), 2U);
  EXPECT_EQ(slow(survey), Names{});
  EXPECT_EQ(survey.cells.back().standing, Standing::alone);
  EXPECT_EQ(exit_code(survey, false), 0);
}

TEST(Survey, UnlikeRunsAreRefusedUnlessForced) {
  Json other = node_document("c", {{"energy", 1}});
  other["context"]["build"]["revision"] = "def";
  other["context"]["run"]["input_hash"]["energy"]["f32/1000"] = "xxh3:2";
  const Survey survey = survey_of({node("a", 1), node("b", 1), node_run(other, "c.json", {})});
  EXPECT_EQ(survey.unlike, (Names{"inputs of energy/f32/1000: xxh3:2 (c), others xxh3:1",
                                  "revision: def (c), others abc"}));
  EXPECT_EQ(exit_code(survey, false), 5);
  EXPECT_EQ(exit_code(survey, true), 0);
}

TEST(Survey, NamesMissingAndUnfinishedNodes) {
  Json document = node_document("n2", {{"energy", 1}});
  document["context"]["run"]["finished"] = false;
  document["context"]["run"]["ended_by"] = "SIGTERM";
  document["context"]["slurm"] = {{"job_id", "7"}, {"job_nodelist", "n[1-4]"}};
  SurveyInput input;
  input.runs = {node("n1", 1), node_run(document, "n2.json", {})};
  input.nodes = {"n5"};
  const Survey survey = bench::survey(input);
  EXPECT_EQ(survey.missing, (Names{"n3", "n4", "n5"}));
  ASSERT_EQ(survey.unfinished.size(), 1U);
  expect_contains(survey.unfinished[0], "n2: ended by SIGTERM, n2.json");
  EXPECT_EQ(exit_code(survey, false), 4);
}

TEST(Survey, TheNewestFinishedRunOfANodeCounts) {
  NodeRun old = node("a", 5);
  old.file = "old.json";
  old.started = "2025-01-01T00:00:00Z";
  NodeRun broken = node("a", 7);
  broken.file = "broken.json";
  broken.started = "2026-12-01T00:00:00Z";
  broken.finished = false;
  const Survey survey = survey_of({old, broken, node("a", 1), node("b", 1)});
  EXPECT_EQ(slow(survey), Names{});
  EXPECT_EQ(survey.runs.size(), 2U);
  expect_contains(survey.notes.at(0), "2 other runs");
}

TEST(Survey, TasksOfOneJobAreRowsOfTheirOwn) {
  NodeRun first = node("a", 1);
  NodeRun second = node("a", 1);
  first.job = second.job = "ci-1";
  first.task = "0";
  second.task = "1";
  second.file = "other.json";
  const Survey survey = survey_of({first, second});
  ASSERT_EQ(survey.runs.size(), 2U);
  EXPECT_EQ(survey.runs[0].node, "a/0");
  EXPECT_EQ(survey.runs[1].node, "a/1");
  EXPECT_EQ(survey.missing, Names{});
}

// What a node shows at one moment may be the moment: a difference counts if it is larger than the
// differences between passes.
TEST(Survey, StepsOfAJobArePassesAndShowHowMomentsDiffer) {
  const auto pass = [](const std::string& name, int step, double seconds) {
    NodeRun run = node(name, seconds);
    run.job = "ci-1";
    run.task = "0";
    run.file = fmt::format("{}.{}.json", name, step);
    return run;
  };
  const auto found = [&](double a1, double a2, double a3) {
    return survey_of({pass("a", 0, a1), pass("a", 1, a2), pass("a", 2, a3), pass("b", 0, 1),
                      pass("b", 1, 1.001), pass("b", 2, 0.999)});
  };
  EXPECT_EQ(slow(found(1.5, 1.52, 1.51)), Names{"a"});
  EXPECT_EQ(slow(found(1.5, 1.0, 1.5)), Names{});
  const Survey survey = found(1.5, 1.0, 1.6);
  ASSERT_EQ(survey.runs.size(), 2U);
  EXPECT_EQ(survey.runs[0].passes, 3U);
  EXPECT_DOUBLE_EQ(survey.cells[0].time.seconds, 1.5) << "the median of the passes";
  EXPECT_EQ(survey.cells[0].standing, Standing::unclear);
}

TEST(Survey, APartitionThatIsSlowAsAWholeIsNoticed) {
  SurveyInput input;
  input.runs = {node("a", 2), node("b", 2), node("c", 2)};
  input.recorded = {node("reference", 1)};
  input.with_expected = true;
  const Survey found = survey(input);
  EXPECT_EQ(slow(found), Names{});
  ASSERT_EQ(found.expectations.size(), 1U);
  EXPECT_DOUBLE_EQ(found.expectations[0].ratio.value, 2);
  EXPECT_EQ(exit_code(found, false), 3);
  expect_contains(survey_text(found), "energy 2.00×");

  input.recorded[0].words["threads"] = "64";
  const Survey other = survey(input);
  EXPECT_TRUE(other.expectations.empty());
  expect_contains(other.notes.at(0), "had 64 threads, these have 2");
  input.recorded[0].cpu_model = "Y";
  expect_contains(survey(input).notes.at(0), "no recorded run of X");
}

TEST(Survey, AWrongAnswerIsAnError) {
  Json document = node_document("a", {{"energy", 1}, {"hypot", 1}});
  document["cases"][1]["status"] = "failed";
  document["cases"][1]["reason"] = "wrote nothing";
  const Survey survey = survey_of({node_run(document, "a.json", {}), node("b", 1)});
  EXPECT_EQ(survey.failed, Names{"a: hypot/openmp/simd/f32/1000/kernel: wrote nothing"});
  EXPECT_EQ(exit_code(survey, false), 1);
}

TEST(Survey, TheBestVariantCountsAndChosenOnesHaveTheirColumn) {
  Json document = node_document("a", {{"energy", 1}, {"energy", 4}});
  document["cases"][1]["variant"] = "naive";
  document["cases"][1]["name"] = "energy/openmp/naive/f32/1000/kernel";
  const NodeRun run = node_run(document, "a.json", {"energy/openmp/naive"});
  ASSERT_EQ(run.times.size(), 2U);
  EXPECT_EQ(run.times[0].column.what, "best CPU variant");
  EXPECT_EQ(run.times[0].variant, "openmp/simd");
  EXPECT_EQ(run.times[1].column.what, "openmp/naive");
  EXPECT_DOUBLE_EQ(run.times[1].seconds, 4);
}

TEST(Survey, ALibraryIsNoBestVariantButMayBeChosen) {
  Json document = node_document("a", {{"energy", 2}});
  document["cases"].push_back(document["cases"][0]);
  Json& library = document["cases"][1];
  library["name"] = "energy/cuda/library/f32/1000/kernel";
  library["backend"] = "cuda";
  library["variant"] = "library";
  library["library"] = true;
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

TEST(Survey, SpreadsheetsComputeNothing) {
  Json document = node_document("=1+1", {{"energy", 1}});
  document["context"]["machine"]["cpu_model"] = "a,\"b\"";
  const std::string csv = survey_csv(survey_of({node_run(document, "-x.json", {})}));
  expect_contains(csv, "\n'=1+1,\"a,\"\"b\"\"\",,best CPU variant,energy,");
  expect_contains(csv, ",alone,'-x.json\n");
}

TEST(Survey, JsonHasEverything) {
  const Survey survey = survey_of({node("a", 1.5), node("b", 1)});
  const Json json = survey_json(survey, false);
  EXPECT_EQ(json.at("schema"), "bench-nodes/1");
  EXPECT_EQ(json.at("exit_code"), 3);
  EXPECT_EQ(json.at("slow").at(0).at("node"), "a");
  EXPECT_EQ(json.at("slow").at(0).at("where").at(0).at("workload"), "energy");
  EXPECT_DOUBLE_EQ(json.at("cells").at(0).at("ratio").at("value").get<double>(), 1.5);
  EXPECT_EQ(json.at("cells").size(), 2U);
}

TEST(Survey, ManyNodesAreShownWhereThereIsSomethingToSay) {
  std::vector<NodeRun> runs;
  for (int i = 0; i < 100; ++i) runs.push_back(node(fmt::format("n{:03}", i), 1));
  runs.push_back(node("x", 2));
  const std::string text = survey_text(survey_of(runs));
  expect_contains(text, "… and 100 nodes without anything to remark");
  expect_contains(text, "  x");
  EXPECT_EQ(text.find("n050"), std::string::npos);
}

}  // namespace
}  // namespace bench::test
