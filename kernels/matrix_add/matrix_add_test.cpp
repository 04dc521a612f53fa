#include "kernels/matrix_add/matrix_add.hpp"

#include "kernels/test_support.hpp"

namespace kernels::matrix_add {
namespace {

template <class Real>
std::vector<Real> sum_of(const std::vector<std::vector<Real>>& inputs) {
  std::vector<Real> sums(inputs[0].size());
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = inputs[0][i] + inputs[1][i];
  return sums;
}

// np.random.seed(42); a, b = (np.random.uniform(0, 1, (32, 33)) for _ in range(2)); a + b in f32.
TEST(MatrixAdd, AddsWhatNumPyDraws) {
  test::for_each_variant<float>(workload, workload.tiny,
                                test::course_data<float>(workload, workload.tiny),
                                [](const std::vector<float>& c) {
                                  EXPECT_FLOAT_EQ(c[0], 1.1417284F);
                                  EXPECT_FLOAT_EQ(c[1], 1.3526452F);
                                  EXPECT_FLOAT_EQ(c[2], 1.2118695F);
                                  EXPECT_FLOAT_EQ(c[33], 1.1805573F);
                                  EXPECT_FLOAT_EQ(c.back(), 0.55272746F);
                                });
}

TEST(MatrixAdd, RoundsOnce) {
  const std::vector<float> a(100, 16'777'216.0F);
  const std::vector<float> b(100, 1.0F);
  test::for_each_variant<float>(
      workload, {.rows = 5, .cols = 20}, {a, b},
      [](const std::vector<float>& c) { EXPECT_EQ(c, std::vector<float>(100, 16'777'216.0F)); });
}

// No elements and one, one row, one column, and sizes that tiles, lines and vectors do not divide.
TEST(MatrixAdd, Shapes) {
  for (const bench::Shape& shape :
       {bench::Shape{0, 5}, {5, 0}, {1, 1}, {1, 257}, {257, 1}, {31, 33}, {100, 7}, {129, 65}}) {
    SCOPED_TRACE(std::to_string(shape.rows) + "x" + std::to_string(shape.cols));
    const auto inputs = test::course_data<double>(workload, shape);
    test::for_each_variant<double>(workload, shape, inputs, [&](const std::vector<double>& c) {
      EXPECT_EQ(c, sum_of(inputs));
    });
  }
}

// A grid has at most 65 535 blocks in y, of 32 threads each. So these matrices are thin, with more
// rows (columns) than that, for the variants that count them in y. Only for these, since each
// starts 67 million threads.
TEST(MatrixAdd, MoreRowsOrColumnsThanAGridCovers) {
  const auto device = bench::test::opened();
  if (!device->reason().empty()) GTEST_SKIP() << device->reason();
  constexpr std::size_t beyond = std::size_t{65'535} * 32 + 33;
  std::size_t ran = 0;
  for (const auto& [variant, shape] : {std::pair{"coalesced", bench::Shape{beyond, 1}},
                                       std::pair{"uncoalesced", bench::Shape{1, beyond}}}) {
    auto inputs = test::course_data<float>(workload, shape);
    for (const auto& rung :
         workload.make(bench::Dtype::f32, shape)->rungs(bench::simd::Isa::baseline)) {
      if (rung.variant != variant) continue;
      std::vector<float> c(beyond, -1);
      std::vector<test::Bytes> no_workspace;
      test::run_on_device(*device, rung, inputs, c, no_workspace);
      EXPECT_TRUE(c == sum_of(inputs)) << variant;  // not EXPECT_EQ, which would print them
      ++ran;
    }
  }
  EXPECT_EQ(ran, 2U);
}

}  // namespace
}  // namespace kernels::matrix_add
