// What tests of all CUDA variants have in common: those of the default, and of warps of another
// size.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cuda/test/support.hpp"
#include "harness/measure/runner.hpp"
#include "harness/plan/plan.hpp"
#include "kernels/registry.hpp"
#include "kernels/test_support.hpp"

namespace kernels::test {

/// A workload and a type; and whether threads run in another order.
using CudaParameters = std::tuple<Precise, bool>;

class CudaVariants : public bench::test::WithDevice,
                     public testing::WithParamInterface<CudaParameters> {
 protected:
  void SetUp() override {
    WithDevice::SetUp();
    bench::test::shuffle_threads(std::get<1>(GetParam()));
  }

  static const bench::Workload& workload() { return *std::get<0>(GetParam()).workload; }

  bench::Settings settings() {
    bench::Settings settings;
    settings.filters = {std::string(workload().name)};
    settings.backends = {"cuda", "target"};
    settings.dtypes = {std::get<0>(GetParam()).dtype};
    settings.with_cuda = true;
    settings.device = &device();
    return settings;
  }

  /// More bins than one, than one table, and than all shared memory of a block holds.
  static std::vector<std::size_t> all_bins() { return {1, 2, 10, 257, 12'289, 65'536}; }

  static void expect_all_verified(const bench::Settings& settings) {
    std::set<std::string> variants;
    std::set<std::string> regions;
    for (bench::PlannedGroup& group : bench::plan(kernels::registry(), settings)) {
      // On the CPU the kernels of both scopes are the same, and transfers cost nothing.
      std::erase_if(group.cases, [](const bench::PlannedCase& one) {
        const bool again = one.identity.scope == bench::Scope::end_to_end && !one.transfers;
        if (bench::of_other_memory(one.identity.scope)) return true;
        return one.identity.reference || (!bench::test::real_device && again);
      });
      for (const bench::Case& result : bench::verify(group, settings).cases) {
        if (result.library && result.status == bench::Status::skipped)
          continue;  // not on this node
        EXPECT_EQ(result.status, expected_status(result)) << result.name << ": " << result.reason;
        (bench::has_regions(result.backend) ? regions : variants).insert(result.variant);
      }
    }
    EXPECT_GE(variants.size(), 3U);
    EXPECT_EQ(variants.contains("overlapped"), workload().overlaps);
    EXPECT_TRUE(regions.empty() || regions.size() > 1);
  }

  /// A variant may launch one kernel per element, of as many blocks.
  bool may_be_quadratic() const {
    if (workload().quadratic) return true;
    constexpr std::size_t few = 20'000;
    const auto problem = workload().make(workload().dtypes.front(), workload().tiny);
    const auto rungs = problem->rungs(bench::simd::Isa::baseline);
    return std::any_of(rungs.begin(), rungs.end(), [](const bench::BoundVariant& rung) {
      return rung.backend == "cuda" && rung.most_elements > 0 && rung.most_elements <= few;
    });
  }
};

inline std::string parameter_name(const testing::TestParamInfo<CudaParameters>& info) {
  const auto& [of, shuffled] = info.param;
  return of.text() + (shuffled ? "_shuffled" : "");
}

}  // namespace kernels::test
