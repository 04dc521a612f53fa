#include "kernels/hidden_layer/hidden_layer.hpp"

#include <cmath>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::hidden_layer {
namespace {

/// The course's data: gray values, then weights.
template <class Real>
std::vector<std::vector<Real>> course_data(std::size_t n) {
  return test::course_data<Real>(workload, {.cols = n});
}

// As NumPy computes them from the same seed.
TEST(HiddenLayer, KnownValues) {
  constexpr std::size_t n = 1'000'000;
  const auto inputs = course_data<float>(n);
  EXPECT_EQ(inputs[0][0], 95.0F);
  EXPECT_EQ(inputs[0][1], 242.0F);
  EXPECT_EQ(inputs[0][2], 186.0F);
  test::for_each_variant<float>(workload, {.cols = n}, inputs, [](const std::vector<float>& a) {
    EXPECT_NEAR(a[0], 0.121570167, 5e-7);
    EXPECT_NEAR(a[1], 0.529437114, 5e-7);
    EXPECT_NEAR(a[2], 0.350245672, 5e-7);
  });
}

/// Whether a variant computes the quotient of two infinities where |v| is large.
bool by_formula(const bench::BoundVariant& rung) {
  const std::string& name = rung.variant;
  return name == "naive" || name == "three_kernels" || name == "fused" || name == "product_first";
}

/// Calls `expect` with tanh v for these v: the weights of neurons whose gray value is 255.
template <class Real, class Expect>
void expect_of(const std::vector<Real>& v, const Expect& expect) {
  const std::vector<Real> gray(v.size(), Real{255});
  test::for_each_variant<Real>(workload, {.cols = v.size()}, {gray, v}, expect);
}

template <class Real>
void expect_saturation() {
  constexpr Real inf = std::numeric_limits<Real>::infinity();
  constexpr Real most = std::numeric_limits<Real>::max();
  const std::vector<Real> v{20, -20, 88, -88, 89, -89, 710, -710, 1e30F, most, -most, inf, -inf};
  expect_of(v, [&](const std::vector<Real>& a, const bench::BoundVariant& rung) {
    for (std::size_t i = 0; i < v.size(); ++i) {
      const bool lost = by_formula(rung) && std::isinf(std::exp(std::abs(v[i])));
      if (lost) {
        EXPECT_TRUE(std::isnan(a[i])) << v[i];
      } else {
        EXPECT_EQ(a[i], std::copysign(Real{1}, v[i])) << v[i];
      }
    }
  });
}

TEST(HiddenLayer, SaturatesInSinglePrecision) { expect_saturation<float>(); }
TEST(HiddenLayer, SaturatesInDoublePrecision) { expect_saturation<double>(); }

TEST(HiddenLayer, ZeroIsZeroAndNaNStaysNaN) {
  expect_of<float>({0, -0.0F, std::nanf("")}, [](const std::vector<float>& a) {
    EXPECT_EQ(a[0], 0);
    EXPECT_EQ(a[1], 0);
    EXPECT_TRUE(std::isnan(a[2]));
  });
}

/// Inputs from the smallest numbers to where tanh rounds to 1, evenly and by powers of two.
template <class Real>
void expect_within_tolerance() {
  std::vector<Real> v;
  for (int i = -4'000; i <= 4'000; ++i) v.push_back(static_cast<Real>(i * 0.005));
  for (int power = -1'000; power < 7; ++power) {
    const auto value = static_cast<Real>(std::ldexp(1.0, power));
    v.insert(v.end(), {value, -value});
  }
  std::vector<Real> gray(v.size(), Real{255});
  std::vector<Real> weight = v;
  const auto problem = workload.make(test::dtype_of<Real>, {.cols = v.size()});
  expect_of(v, [&](std::vector<Real> a) {
    const bench::Verdict verdict = problem->check({{gray.data(), weight.data()}, a.data()});
    EXPECT_TRUE(verdict.passed) << verdict.reason;
    EXPECT_EQ(verdict.metric, "eps");
  });
}

TEST(HiddenLayer, WholeRangeInSinglePrecision) { expect_within_tolerance<float>(); }
TEST(HiddenLayer, WholeRangeInDoublePrecision) { expect_within_tolerance<double>(); }

}  // namespace
}  // namespace kernels::hidden_layer
