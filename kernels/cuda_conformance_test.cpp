// Every CUDA variant of every workload in the registry, at the sizes where kernels go wrong. It is
// compiled for a GPU (label `gpu`), and for the CPU, which executes the kernels in a fixed and in a
// shuffled order of threads. Like conformance_test.cpp it is never edited.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/cuda/test/support.hpp"
#include "harness/measure/device_place.hpp"
#include "harness/measure/host_place.hpp"
#include "harness/measure/runner.hpp"
#include "harness/measure/trial.hpp"
#include "harness/plan/plan.hpp"
#include "kernels/cuda_test_support.hpp"
#include "kernels/registry.hpp"
#include "kernels/test_support.hpp"

namespace {

using kernels::test::parameter_name;

class CudaConformance : public kernels::test::CudaVariants {
 protected:
  /// Variants that move their data themselves, with every order of streams.
  static void expect_overlap_verified(const bench::Settings& settings) {
    for (const bool early : bench::test::stream_orders) {
      bench::test::streams_early(early);
      for (bench::PlannedGroup& group : bench::plan(kernels::registry(), settings)) {
        std::erase_if(group.cases, [](const auto& one) {
          const bool other = one.identity.reference || bench::has_regions(one.identity.backend);
          return other || !one.transfers;
        });
        EXPECT_EQ(!group.cases.empty(), workload().overlaps);
        for (const bench::Case& result : bench::verify(group, settings).cases) {
          EXPECT_EQ(result.scope, bench::Scope::end_to_end);
          EXPECT_EQ(result.status, std::nullopt) << result.name << ": " << result.reason;
        }
      }
    }
  }

