#include "kernels/n_body/n_body.hpp"

#include <cmath>

#include "kernels/test_support.hpp"

namespace kernels::n_body {
namespace {

template <class Real>
using Inputs = std::vector<std::vector<Real>>;

/// Calls `expect` with what each variant makes of bodies, once its own check has passed.
template <class Real, class Expect>
void for_each_verified(const Inputs<Real>& bodies, const Expect& expect) {
  test::for_each_verified<Real>(workload, {.cols = bodies[0].size()}, bodies, expect);
}

TEST(NBody, TwoBodiesPullEachOther) {
  const double weight = 1 / std::pow(1 + softening, 1.5);
  const Inputs<double> bodies{{0, 1}, {5, 5}, {-2, -2}, {3, 4}};
  for_each_verified<double>(bodies, [&](const std::vector<double>& a) {
    EXPECT_NEAR(a[0], 4 * weight, 1e-14);
    EXPECT_NEAR(a[1], -3 * weight, 1e-14);
    for (std::size_t k = 2; k < 6; ++k) EXPECT_EQ(a[k], 0) << k;
  });
}

// np.random.seed(42); x, y, z, m = np.random.uniform(0, 1, (4, 100))
// d = np.stack([c[None] - c[:, None] for c in (x, y, z)])
// (d * m / ((d**2).sum(0) + 1e-3)**1.5).sum(2)[:, 0]
TEST(NBody, KnownValues) {
  const Inputs<double> bodies = test::course_data<double>(workload, workload.tiny);
  for_each_verified<double>(bodies, [](const std::vector<double>& a) {
    EXPECT_NEAR(a[0], 9.76880399964, 1e-9);
    EXPECT_NEAR(a[100], 109.843330236, 1e-9);
    EXPECT_NEAR(a[200], -13.5378773198, 1e-9);
  });
}

// Sizes around vectors, blocks and tiles: each body counts once for each other, and only then.
template <class Real>
void expect_right_for_all_sizes() {
  for (const std::size_t n :
       {1U, 2U, 3U, 5U, 15U, 16U, 17U, 31U, 33U, 127U, 128U, 129U, 511U, 513U, 700U}) {
    const bench::Shape shape{.cols = n};
    test::for_each_verified<Real>(workload, shape, test::course_data<Real>(workload, shape));
  }
}

TEST(NBody, AllSizesInSinglePrecision) { expect_right_for_all_sizes<float>(); }
TEST(NBody, AllSizesInDoublePrecision) { expect_right_for_all_sizes<double>(); }

// Of a single pair no error is lost among others.
template <class Real>
void expect_right_at_all_distances() {
  constexpr int steps = 28;  // to 1e4
  for (int step = 0; step < steps; ++step) {
    const double distance = 1e-6 * std::pow(2.3, step);
    std::vector<Real> x(40);
    for (std::size_t i = 0; i < x.size(); i += 2) x[i] = static_cast<Real>(distance);
    std::vector<Real> m(40, 0);
    m[1] = static_cast<Real>(0.7);
    const Inputs<Real> bodies{x, std::vector<Real>(40, 2), std::vector<Real>(40, -3), m};
    test::for_each_verified<Real>(workload, {.cols = 40}, bodies);
  }
}

TEST(NBody, AllDistancesInSinglePrecision) { expect_right_at_all_distances<float>(); }
TEST(NBody, AllDistancesInDoublePrecision) { expect_right_at_all_distances<double>(); }

TEST(NBody, BodiesAtOnePlaceFeelNothing) {
  const std::vector<float> same(70, 0.25F);
  for_each_verified<float>({same, same, same, same}, [](const std::vector<float>& a) {
    for (const float one : a) EXPECT_EQ(one, 0);
  });
}

}  // namespace
}  // namespace kernels::n_body
