#include "kernels/matmul/matmul.hpp"

#include <gtest/gtest.h>

#include "harness/test/support.hpp"
#include "kernels/matmul/blas.hpp"
#include "kernels/test_support.hpp"

namespace kernels::matmul {
namespace {

TEST(Matmul, KnownValues) {
  const bench::Shape shape{.rows = 2, .cols = 2, .inner = 3};
  test::for_each_verified<double>(workload, shape, {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}},
                                  [](const auto& c) {
                                    EXPECT_EQ(c, (std::vector<double>{58, 64, 139, 154}));
                                  });
}

// np.random.seed(42)
// a = np.random.uniform(-1, 1, (33, 35))
// b = np.random.uniform(-1, 1, (35, 34))
// (a @ b)[0, 0], (a @ b)[32, 33]
TEST(Matmul, KnownValuesOfTheCoursesData) {
  const auto inputs = test::course_data<double>(workload, workload.tiny);
  test::for_each_verified<double>(workload, workload.tiny, inputs, [](const auto& c) {
    EXPECT_NEAR(c.front(), 1.04858473109571, 1e-13);
    EXPECT_NEAR(c.back(), -0.877968290256749, 1e-13);
  });
}

// Sizes around vectors, tiles, blocks and panels, with sums that end anywhere in one.
template <class Real, class Out = Real>
void expect_right_for_all_shapes() {
  const bench::Shape shapes[] = {
      {.rows = 5, .cols = 7, .inner = 0},      {.rows = 1, .cols = 1, .inner = 500},
      {.rows = 6, .cols = 16, .inner = 384},   {.rows = 14, .cols = 32, .inner = 193},
      {.rows = 7, .cols = 17, .inner = 385},   {.rows = 97, .cols = 129, .inner = 8},
      {.rows = 128, .cols = 128, .inner = 8},  {.rows = 129, .cols = 132, .inner = 12},
      {.rows = 127, .cols = 260, .inner = 20}, {.rows = 225, .cols = 257, .inner = 65},
      {.rows = 33, .cols = 1, .inner = 800},   {.rows = 1, .cols = 300, .inner = 40}};
  for (const bench::Shape& shape : shapes) {
    SCOPED_TRACE(bench::label(workload.form, shape));
    test::for_each_verified<Real, Out>(workload, shape, test::course_data<Real>(workload, shape));
  }
}

TEST(Matmul, AllShapesInSinglePrecision) { expect_right_for_all_shapes<float>(); }
TEST(Matmul, AllShapesInDoublePrecision) { expect_right_for_all_shapes<double>(); }
TEST(Matmul, AllShapesOfHalves) { expect_right_for_all_shapes<bench::Half, float>(); }

// Sums of halves would end at 2048: one more is then half of the distance to the next.
TEST(Matmul, SumsOfHalvesAreFloats) {
  const bench::Shape shape{.rows = 2, .cols = 8, .inner = 4104};
  const std::vector<bench::Half> ones(shape.inner * 8, bench::Half(1.0F));
  test::for_each_verified<bench::Half, float>(
      workload, shape, {{ones.begin(), ones.begin() + 2 * shape.inner}, ones},
      [](const auto& c) { EXPECT_EQ(c, std::vector<float>(16, 4104)); });
}

// What is not a number must not leave the rows and columns that it belongs to: zeros that fill a
// panel would make NaN of it.
TEST(Matmul, InfinityStaysInItsRow) {
  const bench::Shape shape{.rows = 19, .cols = 21, .inner = 23};
  auto inputs = test::course_data<float>(workload, shape);
  inputs[0][3 * shape.inner + 2] = std::numeric_limits<float>::infinity();
  test::for_each_verified<float>(workload, shape, inputs, [&](const auto& c) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      EXPECT_EQ(std::isfinite(c[i]), i / shape.cols != 3) << i;
    }
  });
}

template <class Real>
void expect_multiplied(const Blas& blas) {
  const std::vector<Real> a{1, 2, 3, 4, 5, 6};
  const std::vector<Real> b{7, 8, 9, 10, 11, 12};
  std::vector<Real> c(4, std::numeric_limits<Real>::quiet_NaN());
  blas.multiply<Real>({a.data(), b.data(), c.data(), 2, 2, 3});
  EXPECT_EQ(c, (std::vector<Real>{58, 64, 139, 154}));
  c.assign(4, std::numeric_limits<Real>::quiet_NaN());
  blas.multiply_by_all_threads<Real>({a.data(), b.data(), c.data(), 2, 2, 3});
  EXPECT_EQ(c, (std::vector<Real>{58, 64, 139, 154}));
}

TEST(Blas, MultipliesRowMajorMatrices) {
  const Blas blas({"libblas-of-nobody.so", FAKE_BLAS});
  EXPECT_EQ(blas.reason(), "");
  expect_multiplied<float>(blas);
  expect_multiplied<double>(blas);
}

TEST(Blas, WhereItIsNotThereTheReasonSaysSo) {
  const Blas blas({"libblas-of-nobody.so", "libm.so.6"});
  const auto call = [&] { blas.multiply<float>({}); };
  EXPECT_EQ(bench::test::message_of<bench::Unavailable>(call), blas.reason());
  bench::test::expect_contains(blas.reason(), "OpenBLAS");
}

TEST(Blas, RowsThatItCannotCountAreRefused) {
  const Blas blas({FAKE_BLAS});
  const auto call = [&] { blas.multiply<float>({.k = std::size_t{1} << 31U}); };
  bench::test::expect_contains(bench::test::message_of<bench::Unavailable>(call), "32 bits");
}

}  // namespace
}  // namespace kernels::matmul
