#include "kernels/reverse/reverse.hpp"

#include <algorithm>

#include "kernels/test_support.hpp"

namespace kernels::reverse {
namespace {

/// Around vectors, cache lines and blocks; the course's four elements.
template <class Real>
void expect_reversed() {
  for (const std::size_t n :
       {0U, 1U, 2U, 3U, 4U, 15U, 16U, 17U, 255U, 256U, 257U, 1'000U, 4'099U}) {
    const auto inputs = test::course_data<Real>(workload, {.cols = n});
    std::vector<Real> wanted = inputs[0];
    std::reverse(wanted.begin(), wanted.end());
    test::for_each_variant<Real>(workload, {.cols = n}, inputs, [&](const std::vector<Real>& out) {
      EXPECT_EQ(out, wanted) << n;
    });
  }
}

TEST(Reverse, AllLengthsInSinglePrecision) { expect_reversed<float>(); }
TEST(Reverse, AllLengthsInDoublePrecision) { expect_reversed<double>(); }

}  // namespace
}  // namespace kernels::reverse
