#include "harness/tables/merge.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/tables/test/documents.hpp"

namespace bench::test {
namespace {

Case as_yardstick(Case yardstick) {
  yardstick.name += ",beside=work:10";
  yardstick.reference = true;
  return yardstick;
}

Json ours() {
  Json document = document_of({measured("work", "serial", "naive", 8e-3),
                               measured("work", "openmp", "fast", 1e-3),
                               as_yardstick(measured("copy", "openmp", "naive", 0.5e-3))});
  document["context"]["run"]["warnings"] = {"the same"};
  return document;
}

Json theirs(double seconds = 4e-3) {
  Json document = document_of({measured("work", "numba", "njit", seconds)});
  document["context"]["run"]["warnings"] = {"the same"};
  return document;
}

double value(const Json& ratio) { return ratio.at("value").get<double>(); }

TEST(Merge, AYardsticksOwnLadderIsMeasuredByItsFastest) {
  const auto all = merge({document_of({copy_alone("serial", "naive", 1e-3)}),
                          document_of({copy_alone("numpy", "out", 2e-3)})});
  ASSERT_EQ(all.size(), 1U);
  const Json row = find_row(all.front().document.at("speedups"), "copy/numpy/out");
  EXPECT_DOUBLE_EQ(row.at("share_of_copy").get<double>(), 0.5);
}

TEST(Merge, WhatTwoPartsSayOfTheSameIsDropped) {
  Json small = ours();
  Json large = theirs();
  small["crossovers"] = {{{"name", "work/f32/kernel"}}, {{"name", "work/f64/kernel"}}};
  large["crossovers"] = {{{"name", "work/f32/kernel"}}};
  const auto all = merge({small, large});
  ASSERT_EQ(all.size(), 1U);
  const Json& crossovers = all.front().document.at("crossovers");
  ASSERT_EQ(crossovers.size(), 1U);
  EXPECT_EQ(crossovers.at(0).at("name"), "work/f64/kernel");
}

TEST(Merge, RowsOfAnotherProgramGetOurBaselines) {
  const auto all = merge({ours(), theirs()});
  ASSERT_EQ(all.size(), 1U);
  const Json& speedups = all.front().document.at("speedups");
  const Json row = find_row(speedups, "work/numba/njit");
  EXPECT_DOUBLE_EQ(value(row.at("over_serial")), 2);
  EXPECT_DOUBLE_EQ(value(row.at("over_best_cpu")), 0.25);
  EXPECT_EQ(row.at("over_best_cpu").at("baseline"), "work/openmp/fast/f32/10/kernel");
  EXPECT_TRUE(row.at("other_run"));
  EXPECT_TRUE(row.at("reason").is_null());
  EXPECT_EQ(all.front().document.at("context").at("run").at("warnings").size(), 1U);
  // Ours stay as they were measured, in pairs.
  EXPECT_EQ(find_row(speedups, "work/serial/naive"),
            find_row(ours().at("speedups"), "work/serial/naive"));
}

TEST(Merge, WhoeverIsFastestIsTheBestCpuVariant) {
  const auto all = merge({ours(), theirs(0.5e-3)});
  const Json& speedups = all.front().document.at("speedups");
  EXPECT_DOUBLE_EQ(value(find_row(speedups, "work/openmp/fast").at("over_best_cpu")), 0.5);
  EXPECT_TRUE(find_row(speedups, "work/openmp/fast").at("other_run"));
  EXPECT_DOUBLE_EQ(value(find_row(speedups, "work/numba/njit").at("over_best_cpu")), 1);
}

TEST(Merge, SharesAreOfTheFastestYardstickOfAllRuns) {
  Case parallel = measured("work", "numba", "prange", 2e-3);
  parallel.threads = 2;
  const auto all = merge(
      {ours(), document_of({parallel, as_yardstick(measured("copy", "numba", "njit", 1e-4))})});
  const Json& cases = all.front().document.at("cases");
  EXPECT_DOUBLE_EQ(find_row(cases, "work/numba/prange").at("share_of_copy").get<double>(), 0.25);
  // One thread's copy is no yardstick of two threads.
  EXPECT_DOUBLE_EQ(find_row(cases, "work/openmp/fast").at("share_of_copy").get<double>(), 0.5);
}

TEST(Merge, NeverPutsTwoSizesOrPrecisionsInOneRatio) {
  for (const char* key : {"size", "dtype", "cache"}) {
    Json other = theirs();
    other["cases"][0][key] = "other";
    const auto all = merge({ours(), other});
    ASSERT_EQ(all.size(), 1U);
    const Json row = find_row(all.front().document.at("speedups"), "work/numba/njit");
    EXPECT_TRUE(row.at("over_serial").is_null()) << key;
    EXPECT_FALSE(row.contains("other_run")) << key;
  }
}

TEST(Merge, RunsThatDifferStayApart) {
  const std::vector<std::string> paths{"/context/run/node", "/context/machine/cpu_model",
                                       "/context/run/seed", "/context/run/cache",
                                       "/context/run/input_hash/work/f32~110"};
  for (const std::string& path : paths) {
    Json other = theirs();
    other[Json::json_pointer(path)] = "another";
    EXPECT_EQ(merge({ours(), other}).size(), 2U) << path;
  }
  EXPECT_EQ(merge({ours(), ours()}).size(), 2U);  // the same cases: two runs, not one
  EXPECT_EQ(merge({ours(), ours(), theirs()}).size(), 2U);
}

TEST(Merge, WhatWasNotMeasuredHasNoRatio) {
  Case skipped = measured("work", "cupy", "*", 1);
  skipped.status = "skipped";
  skipped.reason = "CuPy is not installed";
  skipped.timing = {};
  const auto all = merge({ours(), document_of({skipped})});
  const Json row = find_row(all.front().document.at("speedups"), "work/cupy/*");
  EXPECT_TRUE(row.at("over_serial").is_null());
  EXPECT_EQ(row.at("reason"), "CuPy is not installed");
}

}  // namespace
}  // namespace bench::test
