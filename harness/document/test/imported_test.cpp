// Files of other programs as result files. The files are in the corpus of the fuzzer, which mutates
// them, too.

#include "harness/document/imported.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/compare/run_comparison.hpp"
#include "harness/document/merge.hpp"
#include "harness/tables/render.hpp"
#include "harness/test/source_folder.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

Document read_example(const std::string& name) {
  return read_document(source_folder / "harness/fuzz/corpus/document" / name);
}

struct Expected {
  std::string name;
  std::vector<double> seconds;
};

void expect_cases(const Document& document, const std::vector<Expected>& expected) {
  ASSERT_EQ(document.cases.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const CaseRecord& one = document.cases[i];
    EXPECT_EQ(one.name, expected[i].name);
    EXPECT_TRUE(one.imported());
    const std::vector<double> seconds = one.seconds ? one.seconds->samples : std::vector<double>{};
    ASSERT_EQ(seconds.size(), expected[i].seconds.size()) << one.name;
    for (std::size_t k = 0; k < seconds.size(); ++k) {
      EXPECT_DOUBLE_EQ(seconds[k], expected[i].seconds[k]) << one.name;
    }
  }
  EXPECT_EQ(written(parse_document(written(document).dump(), "x.json")), written(document));
}

TEST(Imported, RepetitionsOfGoogleBenchmarkAreSamples) {
  const Document document = read_example("google_repetitions.json");
  expect_cases(document, {{"solver_bench/BM_copy<float>/1024", {1e-6, 1.1e-6}},
                          {"solver_bench/BM_wrong", {}}});
  EXPECT_EQ(document.cases[1].reason->text, "no file");
  EXPECT_EQ(document.context.run.node, "n01");
  EXPECT_EQ(document.context.run.warnings.size(), 2U);
  EXPECT_NEAR(document.cases[0].gb_per_s.value(), 8110 / 1.05e-6 / 1e9,
              1e-3);  // 8.192 GB/s of 0.99 µs
  expect_cases(read_example("google_aggregates.json"), {{"solver_bench/BM_a", {2e-3}}});
}

TEST(Imported, HyperfineKeepsTheTimesOfEachCommand) {
  expect_cases(read_example("hyperfine.json"), {{"hyperfine/./solver --n 100", {0.48, 0.49, 0.52}},
                                                {"hyperfine/named/n=100", {0.7}},
                                                {"hyperfine/named/n=100 (2)", {0.65}}});
}

TEST(Imported, PytestBenchmarkNamesFileTestAndParameters) {
  const Document document = read_example("pytest_benchmark.json");
  expect_cases(document, {{"tests/test_sum.py/TestSum::test_sum/1-2", {1e-6, 2e-6, 3e-6}},
                          {"tests/test_sum.py/test_mean", {4e-6}}});
  EXPECT_EQ(document.context.machine.cpu_model, "Example CPU");
  EXPECT_EQ(document.context.build.revision, "0123abcd");
}

TEST(Imported, NvbenchHasMeansAndReasons) {
  const Document document = read_example("nvbench.json");
  expect_cases(document, {{"kernels/reduce/Elements=1048576", {1.25e-5}},
                          {"kernels/reduce/Elements=1099511627776", {}}});
  EXPECT_EQ(document.cases[1].reason->text, "not enough memory");
  EXPECT_EQ(gpu_name(document.context.machine), "NVIDIA H100 80GB HBM3");
}

/// nvbench's JSON with the samples in files next to it.
std::string with_samples(const std::string& size) {
  return R"({"devices": [], "benchmarks": [{"name": "a", "states": [{"summaries": [
    {"tag": "nv/json/bin:nv/cpu_only/sample_times", "hint": "file/sample_times", "data": [
      {"name": "filename", "type": "string", "value": "/elsewhere/x.json-bin/0.bin"},
      {"name": "size", "type": "int64", "value": ")" +
         size + R"("}]}]}]}]})";
}

TEST(Imported, SamplesOfNvbenchStandNextToIt) {
  const TemporaryFolder folder;
  const std::filesystem::path here = folder / "";
  const auto refusal = [&](const std::string& size) {
    return message_of<UsageError>(
        [&] { parse_document(with_samples(size), "x.json", Keep::everything, here); });
  };
  EXPECT_NE(refusal("3").find("is not there: copy "), std::string::npos) << refusal("3");
  std::filesystem::create_directories(here / "x.json-bin");
  const std::vector<float> seconds{1.0F, 2.0F, 4.0F};
  std::ofstream(here / "x.json-bin" / "0.bin", std::ios::binary)
      .write(reinterpret_cast<const char*>(seconds.data()), 12);
  expect_cases(parse_document(with_samples("3"), "x.json", Keep::everything, here),
               {{"nvbench/a", {1, 2, 4}}});
  EXPECT_NE(refusal("4").find("is not that of "), std::string::npos);
  EXPECT_NE(refusal("2").find("is not that of "), std::string::npos);
  EXPECT_NE(refusal("1e30").find("is not that of "), std::string::npos);
}

