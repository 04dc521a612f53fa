#include "kernels/hypot/hypot.hpp"

#include <cmath>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::hypot {
namespace {

template <class Real>
void expect_right_at_both_ends() {
  constexpr Real inf = std::numeric_limits<Real>::infinity();
  constexpr Real big = std::numeric_limits<Real>::max() / 8;
  constexpr Real tiny = std::numeric_limits<Real>::denorm_min() * 4;
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const std::vector<Real> a{0, 3, -3, big, tiny, inf, inf, 0, -inf, nan, 1, big * 7, 0};
  const std::vector<Real> b{0, 4, -4, big, tiny, 1, inf, -inf, nan, inf, nan, big * 7, 5};
  test::for_each_variant<Real>(
      workload, {.cols = a.size()}, {a, b}, [&](const std::vector<Real>& c) {
        for (std::size_t i = 0; i < a.size(); ++i) {
          const Real want = std::hypot(a[i], b[i]);
          if (std::isnan(want)) {
            EXPECT_TRUE(std::isnan(c[i])) << a[i] << ", " << b[i];
          } else if (std::isinf(want) || want == 0) {
            EXPECT_EQ(c[i], want) << a[i] << ", " << b[i];
          } else {
            EXPECT_LE(bench::ulp_error(c[i], static_cast<double>(want)), 2) << a[i] << ", " << b[i];
          }
        }
      });
}

TEST(Hypot, RightAtBothEndsInSinglePrecision) { expect_right_at_both_ends<float>(); }
TEST(Hypot, RightAtBothEndsInDoublePrecision) { expect_right_at_both_ends<double>(); }

}  // namespace
}  // namespace kernels::hypot
