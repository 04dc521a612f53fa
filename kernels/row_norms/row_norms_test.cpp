#include "kernels/row_norms/row_norms.hpp"

#include <cmath>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::row_norms {
namespace {

/// Calls `expect` with what each variant makes of a matrix, once its own check has passed.
template <class Real, class Expect>
void for_each_verified(std::size_t rows, std::size_t cols, const std::vector<Real>& in,
                       const Expect& expect) {
  test::for_each_verified<Real>(workload, {.rows = rows, .cols = cols}, {in}, expect);
}

// np.random.seed(42); x = np.random.uniform(-1, 1, (10, 2)).astype('f4').astype('f8')
// np.linalg.norm(x, axis=1)[:3]
TEST(RowNorms, CourseData) {
  std::vector<float> in(20);
  bench::NumpyRandom(42).uniform(in.data(), in.size(), -1, 1);
  for_each_verified<double>(10, 2, {in.begin(), in.end()}, [](const std::vector<double>& norms) {
    EXPECT_NEAR(norms.at(0), 0.935699908, 1e-9);
    EXPECT_NEAR(norms.at(1), 0.504201098, 1e-9);
    EXPECT_NEAR(norms.at(2), 0.972960293, 1e-9);
  });
}

TEST(RowNorms, PythagoreanTriples) {
  for_each_verified<float>(3, 2, {3, 4, -5, 12, 8, -15}, [](const std::vector<float>& norms) {
    EXPECT_EQ(norms, (std::vector<float>{5, 13, 17}));
  });
}

TEST(RowNorms, EmptyRowsHaveNoLength) {
  for_each_verified<double>(5, 0, {}, [](const std::vector<double>& norms) {
    EXPECT_EQ(norms, std::vector<double>(5, 0));
  });
}

// However a variant cuts rows, every element counts, and for its own row: 3 and 4 in row i.
TEST(RowNorms, EveryElementOfItsOwnRow) {
  for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{9, 3}, {17, 8}, {3, 4099}}) {
    for (std::size_t at = 0; at + 1 < cols; at += cols < 100 ? 1 : 371) {
      std::vector<float> in(rows * cols);
      std::vector<float> expected(rows);
      for (std::size_t i = 0; i < rows; ++i) {
        in[i * cols + at] = static_cast<float>(3 * (i + 1));
        in[i * cols + cols - 1] = static_cast<float>(4 * (i + 1));
        expected[i] = static_cast<float>(5 * (i + 1));
      }
      for_each_verified<float>(
          rows, cols, in, [&](const std::vector<float>& norms) { EXPECT_EQ(norms, expected); });
    }
  }
}

/// Shapes for each way to divide the work: few long rows, many short ones, rows that start
/// anywhere.
template <class Real>
void expect_right_for_all_shapes() {
  for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{1, 20'011},
                                   {2, 65'536},
                                   {10, 4'097},
                                   {1'000, 2},
                                   {200, 9},
                                   {60, 31},
                                   {60, 256},
                                   {1, 1}}) {
    std::vector<Real> in(rows * cols);
    bench::NumpyRandom(7).uniform(in.data(), in.size(), -1, 1);
    test::for_each_verified<Real>(workload, {.rows = rows, .cols = cols}, {in});
  }
}

TEST(RowNorms, AllShapesInSinglePrecision) { expect_right_for_all_shapes<float>(); }
TEST(RowNorms, AllShapesInDoublePrecision) { expect_right_for_all_shapes<double>(); }

// Squares beyond the range of float, above and below, are within that of double.
TEST(RowNorms, SquaresAreDouble) {
  std::vector<float> in(2 * 100);
  for (std::size_t j = 0; j < 100; ++j) in[j] = 1e30F;
  for (std::size_t j = 0; j < 100; ++j) in[100 + j] = 1e-30F;
  for_each_verified<float>(2, 100, in, [](const std::vector<float>& norms) {
    EXPECT_FLOAT_EQ(norms[0], 1e31F);
    EXPECT_FLOAT_EQ(norms[1], 1e-29F);
  });
}

TEST(RowNorms, OverflowAndUnderflowInDouble) {
  for_each_verified<double>(4, 2, {1e200, 0, 3e-162, 4e-162, 1e-161, 3e-161, 1e-300, 0},
                            [](const std::vector<double>& norms) {
                              EXPECT_TRUE(std::isinf(norms[0]));
                              EXPECT_EQ(norms[3], 0);
                            });
}

TEST(RowNorms, InfinitiesAndNaNStayInTheirRow) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> in(20 * 40, 0.5F);
  in[3 * 40 + 17] = -infinity;
  in[18 * 40 + 39] = std::nanf("");
  for_each_verified<float>(20, 40, in, [&](const std::vector<float>& norms) {
    for (std::size_t i = 0; i < norms.size(); ++i) {
      EXPECT_EQ(std::isinf(norms[i]), i == 3) << i;
      EXPECT_EQ(std::isnan(norms[i]), i == 18) << i;
    }
  });
}

TEST(RowNorms, ATotalInFloatIsRefused) {
  const std::size_t cols = 1'000'000;
  std::vector<float> in(cols);
  bench::NumpyRandom(42).uniform(in.data(), cols, -1, 1);
  float total = 0;
  for (const float x : in) total += x * x;
  float norm = std::sqrt(total);
  const auto problem = workload.make(bench::Dtype::f32, {.rows = 1, .cols = cols});
  EXPECT_FALSE(problem->check({{in.data()}, &norm}).passed);
}

}  // namespace
}  // namespace kernels::row_norms
