#include "harness/next_step.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using Json = nlohmann::ordered_json;

/// A document of a run with these words.
Json run_of(const std::vector<std::string>& argv) {
  return {
      {"context", {{"run", {{"argv", argv}, {"input_files", Json::array()}}}, {"slurm", nullptr}}},
      {"cases", Json::array()}};
}

Json with_case(Json document, const std::string& status) {
  document["cases"].push_back({{"workload", "histogram"},
                               {"backend", "openmp"},
                               {"variant", "private_bins"},
                               {"dtype", "f64"},
                               {"size", "1000:256"},
                               {"status", status}});
  return document;
}

/// Without any script.
std::string next(const Json& document) {
  return next_step(document, "results/a.json", "/nonexistent");
}

TEST(NextStep, WithoutScriptsTheTableAgain) {
  EXPECT_EQ(next(run_of({"build/bench"})), "build/bench table results/a.json");
  EXPECT_EQ(next(run_of({"bench", "--sweep", "1e3:1e6"})), "bench table results/a.json");
}

TEST(NextStep, ScriptsThatAreThere) {
  const TemporaryFolder folder;
  const auto step = [&](const std::vector<std::string>& argv) {
    return next_step(run_of(argv), "a.json", folder / "");
  };
  std::ofstream(folder / "report.py") << "x";
  const std::string report = std::filesystem::proximate(folder / "report.py").string();
  EXPECT_EQ(step({"bench"}), report + " a.json -o report.html");
  EXPECT_EQ(step({"bench", "--sweep=1e3:1e6"}), report + " a.json -o report.html")
      << "plot.py is not there";
  std::ofstream(folder / "plot.py") << "x";
  const std::string plot = std::filesystem::proximate(folder / "plot.py").string();
  EXPECT_EQ(step({"bench"}), report + " a.json -o report.html");
  EXPECT_EQ(step({"bench", "--threads", "1"}), report + " a.json -o report.html")
      << "one number of threads does not scale";

  Json sweep = with_case(run_of({"bench", "--sweep=1e3:1e6"}), "measured");
  sweep["cases"][0]["reference"] = false;
  EXPECT_EQ(next_step(sweep, "a.json", folder / ""), report + " a.json -o report.html")
      << "one size is no sweep";
  sweep["cases"].push_back(sweep["cases"][0]);
  sweep["cases"][1]["size"] = "2000:256";
  EXPECT_EQ(next_step(sweep, "a.json", folder / ""), plot + " sweep a.json -o pictures");

  Json scaling = run_of({"bench", "--threads", "1,2"});
  scaling["scaling"] = {{{"name", "x"}}};
  EXPECT_EQ(next_step(scaling, "a.json", folder / ""), plot + " scaling a.json -o pictures");
}

TEST(NextStep, APythonForTheScriptsComesFirst) {
  const TemporaryFolder folder;
  const std::filesystem::path scripts(folder / "scripts");
  std::filesystem::create_directory(scripts);
  std::ofstream(scripts / "report.py") << "x";
  std::ofstream(scripts / "setup.sh") << "x";
  const std::string begin = std::filesystem::proximate(scripts).string();
  const std::string report = begin + "/report.py a.json -o report.html";
  const Json document = run_of({"bench"});
  EXPECT_EQ(next_step(document, "a.json", scripts), begin + "/setup.sh pages && " + report);
  std::filesystem::create_directories(folder / ".venv/bin");
  std::ofstream(folder / ".venv/bin/python") << "x";
  EXPECT_EQ(next_step(document, "a.json", scripts), report);
}

TEST(NextStep, WhatFailedComesFirst) {
  Json document = with_case(run_of({"bench", "--sweep", "1e3:1e6"}), "failed");
  EXPECT_EQ(
      next(document),
      "bench verify histogram/openmp/private_bins --size 1000 --bins 256 --dtype f64 --show 10");
  document["context"]["run"]["input_files"] = {{{"path", "my data.npy"}}, {{"path", "b.npy"}}};
  EXPECT_EQ(next(document),
            "bench verify histogram/openmp/private_bins --input 'my data.npy,b.npy' --show 10");
  EXPECT_EQ(next(with_case(run_of({"bench"}), "skipped")), "bench table results/a.json");
}

TEST(NextStep, ManyNodesAreCompared) {
  Json document = run_of({"bench"});
  Json& slurm = document["context"]["slurm"];
  slurm = {{"cluster_name", "c"}, {"job_id", "7"}, {"step_id", "0"}, {"step_nodelist", "n[1-4]"}};
  EXPECT_EQ(next_step(document, "results/c-7.0-n1-0.json", "/nonexistent"),
            "bench compare results/c-7.0-*.json --nodes 'n[1-4]'");
  EXPECT_EQ(next_step(document, "other/name.json", "/nonexistent"),
            "bench compare other --nodes 'n[1-4]'");
  EXPECT_EQ(next_step(document, "name.json", "/nonexistent"), "bench compare . --nodes 'n[1-4]'");
  slurm["step_nodelist"] = "n1";
  EXPECT_EQ(next(document), "bench table results/a.json");
  slurm["step_nodelist"] = nullptr;
  EXPECT_EQ(next(document), "bench table results/a.json");
}

TEST(NextStep, WordsAreQuotedForTheShell) {
  EXPECT_EQ(shell_quoted("results/a-1.0_b.json"), "results/a-1.0_b.json");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's; rm"), "'it'\\''s; rm'");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(next_step(run_of({"my bench"}), "a b.json", "/nonexistent"),
            "'my bench' table 'a b.json'");
}

}  // namespace
}  // namespace bench::test
