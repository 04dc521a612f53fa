#include "harness/command/next_step.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/document/test/records.hpp"

namespace bench::test {
namespace {

Document run_of(std::vector<Case> cases) {
  return document_of_groups({group_of(std::move(cases))});
}

Case of_size(const std::string& size) {
  Case one = measured("work", "serial", "naive", 1);
  one.size = size;
  return named(one);
}

/// The next step without the Python package.
std::string next(const Document& document) {
  return next_step(document, "results/a.json", false, "build/bench");
}

TEST(NextStep, WithoutThePackageTheTableAgain) {
  EXPECT_EQ(next(run_of({})), "build/bench table results/a.json");
  EXPECT_EQ(next(run_of({of_size("10"), of_size("20")})), "build/bench table results/a.json");
}

TEST(NextStep, WhatTheRunWasMadeFor) {
  const auto step = [](const Document& document) {
    return next_step(document, "a.json", true, "bench");
  };
  EXPECT_EQ(step(run_of({})), "bench report a.json -o report.html");
  EXPECT_EQ(step(run_of({of_size("10")})), "bench report a.json -o report.html");
  EXPECT_EQ(step(run_of({of_size("10"), of_size("20")})), "bench plot sweep a.json -o pictures");

  Case few = measured("work", "openmp", "naive", 2);
  few.threads = 1;
  few.parameters["threads"] = "1";
  const Document scaling = run_of({named(few), measured("work", "openmp", "naive", 1)});
  EXPECT_EQ(step(scaling), "bench plot scaling a.json -o pictures");
}

TEST(NextStep, WhatFailedComesFirst) {
  Case failed = measured("histogram", "openmp", "private_bins", 1);
  failed.size = "1000:256";
  failed.shape = {1000};
  failed.bins = 256;
  failed.dtype = Dtype::f64;
  failed.status = Status::failed;
  Document document = run_of({of_size("10"), of_size("20"), named(failed)});
  const std::string verify = "build/bench verify histogram/openmp/private_bins ";
  EXPECT_EQ(next(document), verify + "--size 1000 --bins 256 --dtype f64 --show 10");
  document.context.run.input_files = {{"my data.npy", {3}, Dtype::f32, ""},
                                      {"b.npy", {3}, Dtype::f32, ""}};
  EXPECT_EQ(next(document), verify + "--input 'my data.npy,b.npy' --show 10");
}

TEST(NextStep, ManyNodesAreCompared) {
  Document document = run_of({});
  Slurm& job = document.context.slurm.emplace();
  job.cluster_name = "c";
  job.job_id = "7";
  job.step_id = "0";
  job.step_nodelist = "n[1-4]";
  const auto step = [&](const char* file) { return next_step(document, file, false, "bench"); };
  EXPECT_EQ(step("results/c-7.0-n1-0.json"), "bench compare results/c-7.0-*.json --nodes 'n[1-4]'");
  EXPECT_EQ(step("other/name.json"), "bench compare other --nodes 'n[1-4]'");
  EXPECT_EQ(step("name.json"), "bench compare . --nodes 'n[1-4]'");
  job.step_nodelist = "n1";
  EXPECT_EQ(step("results/a.json"), "bench table results/a.json");
  job.step_nodelist.reset();
  EXPECT_EQ(step("results/a.json"), "bench table results/a.json");
}

TEST(NextStep, WordsAreQuotedForTheShell) {
  EXPECT_EQ(next_step(run_of({}), "a b.json", false, "my bench"), "'my bench' table 'a b.json'");
}

}  // namespace
}  // namespace bench::test
