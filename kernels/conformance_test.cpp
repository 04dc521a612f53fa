// Every variant of every workload in the registry, at the sizes where kernels go wrong: none, one,
// around vector and tile widths, primes. Shapes have one row, one column, or are not square. This
// file is never edited: a new workload or variant is tested because it is registered.

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/measure/host_place.hpp"
#include "harness/measure/perturbation.hpp"
#include "harness/measure/runner.hpp"
#include "harness/measure/trial.hpp"
#include "harness/plan/plan.hpp"
#include "kernels/registry.hpp"
#include "kernels/test_support.hpp"

namespace {

using Parameters = std::tuple<kernels::test::Precise, bench::simd::Isa>;

class Conformance : public testing::TestWithParam<Parameters> {
 protected:
  static bench::Settings settings() {
    const auto& [of, isa] = GetParam();
    bench::Settings settings;
    settings.filters = {of.workload->name};
    settings.dtypes = {of.dtype};
    settings.isa = isa;
    settings.threads = {1, 2, 3};
    if (of.workload->form == bench::SizeFormat::binned)
      settings.bins = {1, 2, 10, 256, 257, 65'536};
    return settings;
  }

  static void expect_all_verified(const bench::Settings& settings) {
    std::set<std::string> variants;
    for (const bench::PlannedGroup& group : bench::plan(kernels::registry(), settings)) {
      for (const bench::Case& result : bench::verify(group, settings).cases) {
        if (bench::runs_on(result.backend, bench::RunsOn::device)) continue;
        EXPECT_EQ(result.status, kernels::test::expected_status(result))
            << result.name << ": " << result.reason;
        variants.insert(result.backend + "/" + result.variant);
      }
    }
    // Both ladders start with the naive loop, so that they pair by name, and have more variants.
    EXPECT_TRUE(variants.contains("serial/naive"));
    EXPECT_TRUE(variants.contains("openmp/naive"));
    EXPECT_GE(variants.size(), 4U);
  }
};

TEST_P(Conformance, SmallSizes) {
  bench::Settings all = settings();
  all.sizes = {"0", "1", "2", "3", "15", "16", "17", "31", "32", "33", "63", "64", "65", "101"};
  expect_all_verified(all);
}

/// The only place where a built-in variant runs on arrays of the host.
bench::MakePlace in_this_process() {
  return [](const bench::Case& planned, const bench::Settings& settings,
            bench::HostArrays& arrays) -> std::unique_ptr<bench::Place> {
    return std::make_unique<bench::HostPlace>(planned, settings, arrays, arrays.arrays());
  };
}

void expect_all_right(const std::vector<bench::Trial>& trials, bench::simd::Isa isa,
                      const bench::Settings& settings) {
  for (const bench::Trial& trial : trials) {
    for (const bench::BoundVariant& rung : trial.group.problem->rungs(isa)) {
      if (bench::runs_on(rung.backend, bench::RunsOn::device)) continue;
      if (rung.wrong || rung.library) continue;
      const bool slow = rung.most_elements != bench::any_size;
      if (slow && rung.most_elements < trial.shape.elements()) continue;
      bench::Case planned;
      planned.backend = rung.backend;
      planned.threads = 3;
      const bench::Verdict verdict = bench::judged(trial, planned, in_this_process(), settings,
                                                   bench::anonymous_pages, rung.run);
      EXPECT_TRUE(verdict.passed) << rung.backend << "/" << rung.variant << ": " << verdict.reason;
    }
  }
}

// What every user kernel must pass before it is measured.
TEST_P(Conformance, Trials) {
  const auto& [of, isa] = GetParam();
  expect_all_right(bench::trials(*of.workload, of.dtype), isa, settings());
}

TEST_P(Conformance, LongTrials) {
  const auto& [of, isa] = GetParam();
  // One that works in registers takes long; others count alike with all vectors.
  if (of.workload->arithmetic_reference || isa != bench::simd::available().back()) GTEST_SKIP();
  expect_all_right(bench::long_edges(*of.workload, of.dtype), isa, settings());
}

class MatrixConformance : public Conformance {};

TEST_P(MatrixConformance, Shapes) {
  bench::Settings all = settings();
  all.sizes = {"0x5", "5x0", "1x1", "1x257", "257x1", "31x33", "33x31", "64x64", "100x7", "129x65"};
  expect_all_verified(all);
}

TEST_P(Conformance, LargerThanAPage) {
  bench::Settings all = settings();
  all.sizes = {"tiny", "4099", "65537"};
  all.threads = {1, 3};  // small sizes have seen two
  if (std::get<0>(GetParam()).workload->quadratic) all.sizes = {"tiny", "1031"};
  expect_all_verified(all);
}

TEST_P(Conformance, LargerThanACache) {
  bench::Settings all = settings();
  // A variant that works in registers is not tested further by a larger array, and takes long.
  const bench::Workload& workload = *std::get<0>(GetParam()).workload;
  const bool product = workload.form == bench::SizeFormat::product;  // of 600 x 600 x 600
  all.sizes = {workload.quadratic              ? "2053"
               : product                       ? "360007"
               : workload.arithmetic_reference ? "100003"
                                               : "1000003"};
  all.threads = {3};
  expect_all_verified(all);
}

/// Files and user kernels get the inputs in these shapes.
TEST(Registry, InputsHaveAsManyElementsAsTheirShapes) {
  for (const auto& [workload, dtype] : kernels::test::all_precisions()) {
    const auto problem = workload->make(dtype, workload->tiny);
    for (std::size_t i = 0; i < problem->inputs.size(); ++i) {
      const std::vector<std::size_t> own{workload->tiny.elements()};
      const auto& shape = problem->shape_of_input(i, own);
      const auto elements =
          std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
      EXPECT_EQ(problem->inputs[i].count, elements) << workload->name << ", input " << i;
    }
  }
}

/// A few elements of a kept reference are computed again where their inputs have changed; all of
/// them, where each takes all of the inputs.
TEST(Registry, ReferencesAreKeptOfOneElementOfEachInputOrOfAll) {
  for (const auto& [workload, dtype] : kernels::test::all_precisions()) {
    bench::PlannedGroup group;
    group.problem = workload->make(dtype, workload->tiny);
    bench::HostArrays host(group, bench::anonymous_pages);
    host.generate(1);
    bench::ReferenceResult reference;
    bench::Arrays arrays = host.arrays();
    arrays.kept = &reference;
    const bench::Problem& problem = *group.problem;
    std::ignore = problem.check(arrays);
    if (bench::takes_all_inputs(problem)) continue;
    for (std::size_t k = 0; k < problem.output.count && reference; ++k) {
      for (std::size_t i = 0; i < problem.inputs.size(); ++i) {
        EXPECT_EQ(problem.source(k, i), k) << workload->name << ", input " << i;
      }
    }
  }
}

std::string parameter_name(const testing::TestParamInfo<Parameters>& info) {
  const auto& [of, isa] = info.param;
  return of.text() + "_" + std::string(bench::name_of(isa));
}

/// All that this processor runs. The quick tests try the one that bench chooses.
std::vector<bench::simd::Isa> isas() {
  std::vector<bench::simd::Isa> all = bench::simd::available();
  if (std::getenv("BENCH_QUICK_TESTS") != nullptr) all = {all.back()};
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, Conformance,
                         testing::Combine(testing::ValuesIn(kernels::test::all_precisions()),
                                          testing::ValuesIn(isas())),
                         parameter_name);
INSTANTIATE_TEST_SUITE_P(Registry, MatrixConformance,
                         testing::Combine(testing::ValuesIn(kernels::test::all_matrices()),
                                          testing::ValuesIn(isas())),
                         parameter_name);

}  // namespace
