// What the check of matmul accepts and refuses: no variant is run.

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "kernels/matmul/matmul.hpp"
#include "kernels/test_support.hpp"

namespace kernels::matmul {
namespace {

template <class Real>
using Inputs = std::vector<std::vector<Real>>;

template <class Real>
bench::Verdict verdict_of(const bench::Shape& shape, std::vector<Real> c, Inputs<Real>& inputs) {
  bench::Arrays arrays;
  for (std::vector<Real>& input : inputs) arrays.inputs.push_back(input.data());
  arrays.result = c.data();
  return workload.make(test::dtype_of<Real>, shape)->check(arrays);
}

/// A kernel as students write it: which products it adds for an element of C, and of what.
template <class Real>
struct Attempt {
  /// How often product p is added.
  std::function<int(std::size_t i, std::size_t j, std::size_t p)> counts = [](auto, auto, auto) {
    return 1;
  };
  std::function<std::size_t(std::size_t i, std::size_t p)> of_a = {};  ///< index; empty: right
  std::function<std::size_t(std::size_t p, std::size_t j)> of_b = {};
  std::function<std::size_t(std::size_t i, std::size_t j)> of_c = {};
  Real begin = 0;  ///< what is in the output before
  /// Sums of so many products are added up; 0: of all.
  std::size_t block = 0;

  std::vector<Real> of(const bench::Shape& shape, const Inputs<Real>& inputs) const {
    const auto [m, n, k] = std::array{shape.rows, shape.cols, shape.inner};
    std::vector<Real> c(m * n, begin);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        Real total = 0;
        Real sum = begin;
        for (std::size_t p = 0; p < k; ++p) {
          // Wrong indices may lead out of the array, to whatever: to another element.
          const Real a = inputs[0][(of_a ? of_a(i, p) : i * k + p) % (m * k)];
          const Real b = inputs[1][(of_b ? of_b(p, j) : p * n + j) % (k * n)];
          for (int t = counts(i, j, p); t > 0; --t) sum += a * b;
          if (block != 0 && p % block == block - 1) total += std::exchange(sum, Real(0));
        }
        c[(of_c ? of_c(i, j) : i * n + j) % (m * n)] = total + sum;
      }
    }
    return c;
  }
};

/// A shape of the trials that no tile divides.
constexpr bench::Shape odd{.rows = 37, .cols = 131, .inner = 61};
constexpr std::size_t tile = 16;

template <class Real>
bool passes(const Attempt<Real>& attempt, const bench::Shape& shape = odd) {
  Inputs<Real> inputs = test::course_data<Real>(workload, shape);
  return verdict_of<Real>(shape, attempt.of(shape, inputs), inputs).passed;
}

