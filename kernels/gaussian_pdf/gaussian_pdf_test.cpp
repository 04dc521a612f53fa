#include "kernels/gaussian_pdf/gaussian_pdf.hpp"

#include <cmath>

#include "kernels/test_support.hpp"

namespace kernels::gaussian_pdf {
namespace {

TEST(GaussianPdf, KnownValues) {
  test::for_each_variant<double>(workload, {.cols = 4}, {{0.0, 1.0, -1.0, 3.0}},
                                 [](const std::vector<double>& pdf) {
                                   EXPECT_NEAR(pdf[0], 0.3989422804014327, 1e-16);
                                   EXPECT_NEAR(pdf[1], 0.24197072451914337, 1e-16);
                                   EXPECT_EQ(pdf[1], pdf[2]);
                                   EXPECT_NEAR(pdf[3], 0.0044318484119380075, 1e-17);
                                 });
}

// The far tail: no NaN, no negative density, and none that is too large.
TEST(GaussianPdf, TailsVanish) {
  test::for_each_variant<float>(workload, {.cols = 3}, {{50.0F, -1e30F, 1e38F}},
                                [](const std::vector<float>& pdf) {
                                  for (const float density : pdf) {
                                    EXPECT_GE(density, 0.0F);
                                    EXPECT_LT(density, 1e-37F);
                                  }
                                });
}

// Mean and deviation are arguments of the kernels, not constants in them.
TEST(GaussianPdf, OtherMeanAndDeviation) {
  std::vector<double> x{4.0};
  std::vector<double> pdf{0.0};
  const auto expect_scaled = [&](const auto& ladder) {
    for (std::size_t i = 0; i < ladder.size; ++i) {
      ladder.rungs[i].kernel(x.data(), pdf.data(), 1, 2.0, 2.0);
      EXPECT_NEAR(pdf[0], 0.24197072451914337 / 2, 1e-16) << ladder.rungs[i].name;
    }
  };
  expect_scaled(serial<bench::simd::baseline, double>());
  expect_scaled(openmp<bench::simd::baseline, double>());
}

}  // namespace
}  // namespace kernels::gaussian_pdf
