#include "kernels/polar_distance/polar_distance.hpp"

#include <cmath>
#include <string>

#include "kernels/test_support.hpp"

namespace kernels::polar_distance {
namespace {

// As NumPy computes them from the same seed.
TEST(PolarDistance, KnownValues) {
  constexpr std::size_t n = 1'000'000;
  test::for_each_variant<float>(workload, {.cols = n},
                                test::course_data<float>(workload, {.cols = n}),
                                [](const std::vector<float>& distance) {
                                  EXPECT_NEAR(distance[0], 0.711060523, 2e-6);
                                  EXPECT_NEAR(distance[1], 0.998340781, 2e-6);
                                  EXPECT_NEAR(distance[2], 2.001193575, 2e-6);
                                });
}

/// Points at 1 and at 1 + 1e-3·k, whose angles differ by as little. Each input has its own values.
template <class Real>
std::vector<std::vector<Real>> close_points(std::size_t n) {
  std::vector<std::vector<Real>> inputs(4, std::vector<Real>(n));
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<Real>(i % 100);
    inputs[0][i] = 1;
    inputs[1][i] = static_cast<Real>(i) / static_cast<Real>(n) * 6 - 3;
    inputs[2][i] = 1 + k * static_cast<Real>(1e-3);
    inputs[3][i] = inputs[1][i] + k * static_cast<Real>(1e-4);
  }
  return inputs;
}

TEST(PolarDistance, PointsThatLieClose) {
  test::for_each_verified<float>(workload, {.cols = 1'000}, close_points<float>(1'000));
  test::for_each_verified<double>(workload, {.cols = 1'000}, close_points<double>(1'000));
}

TEST(PolarDistance, TheLawOfCosinesLosesThem) {
  constexpr std::size_t n = 1'000;
  const auto problem = workload.make(bench::Dtype::f32, {.cols = n});
  std::vector<std::vector<float>> inputs = close_points<float>(n);
  std::vector<float> distance(n);
  std::vector<test::Bytes> no_workspace;
  for (const bench::BoundVariant& rung : problem->rungs(bench::simd::Isa::baseline)) {
    if (!rung.wrong) continue;
    test::run_on_host(rung, inputs, distance, no_workspace);
    bench::Arrays arrays;
    for (std::vector<float>& input : inputs) arrays.inputs.push_back(input.data());
    arrays.result = distance.data();
    EXPECT_FALSE(problem->check(arrays).passed) << rung.variant;
    return;
  }
  FAIL() << "no variant is deliberately wrong";
}

// The same point, opposite ones, one at the origin; angles of many turns.
TEST(PolarDistance, PointsOfWhichTheDistanceIsKnown) {
  const std::vector<std::vector<double>> inputs{
      {1, 1, 0, 3, 2}, {0.5, 0, 1, 0, 600}, {1, 1, 2, 4, 2}, {0.5, M_PI, 2, M_PI / 2, 600}};
  test::for_each_verified<double>(workload, {.cols = 5}, inputs,
                                  [](const std::vector<double>& distance) {
                                    EXPECT_NEAR(distance[0], 0, 1e-15);
                                    EXPECT_NEAR(distance[1], 2, 1e-15);
                                    EXPECT_NEAR(distance[2], 2, 1e-15);
                                    EXPECT_NEAR(distance[3], 5, 2e-15);
                                    EXPECT_NEAR(distance[4], 0, 1e-15);
                                  });
}

}  // namespace
}  // namespace kernels::polar_distance
