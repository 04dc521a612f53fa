#include "kernels/column_sums/column_sums.hpp"

#include <cmath>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::column_sums {
namespace {

/// Calls `expect` with what each variant makes of a matrix, once its own check has passed.
template <class Real, class Expect>
void for_each_verified(std::size_t rows, std::size_t cols, const std::vector<Real>& in,
                       const Expect& expect) {
  test::for_each_verified<Real>(workload, {.rows = rows, .cols = cols}, {in}, expect);
}

// np.random.seed(42); x = np.random.uniform(0, 1, (33, 32)).astype('f4').astype('f8')
// x.sum(axis=0)[:3]
TEST(ColumnSums, CourseData) {
  std::vector<float> in(33 * 32);
  bench::NumpyRandom(42).uniform(in.data(), in.size(), 0, 1);
  for_each_verified<double>(33, 32, {in.begin(), in.end()}, [](const std::vector<double>& sums) {
    EXPECT_NEAR(sums.at(0), 13.822420341, 1e-9);
    EXPECT_NEAR(sums.at(1), 18.991772860, 1e-9);
    EXPECT_NEAR(sums.at(2), 12.779308918, 1e-9);
  });
}

// The notebook's matrix, with fewer columns: ones, and 9 in column 3.
TEST(ColumnSums, OnesAndNines) {
  const std::size_t rows = 16'384;
  std::vector<float> in(rows * 5, 1);
  for (std::size_t i = 0; i < rows; ++i) in[i * 5 + 3] = 9;
  for_each_verified<float>(rows, 5, in, [](const std::vector<float>& sums) {
    EXPECT_EQ(sums, (std::vector<float>{16'384, 16'384, 16'384, 147'456, 16'384}));
  });
}

TEST(ColumnSums, NoRowsMakeZeros) {
  for_each_verified<double>(0, 5, {}, [](const std::vector<double>& sums) {
    EXPECT_EQ(sums, std::vector<double>(5, 0));
  });
}

// However a variant cuts the matrix, each element counts once and for its own column. Element (i,
// j) is i·cols + j + 1, and sums of integers are exact.
TEST(ColumnSums, EveryElementForItsOwnColumn) {
  for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{1, 9},
                                   {2, 3},
                                   {7, 1},
                                   {100, 3},
                                   {257, 7},
                                   {17, 513},
                                   {33, 255},
                                   {300, 20},
                                   {9, 1'100},
                                   {2'500, 2},
                                   {40, 1'025}}) {
    std::vector<double> in(rows * cols);
    std::vector<double> expected(cols);
    for (std::size_t k = 0; k < in.size(); ++k) {
      in[k] = static_cast<double>(k + 1);
      expected[k % cols] += in[k];
    }
    for_each_verified<double>(rows, cols, in,
                              [&](const std::vector<double>& sums) { EXPECT_EQ(sums, expected); });
  }
}

/// Shapes for each way to divide the work: narrow, broad, few rows, many.
template <class Real>
void expect_right_for_all_shapes() {
  for (const auto& [rows, cols] : {std::pair<std::size_t, std::size_t>{1, 1'031},
                                   {20'011, 1},
                                   {10'001, 2},
                                   {3, 4'101},
                                   {300, 129}}) {
    std::vector<Real> in(rows * cols);
    bench::NumpyRandom(7).uniform(in.data(), in.size(), -1, 1);
    test::for_each_verified<Real>(workload, {.rows = rows, .cols = cols}, {in});
  }
}

TEST(ColumnSums, AllShapesInSinglePrecision) { expect_right_for_all_shapes<float>(); }
TEST(ColumnSums, AllShapesInDoublePrecision) { expect_right_for_all_shapes<double>(); }

// In float, 1e8 and −1e8 cancel a 1 between them: the bound is relative to the magnitudes.
TEST(ColumnSums, TermsThatCancel) {
  std::vector<float> in(3 * 64, 1);
  for (std::size_t j = 0; j < 64; ++j) {
    in[j] = 1e8F;
    in[128 + j] = -1e8F;
  }
  test::for_each_verified<float>(workload, {.rows = 3, .cols = 64}, {in});
}

// Eight of them overflow in float. All of them do not: there are as many negative ones.
TEST(ColumnSums, OnlyTheResultMustFit) {
  for (const std::size_t cols : {1U, 40U, 600U}) {
    std::vector<float> in(16 * cols, 3e38F);
    for (std::size_t k = 8 * cols; k < in.size(); ++k) in[k] = -3e38F;
    in[cols - 1] = 2e38F;
    std::vector<float> expected(cols, 0);
    expected[cols - 1] = static_cast<float>(double{2e38F} - double{3e38F});
    for_each_verified<float>(16, cols, in,
                             [&](const std::vector<float>& sums) { EXPECT_EQ(sums, expected); });
  }
}

TEST(ColumnSums, InfinitiesAndNaNStayInTheirColumn) {
  const float infinity = std::numeric_limits<float>::infinity();
  std::vector<float> in(40 * 20, 0.5F);
  in[17 * 20 + 3] = -infinity;
  in[30 * 20 + 5] = std::nanf("");
  in[1 * 20 + 7] = infinity;
  in[39 * 20 + 7] = -infinity;
  for_each_verified<float>(40, 20, in, [&](const std::vector<float>& sums) {
    for (std::size_t j = 0; j < sums.size(); ++j) {
      EXPECT_EQ(std::isinf(sums[j]), j == 3) << j;
      EXPECT_EQ(std::isnan(sums[j]), j == 5 || j == 7) << j;
    }
  });
}

// A tenth, whose float is too large: all roundings of a long sum go in the same direction.
TEST(ColumnSums, ATotalInFloatIsRefused) {
  const std::size_t rows = 16'384;
  std::vector<float> in(rows, 0.1F);
  float total = 0;
  for (const float x : in) total += x;
  const auto problem = workload.make(bench::Dtype::f32, {.rows = rows, .cols = 1});
  EXPECT_FALSE(problem->check({{in.data()}, &total}).passed);
}

}  // namespace
}  // namespace kernels::column_sums