template <class Real>
void expect_right_styles_to_pass() {
  EXPECT_TRUE(passes<Real>({}));
  for (const std::size_t block : {1U, 8U, 16U, 60U}) EXPECT_TRUE(passes<Real>({.block = block}));
  EXPECT_TRUE(passes<Real>({}, {.rows = 3, .cols = 5, .inner = 3'000}));
  EXPECT_TRUE(passes<Real>({.block = 64}, {.rows = 3, .cols = 5, .inner = 3'000}));
}

TEST(MatmulCheck, AcceptsRightStylesInSinglePrecision) { expect_right_styles_to_pass<float>(); }
TEST(MatmulCheck, AcceptsRightStylesInDoublePrecision) { expect_right_styles_to_pass<double>(); }

// Students multiply floats and sum in double, and the other way round.
TEST(MatmulCheck, AcceptsSumsInMoreDigitsAndRefusesInputsInFewer) {
  Inputs<double> inputs = test::course_data<double>(workload, odd);
  const std::vector<double> right = Attempt<double>().of(odd, inputs);
  Inputs<float> rounded;
  for (const auto& input : inputs) rounded.emplace_back(input.begin(), input.end());
  Inputs<double> wide;
  for (const auto& input : rounded) wide.emplace_back(input.begin(), input.end());
  const std::vector<double> of_rounded = Attempt<double>().of(odd, wide);
  const std::vector<float> result(of_rounded.begin(), of_rounded.end());
  EXPECT_TRUE(verdict_of<float>(odd, result, rounded).passed);
  EXPECT_TRUE(verdict_of<double>(odd, right, inputs).passed);
  EXPECT_FALSE(verdict_of<double>(odd, of_rounded, inputs).passed);
}

template <class Real>
void expect_mistakes_to_be_refused() {
  const std::size_t m = odd.rows;
  const std::size_t k = odd.inner;
  const std::size_t whole = k - k % tile;
  EXPECT_FALSE(passes<Real>({.counts = [=](auto, auto, auto p) { return p < whole ? 1 : 0; }}))
      << "the last tile along k is left out";
  EXPECT_FALSE(passes<Real>({.counts = [=](auto, auto, auto p) { return p + 1 < k ? 1 : 0; }}))
      << "the last product is left out";
  EXPECT_FALSE(passes<Real>({.counts = [=](auto, auto, auto p) {
    return p >= k - tile && p < whole ? 2 : 1;
  }})) << "a tile at the end overlaps the one before it";
  EXPECT_FALSE(passes<Real>({.of_a = [=](auto i, auto p) { return p * k + i; }}))
      << "indices of A exchanged";
  EXPECT_FALSE(passes<Real>({.of_a = [=](auto i, auto p) { return p * m + i; }})) << "A transposed";
  EXPECT_FALSE(passes<Real>({.of_b = [=](auto p, auto j) { return j * k + p; }})) << "B transposed";
  EXPECT_FALSE(passes<Real>({.of_b = [=](auto p, auto j) { return p * k + j; }}))
      << "the pitch of B is that of A";
  EXPECT_FALSE(passes<Real>({.of_c = [=](auto i, auto j) { return j * m + i; }})) << "C transposed";
  EXPECT_FALSE(passes<Real>({.of_c = [=](auto i, auto j) { return i * m + j; }}))
      << "m and n exchanged";
  EXPECT_FALSE(passes<Real>({.begin = 1})) << "added to what was there";
}

TEST(MatmulCheck, TellsMistakesInSinglePrecision) { expect_mistakes_to_be_refused<float>(); }
TEST(MatmulCheck, TellsMistakesInDoublePrecision) { expect_mistakes_to_be_refused<double>(); }

// Threads that do not wait for each other (no __syncthreads) find elements of the tile before, or
// of the one behind.
TEST(MatmulCheck, TellsAMissingBarrier) {
  const auto late = [](auto i, auto p) { return p % tile > i % tile && p / tile > 0; };
  EXPECT_FALSE(passes<float>({.of_a = [=](std::size_t i, std::size_t p) {
    return i * odd.inner + p - (late(i, p) ? tile : 0);
  }})) << "before the tile is multiplied";
  EXPECT_FALSE(passes<float>({.of_b = [=](std::size_t p, std::size_t j) {
    const bool early = p % tile == tile - 1 && j % tile == 0 && p + tile < odd.inner;
    return (early ? p + tile : p) * odd.cols + j;
  }})) << "before the next one is loaded, one row of threads only";
}

// The total of two runs without zeros in between.
TEST(MatmulCheck, TellsARunThatAddsToTheOneBefore) {
  Inputs<float> inputs = test::course_data<float>(workload, odd);
  std::vector<float> c = Attempt<float>().of(odd, inputs);
  for (float& one : c) one *= 2;
  EXPECT_FALSE(verdict_of<float>(odd, c, inputs).passed);
}

/// Beyond a second of reference, rows and columns are drawn once the result is there.
class MatmulSample : public testing::Test {
 protected:
  static constexpr bench::Shape shape{.rows = 601, .cols = 701, .inner = 401};
  static constexpr std::size_t n = shape.cols;

  MatmulSample() : inputs_(test::course_data<float>(workload, shape)), c_(right(inputs_)) {}

  /// The product, made once for all tests.
  static const std::vector<float>& right(const Inputs<float>& inputs) {
    static const std::vector<float> product = product_of(inputs);
    return product;
  }

  /// Row by row: as fast as the reference, and with the rounding errors of float.
  static std::vector<float> product_of(const Inputs<float>& inputs) {
    std::vector<float> c(shape.elements());
    for (std::size_t i = 0; i < shape.rows; ++i) {
      for (std::size_t p = 0; p < shape.inner; ++p) {
        const float factor = inputs[0][i * shape.inner + p];
        for (std::size_t j = 0; j < n; ++j) c[i * n + j] += factor * inputs[1][p * n + j];
      }
    }
    return c;
  }

  bench::Verdict verdict() { return verdict_of<float>(shape, c_, inputs_); }
  /// An error that is some times what is tolerated of most elements.
  float error(double times) const {
    const double tolerance = (2 + std::sqrt(shape.inner)) * std::numeric_limits<float>::epsilon();
    return static_cast<float>(times * tolerance * shape.inner / 4);
  }

  Inputs<float> inputs_;
  std::vector<float> c_;
};

TEST_F(MatmulSample, PassesWhatIsRight) {
  const bench::Verdict verdict = this->verdict();
  EXPECT_TRUE(verdict.passed) << verdict.reason;
  EXPECT_GT(verdict.max_error, 0);
}

TEST_F(MatmulSample, FindsWhatWasNotWritten) {
  std::fill_n(reinterpret_cast<unsigned char*>(&c_[123'456]), sizeof(float), bench::poison_byte);
  const bench::Verdict verdict = this->verdict();
  EXPECT_FALSE(verdict.passed);
  EXPECT_EQ(verdict.unwritten, bench::Unwritten::some);
}

// An element that is in none of the rows and columns drawn makes its row a suspect.
TEST_F(MatmulSample, FindsASingleWrongElementAnywhere) {
  std::mt19937 random(1);
  for (int attempt = 0; attempt < 6; ++attempt) {
    float& one = c_[random() % c_.size()];
    const float before = std::exchange(one, one + error(2));
    const bench::Verdict verdict = this->verdict();
    EXPECT_FALSE(verdict.passed) << attempt;
    EXPECT_TRUE(verdict.reason.text.starts_with("1 of ")) << verdict.reason.text;
    one = before;
  }
}

TEST_F(MatmulSample, FindsAMissingProduct) {
  c_[200 * n + 300] -= inputs_[0][200 * shape.inner + 400] * inputs_[1][400 * n + 300];
  EXPECT_FALSE(verdict().passed);
}

// Two errors that add up to none in the sum over a row.
TEST_F(MatmulSample, FindsErrorsThatCancel) {
  c_[400 * n + 17] += error(2);
  c_[400 * n + 18] -= error(2);
  EXPECT_FALSE(verdict().passed);
}

TEST_F(MatmulSample, FindsNotANumber) {
  c_[c_.size() - 1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(verdict().passed);
}

TEST_F(MatmulSample, FindsAWrongRowAColumnAndABlock) {
  const std::vector<float> right = c_;
  for (std::size_t j = 0; j < n; ++j) c_[321 * n + j] += error(1.5);
  EXPECT_FALSE(verdict().passed) << "a row";
  c_ = right;
  for (std::size_t i = 0; i < shape.rows; ++i) c_[i * n + 654] += error(1.5);
  EXPECT_FALSE(verdict().passed) << "a column";
  c_ = right;
  for (std::size_t i = 64; i < 80; ++i) std::fill_n(&c_[i * n + 64], 16, 0.0F);
  EXPECT_FALSE(verdict().passed) << "a block";
}

// A product of rounded inputs is wrong everywhere, by less than a glance would tell.
TEST_F(MatmulSample, FindsInputsInHalfPrecision) {
  Inputs<float> rounded = inputs_;
  for (std::vector<float>& input : rounded) {
    for (float& one : input) one = std::nearbyint(one * 2048) / 2048;
  }
  c_ = product_of(rounded);
  EXPECT_FALSE(verdict().passed);
}

TEST_F(MatmulSample, FindsAColumnOfAnotherInput) {
  Inputs<float> others = inputs_;
  others[1][5] += 0.01F;
  c_ = product_of(others);
  EXPECT_FALSE(verdict().passed);
}

// Inputs of a user may hold anything.
TEST_F(MatmulSample, RowsThatAreNotFiniteAreRightWhereTheyShouldBe) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  inputs_[0][77 * shape.inner] = infinite;
  EXPECT_FALSE(verdict().passed);
  for (std::size_t j = 0; j < n; ++j) c_[77 * n + j] = inputs_[1][j] > 0 ? infinite : -infinite;
  const bench::Verdict verdict = this->verdict();
  EXPECT_TRUE(verdict.passed) << verdict.reason;
}

}  // namespace
}  // namespace kernels::matmul
