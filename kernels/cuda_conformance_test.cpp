// Every CUDA variant of every workload in the registry at the sizes where kernels go wrong.
// Compiled twice: for the stand-in, which executes the kernels on the CPU with threads in a fixed
// and in a shuffled order, and for a device (label `gpu`). Never edited, as conformance_test.cpp.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cuda/test/support.hpp"
#include "harness/plan.hpp"
#include "harness/runner.hpp"
#include "kernels/registry.hpp"

namespace {

using Parameters = std::tuple<const bench::Workload*, bench::Dtype, bool>;

class CudaConformance : public bench::test::WithDevice,
                        public testing::WithParamInterface<Parameters> {
 protected:
  void SetUp() override {
    WithDevice::SetUp();
    bench::test::shuffle_threads(std::get<2>(GetParam()));
  }

  bench::Settings settings() {
    const auto& [workload, dtype, shuffled] = GetParam();
    bench::Settings settings;
    settings.filters = {std::string(workload->name) + "/cuda"};
    settings.dtypes = {dtype};
    settings.with_cuda = true;
    settings.device = &device();
    return settings;
  }

  /// More bins than one, than one table or than all of a block's shared memory holds.
  static std::vector<std::size_t> all_bins() { return {1, 2, 10, 257, 12'289, 65'536}; }

  static void expect_all_verified(const bench::Settings& settings) {
    std::set<std::string> variants;
    for (bench::PlannedGroup& group : bench::plan(kernels::registry(), settings)) {
      // On the CPU the kernels of both scopes are the same; transfers are none.
      std::erase_if(group.cases, [](const bench::PlannedCase& one) {
        return one.identity.reference ||
               (!bench::test::real_device && one.identity.scope != bench::kernel_scope);
      });
      for (const bench::Case& result : bench::verify(group, settings).cases) {
        if (result.library && result.status == "skipped") continue;  // not on this node
        EXPECT_EQ(result.status, "verified") << result.name << ": " << result.reason;
        variants.insert(result.variant);
      }
    }
    EXPECT_GE(variants.size(), 3U);
  }
};

TEST_P(CudaConformance, Sizes) {
  bench::Settings all = settings();
  all.sizes = {"0", "1", "2", "31", "32", "33", "101", "257", "1023", "4099"};
  if (std::get<0>(GetParam())->form == bench::Form::binned) all.bins = all_bins();
  expect_all_verified(all);
}

TEST_P(CudaConformance, Shapes) {
  bench::Settings all = settings();
  all.sizes = {"0x5", "5x0", "1x1", "1x257", "257x1", "31x33", "33x31", "64x64", "100x7", "129x65"};
  expect_all_verified(all);
}

TEST_P(CudaConformance, LaunchesThatTheUserChooses) {
  bench::Settings all = settings();
  all.sizes = {"1", "1003", "1009"};
  for (const auto& [block, grid] : {std::pair{1U, 1U}, {33U, 2U}, {96U, 7U}}) {
    all.cuda_launch = {.block = block, .grid = grid};
    bench::cuda::override_configuration(all.cuda_launch);
    expect_all_verified(all);
  }
}

std::string parameter_name(const testing::TestParamInfo<Parameters>& info) {
  const auto& [workload, dtype, shuffled] = info.param;
  return std::string(workload->name) + "_" + std::string(bench::name(dtype)) +
         (shuffled ? "_shuffled" : "");
}

INSTANTIATE_TEST_SUITE_P(Registry, CudaConformance,
                         testing::Combine(testing::ValuesIn(kernels::registry().begin(),
                                                            kernels::registry().end()),
                                          testing::Values(bench::Dtype::f32, bench::Dtype::f64),
                                          testing::ValuesIn(bench::test::thread_orders)),
                         parameter_name);

}  // namespace