TEST(Imported, TablesOfBabelStreamAndCriterion) {
  const Document stream = read_example("babelstream.csv");
  expect_cases(stream, {{"BabelStream/Copy/33554432/sizeof=8", {0.05}},
                        {"BabelStream/Dot/33554432/sizeof=8", {0.06}}});
  EXPECT_NEAR(stream.cases[0].gb_per_s.value(), 12 * 0.0447 / 0.05, 1e-6);
  expect_cases(read_example("criterion.csv"),
               {{"Fibonacci/Iterative/20", {915e-9, 982e-9}}, {"criterion/fib, 20", {5e-4}}});
}

Document read_text(const std::string& text) { return parse_document(text, "x"); }

std::string google(const std::string& rows) {
  return R"({"context": {"date": "2014/08/03 21:32:14", "executable": "C:\\build\\a.exe"},
             "benchmarks": [)" +
         rows + "]}";
}

TEST(Imported, BenchmarksWithAndWithoutRepetitionsAreInOneFile) {
  const Document document = read_text(google(
      R"({"name": "a", "run_name": "a", "run_type": "iteration", "real_time": 1, "time_unit": "s"},
         {"name": "b_mean", "run_name": "b", "run_type": "aggregate", "aggregate_name": "mean",
          "real_time": 2, "time_unit": "ms", "rate": NaN, "most": -Infinity, "label": "NaN \"Infinity"},
         {"name": "a_BigO", "run_name": "a", "run_type": "aggregate", "aggregate_name": "BigO",
          "cpu_coefficient": 1, "real_coefficient": 1, "big_o": "N"})"));
  expect_cases(document, {{"a.exe/a", {1}}, {"a.exe/b", {2e-3}}});
  EXPECT_EQ(document.context.run.started, "");
}

TEST(Imported, ARepetitionThatFailedIsNotForgotten) {
  const Document document = read_text(google(
      R"({"name": "a", "run_type": "iteration", "error_occurred": true, "error_message": "gone",
          "real_time": 0, "time_unit": "s"},
         {"name": "a", "run_type": "iteration", "real_time": 1, "time_unit": "s"})"));
  expect_cases(document, {{"a.exe/a", {}}});
  EXPECT_EQ(document.cases[0].reason->text, "gone");
}

TEST(Imported, BenchmarksOfOneNameFromSeveralFilesAreApart) {
  const Document document = read_text(google(
      R"({"name": "a", "run_type": "iteration", "real_time": 1, "time_unit": "s", "family_index": 0},
         {"name": "a", "run_type": "iteration", "real_time": 9, "time_unit": "s", "family_index": 1},
         {"name": "a", "run_type": "iteration", "real_time": 2, "time_unit": "s", "family_index": 0},
         {"name": "b", "run_type": "iteration", "real_time": 0, "time_unit": "s", "family_index": 2})"));
  expect_cases(document, {{"a.exe/a", {1, 2}}, {"a.exe/a (2)", {9}}, {"a.exe/b", {}}});
  EXPECT_EQ(document.cases[2].reason->text, "some of its times are 0 s");
}

TEST(Imported, NumbersThatAreNoneAreRefusedInOwnResultFiles) {
  const std::string said = message_of<UsageError>([] { read_text(R"({"schema": NaN})"); });
  EXPECT_NE(said.find("is not JSON"), std::string::npos) << said;
}

TEST(Imported, CommandsThatFailedOrTookNoTimeSaySo) {
  const Document document = read_text(
      R"({"results": [{"command": "false", "mean": 1, "times": [1, 1], "exit_codes": [1, null]},
                      {"command": "true", "mean": 0, "times": [0, 1e-3], "exit_codes": [0, 0]},
                      {"command": "x 1", "mean": 1, "parameters": {"n": "1"}},
                      {"command": "x 1", "mean": 2, "parameters": {"n": "2"}}]})");
  expect_cases(document, {{"hyperfine/false", {}},
                          {"hyperfine/true", {}},
                          {"hyperfine/x 1/n=1", {1}},
                          {"hyperfine/x 1/n=2", {2}}});
  EXPECT_EQ(document.cases[0].reason->text, "2 of its 2 runs failed");
  EXPECT_NE(document.cases[1].reason->text.find("some of its times are 0"), std::string::npos);
}

