// Every CUDA variant with warps of 64 lanes, at sizes and in blocks where a kernel goes wrong that
// takes a warp for 32. The stand-in executes what is compiled for that.

#include "harness/cuda/warp.hpp"
#include "kernels/cuda_test_support.hpp"

namespace {

class WarpsOf64 : public kernels::test::CudaVariants {};

TEST_P(WarpsOf64, Sizes) {
  ASSERT_EQ(bench::cuda::warp_lanes, 64U);
  bench::Settings all = settings();
  all.sizes = {"1", "33", "63", "64", "65", "1023"};
  if (bench::has_rows(workload().form)) all.sizes = {"1x1", "31x33", "3x65", "129x64"};
  expect_all_verified(all);
}

// Also a block whose last warp is less than half full.
TEST_P(WarpsOf64, Blocks) {
  bench::Settings all = settings();
  all.sizes = {may_be_quadratic() ? "101" : "1003"};
  all.grids = {2};
  for (const unsigned block : {80U, 192U}) {
    all.blocks = {block};
    expect_all_verified(all);
  }
}

INSTANTIATE_TEST_SUITE_P(Registry, WarpsOf64,
                         testing::Combine(testing::ValuesIn(kernels::test::all_precisions()),
                                          testing::Values(true)),
                         kernels::test::parameter_name);

}  // namespace
