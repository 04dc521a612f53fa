#include "kernels/add/add.hpp"

#include <cstring>

#include "kernels/test_support.hpp"

namespace kernels::add {
namespace {

TEST(Add, RoundsOnce) {
  const std::vector<float> a(100, 16'777'216.0F);
  const std::vector<float> b(100, 1.0F);
  test::for_each_variant<float>(
      workload, {.cols = a.size()}, {a, b},
      [](const std::vector<float>& c) { EXPECT_EQ(c, std::vector<float>(100, 16'777'216.0F)); });
}

/// Why cuda/fixed_grid, deliberately wrong, is wrong for n elements of the course's data.
template <class Real>
std::string fixed_grid(const bench::cuda::Device& device, std::size_t n) {
  const auto problem = workload.make(test::dtype_of<Real>, {.cols = n});
  auto inputs = test::course_data<Real>(workload, {.cols = n});
  std::vector<Real> output(n);
  std::memset(output.data(), bench::poison_byte, n * sizeof(Real));
  const bench::Arrays arrays{.inputs = {inputs[0].data(), inputs[1].data()},
                             .result = output.data()};
  for (const bench::BoundVariant& rung : problem->rungs(bench::simd::Isa::baseline)) {
    if (rung.variant != "fixed_grid") continue;
    EXPECT_TRUE(rung.wrong);
    std::vector<test::Bytes> no_workspace;
    test::run_on_device(device, rung, inputs, output, no_workspace);
    return problem->check(arrays).reason.text;
  }
  return "no such rung";
}

TEST(Add, AFixedGridLeavesOutWhatLiesBeyondIt) {
  const auto device = bench::test::opened();
  if (!device->reason().empty()) GTEST_SKIP() << device->reason();
  for (const bool shuffled : bench::test::thread_orders) {
    bench::test::shuffle_threads(shuffled);
    for (const std::size_t n : {1U, 4095U, 4096U}) {
      EXPECT_EQ(fixed_grid<float>(*device, n), "");
      EXPECT_EQ(fixed_grid<double>(*device, n), "");
    }
    EXPECT_EQ(fixed_grid<float>(*device, 4097),
              "left out 1 of 4097 elements, the first at index 4096");
    EXPECT_EQ(fixed_grid<double>(*device, 100'000),
              "left out 95904 of 100000 elements, the first at index 4096");
  }
  bench::test::shuffle_threads(false);
}

}  // namespace
}  // namespace kernels::add