  static void expect_verified_in_small_chunks(const bench::Settings& settings) {
    for (const std::size_t items : {8U, 64U, 104U}) {  // whole vectors, also of i16
      bench::cuda::override_configuration({.block = 32, .grid = 2, .chunk = items});
      expect_overlap_verified(settings);
    }
  }
};

TEST_P(CudaConformance, Sizes) {
  bench::Settings all = settings();
  all.sizes = {"0", "1", "2", "31", "32", "33", "101", "257", "1023", "4099"};
  if (workload().form == bench::SizeFormat::binned) all.bins = all_bins();
  expect_all_verified(all);
}

// What every user kernel must pass before it is measured.
TEST_P(CudaConformance, Trials) {
  const kernels::test::Precise& of = std::get<0>(GetParam());
  for (const bench::Trial& trial : bench::trials(*of.workload, of.dtype)) {
    for (const bench::BoundVariant& rung : trial.group.problem->rungs(bench::simd::Isa::baseline)) {
      if (!bench::runs_on(rung.backend, bench::RunsOn::device)) continue;
      if (rung.transfers || rung.wrong || rung.library) continue;
      std::optional<bench::cuda::DeviceArrays> arrays;
      const auto make = [&](const bench::Case&, const bench::Settings&,
                            bench::HostArrays& host) -> std::unique_ptr<bench::Place> {
        arrays.emplace(trial.group, host).take_inputs();
        return std::make_unique<bench::cuda::KernelPlace>(device(), *arrays, host, nullptr);
      };
      bench::Case planned;
      planned.backend = rung.backend;
      const bench::Verdict verdict =
          bench::judged(trial, planned, make, settings(), bench::anonymous_pages, rung.run);
      EXPECT_TRUE(verdict.passed) << rung.variant << ": " << verdict.reason;
    }
  }
}

class CudaMatrixConformance : public CudaConformance {};

TEST_P(CudaMatrixConformance, Shapes) {
  bench::Settings all = settings();
  all.sizes = {"0x5", "5x0", "1x1", "1x257", "257x1", "31x33", "33x31", "64x64", "100x7", "129x65"};
  if (may_be_quadratic()) all.sizes = {"0x5", "5x0", "1x1", "31x33", "100x7"};
  expect_all_verified(all);
}

TEST_P(CudaConformance, MemoryOfOtherKinds) {
  bench::Settings all = settings();
  all.sizes = {"1023"};
  for (bench::PlannedGroup& group : bench::plan(kernels::registry(), all)) {
    std::erase_if(group.cases,
                  [](const auto& one) { return !bench::of_other_memory(one.identity.scope); });
    EXPECT_GE(group.cases.size(), 3U);
    for (const bench::Case& result : bench::verify(group, all).cases) {
      EXPECT_EQ(result.status, std::nullopt) << result.name << ": " << result.reason;
    }
  }
}

TEST_P(CudaConformance, LaunchesThatTheUserChooses) {
  bench::Settings all = settings();
  all.sizes = {"1", "1003", "1009"};
  if (may_be_quadratic()) all.sizes = {"1", "101", "103"};
  for (const auto& [block, grid] : {std::pair{1U, 1U}, {33U, 2U}, {96U, 7U}}) {
    all.blocks = {block};
    all.grids = {grid};
    expect_all_verified(all);
  }
}

// A variant without a choice, or with another kernel's, is not shown as if it had followed.
TEST_P(CudaConformance, OfSeveralLaunchesEachIsWhatItsNameSays) {
  bench::Settings all = settings();
  all.sizes = {may_be_quadratic() ? "101" : "70001"};
  all.blocks = {32, 96};
  all.grids = {2, 5};
  for (bench::PlannedGroup& group : bench::plan(kernels::registry(), all)) {
    std::erase_if(group.cases, [](const auto& one) {
      return one.identity.reference || !one.identity.parameters.contains("block");
    });
    for (const bench::Case& result : bench::verify(group, all).cases) {
      if (result.status == bench::Status::skipped || result.wrong) continue;
      ASSERT_EQ(result.status, std::nullopt) << result.name << ": " << result.reason;
      if (result.launch->launches > 1) continue;
      EXPECT_EQ(std::to_string(result.launch->block[0]), result.parameters.at("block"));
      EXPECT_EQ(std::to_string(result.launch->grid[0]), result.parameters.at("grid"));
    }
  }
}

TEST_P(CudaConformance, Chunks) {
  bench::Settings all = settings();
  all.sizes = {"0", "1", "7", "8", "9", "101", "1003"};
  if (workload().form == bench::SizeFormat::binned) all.bins = {1, 257};
  expect_verified_in_small_chunks(all);
}

TEST_P(CudaMatrixConformance, Chunks) {
  bench::Settings all = settings();
  all.sizes = {"0x5", "5x0", "7x9", "8x8", "1x257", "257x1", "100x7", "7x100", "129x65"};
  expect_verified_in_small_chunks(all);
}

/// Large cases are not run in every order of threads.
class CudaConformanceInOrder : public CudaConformance {};

TEST_P(CudaConformanceInOrder, ChunksAsTheyAreMeasured) {
  bench::Settings all = settings();
  all.sizes = {"1000003"};
  if (bench::has_rows(workload().form)) all.sizes = {"1023x999", "3000x301"};
  if (workload().form == bench::SizeFormat::binned) all.bins = {256, 12'289};
  expect_overlap_verified(all);
}

INSTANTIATE_TEST_SUITE_P(Registry, CudaConformance,
                         testing::Combine(testing::ValuesIn(kernels::test::all_precisions()),
                                          testing::ValuesIn(bench::test::thread_orders)),
                         parameter_name);
INSTANTIATE_TEST_SUITE_P(Registry, CudaMatrixConformance,
                         testing::Combine(testing::ValuesIn(kernels::test::all_matrices()),
                                          testing::ValuesIn(bench::test::thread_orders)),
                         parameter_name);
INSTANTIATE_TEST_SUITE_P(Registry, CudaConformanceInOrder,
                         testing::Combine(testing::ValuesIn(kernels::test::all_precisions()),
                                          testing::Values(false)),
                         parameter_name);

}  // namespace