TEST(Imported, TablesOfSeveralSizesFollowEachOther) {
  const std::string heading =
      "function,num_times,n_elements,sizeof,max_gibytes_per_sec,min_runtime,max_runtime,"
      "avg_runtime,std_runtime\n";
  const std::string phases = "phase,n_elements,sizeof,max_gibytes_per_sec,runtime\nInit,8,8,1,2\n";
  const auto row = [](const char* size, const char* bytes) {
    return fmt::format("Copy,100,{},{},2,0.5,2,1,0.1\r\n", size, bytes);
  };
  const Document document = read_text("Using device 0\n" + phases + heading + row("8", "8") +
                                      row("8", "4") + phases + heading + row("16", "8"));
  expect_cases(document, {{"BabelStream/Copy/8/sizeof=8", {1}},
                          {"BabelStream/Copy/8/sizeof=4", {1}},
                          {"BabelStream/Copy/16/sizeof=8", {1}}});
  EXPECT_NEAR(document.cases[0].gb_per_s.value(), 1.0737, 1e-3);
  const auto refusal = [&](const std::string& more) {
    return message_of<UsageError>([&] { read_text(heading + row("8", "8") + more); });
  };
  EXPECT_EQ(refusal("Dot,100,8"), "x: damaged: /row 2 has 3 cells, not 9");
  std::string other = heading;
  other.replace(other.find("gib"), 3, "mb");
  EXPECT_EQ(refusal(other), "x: damaged: /row 2 is another heading: import each table on its own");
}

TEST(Imported, ManyBenchmarksOfOneNameAreNumbered) {
  std::string results;
  for (const char* const name : {"a", "a", "a (2)", "a"}) {
    results += fmt::format(R"({}{{"command": "{}", "mean": 1}})", results.empty() ? "" : ",", name);
  }
  expect_cases(read_text(R"({"results": [)" + results + "]}"), {{"hyperfine/a", {1}},
                                                                {"hyperfine/a (2)", {1}},
                                                                {"hyperfine/a (2) (2)", {1}},
                                                                {"hyperfine/a (3)", {1}}});
}

/// Hyperfine's file of one command.
Document runs(const std::vector<double>& times) {
  const Json result{{"command", "a"}, {"mean", 1}, {"times", times}};
  return parse_document(Json{{"results", {result}}}.dump(), "x.json");
}

TEST(Imported, RunsAreComparedByTheirSamples) {
  const Document before = runs({1, 1.01, 0.99, 1, 1.01, 0.99, 1});
  const Document after = runs({1.3, 1.31, 1.29, 1.3, 1.31, 1.29, 1.3});
  EXPECT_EQ(exit_code(compare(before, after, 0.05), false), 3);
  EXPECT_EQ(exit_code(compare(before, before, 0.05), false), 0);
}

TEST(Imported, AMeanHasNoVerdict) {
  const Comparisons found = compare(runs({1}), runs({2}), 0.05);
  ASSERT_EQ(found.cases.size(), 1U);
  EXPECT_EQ(found.cases[0].doubt, Doubt::few_samples);
  EXPECT_EQ(exit_code(found, false), 4);
}

TEST(Imported, OfManySamplesAThousandAreKeptAndTheFileSaysSo) {
  const Document document = runs(std::vector<double>(2500, 1.0));
  EXPECT_EQ(document.cases[0].seconds->samples.size(), 834U);
  ASSERT_EQ(document.context.run.warnings.size(), 1U);
  EXPECT_EQ(document.context.run.warnings[0].text,
            "hyperfine/a: 834 of its 2500 samples were kept, at equal distances");
}

TEST(Imported, TimesThatCannotBeAreRefused) {
  for (const char* const times : {"[-1]", "[1e301]", "[\"1\"]"}) {
    const std::string text =
        std::string(R"({"results": [{"command": "a", "mean": 1, "times": )") + times + "}]}";
    const std::string said = message_of<UsageError>([&] { parse_document(text, "x.json"); });
    EXPECT_TRUE(said.starts_with("x.json: damaged: /")) << said;
  }
}

TEST(Imported, PartsOfASplitRunAreMerged) {
  const auto part = [](const char* name) {
    const Json result{{"command", name}, {"mean", 1}, {"times", {1, 1, 1}}};
    return parse_document(Json{{"results", {result}}}.dump(), "x.json");
  };
  const std::vector<Merged> merged = merge({part("a"), part("b")}, {"a.json", "b.json"});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].document.cases.size(), 2U);
}

TEST(Imported, ATableShowsProgramsAndNoRatios) {
  const std::string table = unstyled(text_tables(read_example("google_repetitions.json")));
  EXPECT_NE(table.find("BM_copy<float>/1024"), std::string::npos) << table;
  EXPECT_EQ(table.find("cold"), std::string::npos) << table;
  EXPECT_EQ(table.find("naive"), std::string::npos) << table;
}

}  // namespace
}  // namespace bench::test
