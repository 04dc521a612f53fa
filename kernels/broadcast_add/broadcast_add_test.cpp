#include "kernels/broadcast_add/broadcast_add.hpp"

#include "kernels/test_support.hpp"

namespace kernels::broadcast_add {
namespace {

using test::for_each_variant;

/// Rows of 1, 3 and 10 columns, around vectors and cache lines, longer than a block; one row.
template <class Real>
void expect_sums() {
  for (const std::size_t rows : {1U, 2U, 33U}) {
    for (const std::size_t cols : {1U, 3U, 10U, 15U, 16U, 17U, 33U, 257U}) {
      const bench::Shape shape{.rows = rows, .cols = cols};
      const auto inputs = test::course_data<Real>(workload, shape);
      for_each_variant<Real>(workload, shape, inputs, [&](const std::vector<Real>& out) {
        for (std::size_t k = 0; k < out.size(); ++k) {
          ASSERT_EQ(out[k], inputs[0][k] + inputs[1][k % cols]) << rows << "x" << cols << ": " << k;
        }
      });
    }
  }
}

TEST(BroadcastAdd, AllShapesInSinglePrecision) { expect_sums<float>(); }
TEST(BroadcastAdd, AllShapesInDoublePrecision) { expect_sums<double>(); }

/// The data that NumPy draws and computes.
TEST(BroadcastAdd, CourseData) {
  const bench::Shape shape{.rows = 4, .cols = 4};
  for_each_variant<float>(workload, shape, test::course_data<float>(workload, shape),
                          [](const std::vector<float>& out) {
                            EXPECT_FLOAT_EQ(out[0], 0.67878234F);
                            EXPECT_FLOAT_EQ(out[1], 1.4754708F);
                            EXPECT_FLOAT_EQ(out[2], 1.163939F);
                          });
}

TEST(BroadcastAdd, SaysWhereEachElementComesFrom) {
  const auto problem = workload.make(bench::Dtype::f32, {.rows = 3, .cols = 5});
  EXPECT_EQ(problem->source(12, 0), 12U);
  EXPECT_EQ(problem->source(12, 1), 2U);
}

}  // namespace
}  // namespace kernels::broadcast_add
