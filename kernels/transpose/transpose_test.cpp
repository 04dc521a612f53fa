#include "kernels/transpose/transpose.hpp"

#include "kernels/test_support.hpp"

namespace kernels::transpose {
namespace {

TEST(Transpose, TwoByThree) {
  test::for_each_variant<float>(workload, {.rows = 2, .cols = 3}, {{1, 2, 3, 4, 5, 6}},
                                [](const std::vector<float>& out) {
                                  EXPECT_EQ(out, (std::vector<float>{1, 4, 2, 5, 3, 6}));
                                });
}

TEST(Transpose, TwiceIsTheIdentity) {
  std::vector<double> in(67 * 131);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<double>(i);
  std::vector<double> once;
  test::for_each_variant<double>(workload, {.rows = 67, .cols = 131}, {in},
                                 [&](const std::vector<double>& out) {
                                   if (once.empty()) once = out;
                                   EXPECT_EQ(out, once);
                                 });
  test::for_each_variant<double>(workload, {.rows = 131, .cols = 67}, {once},
                                 [&](const std::vector<double>& back) { EXPECT_EQ(back, in); });
}

/// in[i][j] = i cols + j.
template <class Real>
void expect_turned(std::size_t rows, std::size_t cols) {
  std::vector<Real> in(rows * cols);
  std::vector<Real> want(rows * cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      in[i * cols + j] = want[j * rows + i] = static_cast<Real>(i * cols + j);
    }
  }
  test::for_each_variant<Real>(
      workload, {.rows = rows, .cols = cols}, {in},
      [&](const std::vector<Real>& out) { EXPECT_EQ(out, want) << rows << "x" << cols; });
}

// Thinner than any tile, of each thickness that a tile can have, and one less and more.
TEST(Transpose, ThinMatrices) {
  for (const std::size_t thin : {2U, 3U, 4U, 5U, 7U, 8U, 9U, 16U, 17U, 31U, 33U, 63U, 64U, 65U}) {
    for (const std::size_t other : {std::size_t{1}, std::size_t{70}, 5000 / thin}) {
      expect_turned<float>(thin, other);
      expect_turned<double>(other, thin);
    }
  }
}

// Whole vectors, with the last tile of each row and column not full.
TEST(Transpose, TilesThatAreNotFull) { expect_turned<float>(588, 132); }

// Rows of the result that start anywhere in a sector, with one tile down the columns and with more.
TEST(Transpose, RowsThatBeginInTheMiddleOfASector) {
  for (std::size_t rows = 120; rows <= 129; ++rows) {
    expect_turned<float>(rows, 70);
    expect_turned<double>(rows - 57, 70);
  }
}

}  // namespace
}  // namespace kernels::transpose
