#include "kernels/stencil/stencil.hpp"

#include <cstddef>
#include <vector>

#include "kernels/test_support.hpp"

namespace kernels::stencil {
namespace {

template <class Real>
using Inputs = std::vector<std::vector<Real>>;

/// Calls `expect` with what each variant makes of a plate, once its own check has passed.
template <class Real, class Expect>
void for_each_verified(const bench::Shape& shape, std::vector<Real> u, const Expect& expect) {
  test::for_each_verified<Real>(workload, shape, Inputs<Real>{std::move(u)}, expect);
}

// Heat spreads from one element; what comes to an edge stays out.
TEST(Stencil, OneHotElement) {
  const std::vector<double> u{0, 0, 0,  0, 0,  //
                              0, 0, 0,  0, 0,  //
                              0, 0, 25, 0, 0,  //
                              0, 0, 0,  0, 0,  //
                              0, 0, 0,  0, 0};
  for_each_verified<double>({.rows = 5, .cols = 5, .steps = 1}, u,
                            [](const std::vector<double>& out) {
                              const std::vector<double> want{0, 0, 0, 0, 0,  //
                                                             0, 0, 5, 0, 0,  //
                                                             0, 5, 5, 5, 0,  //
                                                             0, 0, 5, 0, 0,  //
                                                             0, 0, 0, 0, 0};
                              for (std::size_t k = 0; k < want.size(); ++k) {
                                EXPECT_NEAR(out[k], want[k], 1e-14) << k;
                              }
                            });
  for_each_verified<double>({.rows = 5, .cols = 5, .steps = 2}, u,
                            [](const std::vector<double>& out) {
                              const std::vector<double> want{0, 0, 0, 0, 0,  //
                                                             0, 2, 2, 2, 0,  //
                                                             0, 2, 5, 2, 0,  //
                                                             0, 2, 2, 2, 0,  //
                                                             0, 0, 0, 0, 0};
                              for (std::size_t k = 0; k < want.size(); ++k) {
                                EXPECT_NEAR(out[k], want[k], 1e-14) << k;
                              }
                            });
}

// np.random.seed(42); u = np.random.uniform(0, 1, (33, 34))
// for _ in range(3): v = u.copy(); v[1:-1, 1:-1] += 0.2 * (u[:-2, 1:-1] + u[2:, 1:-1]
//     + u[1:-1, :-2] + u[1:-1, 2:] - 4 * u[1:-1, 1:-1]); u = v
// u[0, 0], u[1, 1], u[16, 17], u[31, 32]
TEST(Stencil, KnownValues) {
  for_each_verified<double>(workload.tiny, test::course_data<double>(workload, workload.tiny)[0],
                            [](const std::vector<double>& out) {
                              EXPECT_NEAR(out[0], 0.3745401188474, 1e-12);
                              EXPECT_NEAR(out[1 * 34 + 1], 0.7755787066623, 1e-12);
                              EXPECT_NEAR(out[16 * 34 + 17], 0.3900093771379, 1e-12);
                              EXPECT_NEAR(out[31 * 34 + 32], 0.5749888393371, 1e-12);
                            });
}

TEST(Stencil, NoStepIsACopy) {
  const bench::Shape shape{.rows = 37, .cols = 131};
  const std::vector<float> u = test::course_data<float>(workload, shape)[0];
  for_each_verified<float>(shape, u, [&](const std::vector<float>& out) { EXPECT_EQ(out, u); });
}

// A plate that is all edges stays as it is.
TEST(Stencil, OneOrTwoRowsOrColumnsStay) {
  for (const auto& [rows, cols] :
       {std::pair{1U, 1U}, {1U, 300U}, {300U, 1U}, {2U, 2U}, {2U, 300U}, {300U, 2U}}) {
    for (const std::size_t steps : {1U, 2U, 9U}) {
      const bench::Shape shape{.rows = rows, .cols = cols, .steps = steps};
      const std::vector<double> u = test::course_data<double>(workload, shape)[0];
      for_each_verified<double>(shape, u,
                                [&](const std::vector<double>& out) { EXPECT_EQ(out, u); });
    }
  }
}

// Around vectors, lines, strips and tiles; steps that are one pass, several, and a rest of one.
template <class Real>
void expect_right_for_all_shapes() {
  for (const auto& [rows, cols] : {std::pair{3U, 3U},
                                   {3U, 70U},
                                   {70U, 3U},
                                   {4U, 5U},
                                   {16U, 16U},
                                   {17U, 33U},
                                   {56U, 57U},
                                   {64U, 128U},
                                   {113U, 129U}}) {
    for (const std::size_t steps : {1U, 2U, 4U, 5U, 9U}) {
      const bench::Shape shape{.rows = rows, .cols = cols, .steps = steps};
      test::for_each_verified<Real>(workload, shape, test::course_data<Real>(workload, shape));
    }
  }
}

TEST(Stencil, AllShapesInSinglePrecision) { expect_right_for_all_shapes<float>(); }
TEST(Stencil, AllShapesInDoublePrecision) { expect_right_for_all_shapes<double>(); }

// Wider than the strip that a pass takes, by one column and by more.
TEST(Stencil, StripsOfAWidePlate) {
  for (const std::size_t cols : {2048U, 2049U, 4097U, 6000U}) {
    const bench::Shape shape{.rows = 7, .cols = cols, .steps = 9};
    test::for_each_verified<float>(workload, shape, test::course_data<float>(workload, shape));
    test::for_each_verified<double>(workload, shape, test::course_data<double>(workload, shape));
  }
}

}  // namespace
}  // namespace kernels::stencil
