#include "harness/compare.hpp"

#include <gtest/gtest.h>

namespace {

using Json = nlohmann::ordered_json;

/// A document with one measured case whose samples scatter by ±0.5 % around `seconds`.
Json document(double seconds, const char* name = "energy/serial/naive/f32/1000/kernel") {
  std::vector<double> samples;
  for (int i = 0; i < 40; ++i) samples.push_back(seconds * (1 + 0.005 * ((i * 7 % 11) - 5) / 5));
  Json run{{"node", "n1"}, {"seed", 42}, {"cache", "cold"}, {"threads", 2}, {"isa", "avx2"}};
  run["input_hash"] = {{"energy", {{"f32/1000", "xxh3:1"}}}};
  return {{"context",
           {{"run", run},
            {"machine", {{"cpu_model", "X"}, {"governor", nullptr}, {"cpuset", "0-1"}}},
            {"build", {{"revision", "abc"}, {"dirty", false}}}}},
          {"cases",
           {{{"name", name},
             {"status", "measured"},
             {"reference", false},
             {"workload", "energy"},
             {"size", "1000"},
             {"backend", "serial"},
             {"dtype", "f32"},
             {"scope", "kernel"},
             {"threads", 1},
             {"share_of_copy", 0.5},
             {"seconds", {{"samples", samples}}}}}}};
}

bench::Change change(double before, double after) {
  return bench::compare(document(before), document(after), 0.05).cases.at(0).change;
}

TEST(Compare, VerdictsNeedTheWholeInterval) {
  EXPECT_EQ(change(1.0, 1.0), bench::Change::same);
  EXPECT_EQ(change(1.0, 1.02), bench::Change::same);
  EXPECT_EQ(change(1.0, 1.05), bench::Change::inconclusive);
  EXPECT_EQ(change(1.0, 1.2), bench::Change::slower);
  EXPECT_EQ(change(1.0, 0.8), bench::Change::faster);
}

TEST(Compare, ThresholdIsTheUsers) {
  EXPECT_EQ(bench::compare(document(1), document(1.2), 0.5).cases.at(0).change,
            bench::Change::same);
}

TEST(Compare, ExitCodes) {
  const auto code = [](const Json& a, const Json& b, bool forced = false) {
    return bench::exit_code(bench::compare(a, b, 0.05), forced);
  };
  EXPECT_EQ(code(document(1), document(1)), 0);
  EXPECT_EQ(code(document(1), document(0.5)), 0);
  EXPECT_EQ(code(document(1), document(1.5)), 3);
  EXPECT_EQ(code(document(1), document(1.05)), 4);
  Json other_seed = document(1);
  other_seed["context"]["run"]["seed"] = 7;
  EXPECT_EQ(code(document(1), other_seed), 5);
  EXPECT_EQ(code(document(1), other_seed, true), 0);
  EXPECT_EQ(code(document(1), document(1, "hypot/serial/naive/f32/1000/kernel")), 5);
}

TEST(Compare, NamesWhatIsUnlikeAndWhatMayExplain) {
  Json other = document(1);
  other["context"]["run"]["input_hash"]["energy"]["f32/1000"] = "xxh3:2";
  other["context"]["machine"]["cpu_model"] = "Y";
  const bench::Comparisons found = bench::compare(document(1), other, 0.05);
  EXPECT_EQ(found.unlike, std::vector<std::string>{"inputs of energy/f32/1000"});
  EXPECT_EQ(found.differences, std::vector<std::string>{"cpu_model: X and Y"});
  const std::string text = bench::text(found, 0.05);
  EXPECT_NE(text.find("not like with like: inputs of energy/f32/1000"), std::string::npos);
  EXPECT_NE(text.find("cpu_model: X and Y"), std::string::npos);
}

TEST(Compare, CasesOfOneRunOnlyAreNamed) {
  Json second = document(1);
  second["cases"].push_back(second["cases"][0]);
  second["cases"][1]["name"] = "energy/openmp/naive/f32/1000/kernel";
  second["cases"].push_back(second["cases"][0]);
  second["cases"][2]["status"] = "failed";
  second["cases"][2]["reason"] = "wrote nothing";
  second["cases"][2]["name"] = "energy/openmp/simd/f32/1000/kernel";
  const bench::Comparisons found = bench::compare(document(1), second, 0.05);
  EXPECT_EQ(found.only_in_one,
            std::vector<std::string>{"energy/openmp/naive/f32/1000/kernel (second run)"});
  EXPECT_EQ(found.cases.size(), 1U);
  EXPECT_EQ(found.failed,
            std::vector<std::string>{"energy/openmp/simd/f32/1000/kernel: wrote nothing"});
  EXPECT_EQ(bench::exit_code(found, false), 1) << "a variant that became wrong is no success";
}

/// The same, with a copy beside the case that took `copy_seconds`.
Json with_yardstick(double seconds, double copy_seconds) {
  Json result = document(seconds);
  Json copy = document(copy_seconds, "copy/serial/streaming/f32/1000/kernel,beside=energy:1000");
  copy = copy["cases"][0];
  copy["workload"] = "copy";
  copy["reference"] = true;
  copy["share_of_copy"] = 1.0;
  result["cases"].push_back(copy);
  return result;
}

// Where mere copying got slower as well, the node is another one, and the code is not to blame.
TEST(Compare, AChangedYardstickMakesACaseInconclusive) {
  const auto found = bench::compare(with_yardstick(1, 1), with_yardstick(2, 2), 0.05);
  ASSERT_EQ(found.cases.size(), 1U);
  EXPECT_EQ(found.cases[0].change, bench::Change::inconclusive);
  EXPECT_TRUE(found.cases[0].node_changed);
  EXPECT_NE(bench::text(found, 0.05).find("unclear: node"), std::string::npos);

  const auto code = bench::compare(with_yardstick(1, 1), with_yardstick(2, 1), 0.05);
  EXPECT_EQ(code.cases.at(0).change, bench::Change::slower);
}

// A run that drifts by 10 % in its course cannot claim a difference of 8 %.
TEST(Compare, DriftWithinARunWidensTheInterval) {
  Json drifting = document(1.08);
  int i = 0;
  for (Json& sample : drifting["cases"][0]["seconds"]["samples"]) {
    sample = sample.get<double>() * (i++ < 16 ? 1.1 : 1.0);
  }
  EXPECT_EQ(bench::compare(document(1), drifting, 0.05).cases.at(0).change,
            bench::Change::inconclusive);
}

}  // namespace
