#include "harness/tables/merge.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "harness/tables/test/documents.hpp"

namespace bench::test {
namespace {

Case as_reference(Case one) {
  one.reference = true;
  return one;
}

Document ours() {
  Document document = document_of({measured("work", "serial", "naive", 8e-3),
                                   measured("work", "openmp", "fast", 1e-3),
                                   as_reference(measured("copy", "openmp", "naive", 0.5e-3))});
  document.context.run.warnings = {"the same"};
  return document;
}

Document theirs(double seconds = 4e-3) {
  Document document = document_of({measured("work", "numba", "njit", seconds)});
  document.context.run.warnings = {"the same"};
  return document;
}

/// The case of a document whose name begins so.
const CaseRecord& row(const Document& document, const std::string& path) {
  for (const CaseRecord& one : document.cases) {
    if (one.name.starts_with(path + "/")) return one;
  }
  throw std::logic_error("no case " + path);
}
const CaseRecord& row(const std::vector<Merged>& all, const std::string& path) {
  EXPECT_EQ(all.size(), 1U);
  return row(all.front().document, path);
}

TEST(Merge, AReferencesOwnLadderIsMeasuredByItsFastest) {
  const auto all = merge({document_of({copy_alone("serial", "naive", 1e-3)}),
                          document_of({copy_alone("numpy", "out", 2e-3)})});
  EXPECT_DOUBLE_EQ(row(all, "copy/numpy/out").share_of.at("copy").value(), 0.5);
}

TEST(Merge, RowsOfAnotherProgramGetOurBaselines) {
  const auto all = merge({ours(), theirs()});
  const CaseRecord& their = row(all, "work/numba/njit");
  EXPECT_DOUBLE_EQ(their.over_serial.value().value, 2);
  EXPECT_DOUBLE_EQ(their.over_best_cpu.value().value, 0.25);
  EXPECT_EQ(their.over_best_cpu->baseline, "work/openmp/fast/f32/10/kernel");
  EXPECT_TRUE(their.other_run);
  EXPECT_FALSE(their.no_ratio);
  EXPECT_EQ(all.front().document.context.run.warnings.size(), 1U);
  // Ours stay as they were measured, in pairs.
  EXPECT_EQ(written(row(all, "work/serial/naive").over_best_cpu),
            written(row(ours(), "work/serial/naive").over_best_cpu));
}

TEST(Merge, CaseAndOriginBelongTogether) {
  const auto all = merge({ours(), theirs()}, {"ours.json", "theirs.json"});
  EXPECT_EQ(all.at(0).origin_of(row(all, "work/serial/naive")).file, "ours.json");
  EXPECT_EQ(all.at(0).origin_of(row(all, "work/numba/njit")).file, "theirs.json");
}

TEST(Merge, WhoeverIsFastestIsTheBestCpuVariant) {
  const auto all = merge({ours(), theirs(0.5e-3)});
  EXPECT_DOUBLE_EQ(row(all, "work/openmp/fast").over_best_cpu.value().value, 0.5);
  EXPECT_TRUE(row(all, "work/openmp/fast").other_run);
  EXPECT_DOUBLE_EQ(row(all, "work/numba/njit").over_best_cpu.value().value, 1);
}

TEST(Merge, ALibraryIsNoBestCpuVariant) {
  Document their = theirs(0.5e-3);
  their.cases.front().library = true;
  const auto all = merge({ours(), their});
  EXPECT_DOUBLE_EQ(row(all, "work/openmp/fast").over_best_cpu.value().value, 1);
  EXPECT_DOUBLE_EQ(row(all, "work/numba/njit").over_best_cpu.value().value, 2);
}

TEST(Merge, SharesAreOfTheFastestReferenceOfAllRuns) {
  Case parallel = measured("work", "numba", "prange", 2e-3);
  parallel.threads = 2;
  Case copy = as_reference(measured("copy", "numba", "njit", 1e-4));
  const auto all = merge({ours(), document_of({parallel, copy})});
  EXPECT_DOUBLE_EQ(row(all, "work/numba/prange").share_of.at("copy").value(), 0.25);
  // One thread's copy is no reference of two threads.
  EXPECT_DOUBLE_EQ(row(all, "work/openmp/fast").share_of.at("copy").value(), 0.5);
}

TEST(Merge, NeverPutsTwoSizesOrPrecisionsInOneRatio) {
  const std::vector<void (*)(CaseRecord&)> changes{
      [](CaseRecord& one) { one.size = "20"; }, [](CaseRecord& one) { one.dtype = Dtype::f64; },
      [](CaseRecord& one) { one.cache = CacheMode::hot; }};
  for (const auto& change : changes) {
    Document other = theirs();
    change(other.cases.front());
    const CaseRecord their = row(merge({ours(), other}), "work/numba/njit");
    EXPECT_FALSE(their.over_serial);
    EXPECT_FALSE(their.other_run);
  }
}

TEST(Merge, RunsThatDifferStayApart) {
  const std::vector<void (*)(Context&)> changes{
      [](Context& context) { context.run.node = "another"; },
      [](Context& context) { context.machine["cpu_model"] = "another"; },
      [](Context& context) { context.run.seed = 43; },
      [](Context& context) { context.run.cache = CacheMode::hot; },
      [](Context& context) { context.run.threads = 3; },
      [](Context& context) { context.run.input_hash["work"]["f32/10"] = "another"; }};
  for (const auto& change : changes) {
    Document other = theirs();
    change(other.context);
    EXPECT_EQ(merge({ours(), other}).size(), 2U);
  }
  EXPECT_EQ(merge({ours(), ours()}).size(), 2U);  // the same cases: two runs, not one
  EXPECT_EQ(merge({ours(), ours(), theirs()}).size(), 2U);
}

TEST(Merge, WhatWasNotMeasuredHasNoRatio) {
  const auto all = merge({ours(), document_of({not_measured(measured("work", "cupy", "*", 1),
                                                            "skipped", "CuPy is not installed")})});
  EXPECT_FALSE(row(all, "work/cupy/*").over_serial);
  EXPECT_FALSE(row(all, "work/cupy/*").other_run);
}

}  // namespace
}  // namespace bench::test
