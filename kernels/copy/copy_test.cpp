#include "kernels/copy/copy.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::copy {
namespace {

TEST(Copy, KeepsEveryBitOfSpecialValues) {
  const std::vector<double> special{0.0, -0.0, 5e-324, std::numeric_limits<double>::infinity(),
                                    std::nan("17")};
  test::for_each_variant<double>(
      workload, {.cols = special.size()}, {special}, [&](const std::vector<double>& out) {
        EXPECT_EQ(std::memcmp(out.data(), special.data(), special.size() * sizeof(double)), 0);
      });
}

// Streaming stores work on whole cache lines: wherever an array starts within one, all elements
// arrive.
TEST(Copy, AnyAlignment) {
  const auto problem = workload.make(bench::Dtype::f32, {.cols = 50});
  std::vector<float> in(100, 7.0F);
  for (const bench::simd::Isa isa : bench::simd::available()) {
    for (const bench::BoundVariant& rung : problem->rungs(isa)) {
      if (bench::runs_on(rung.backend, bench::RunsOn::device))
        continue;  // memory on a device is always aligned
      for (std::size_t offset = 0; offset < 17; ++offset) {
        std::vector<float> out(100, 0.0F);
        rung.run({{in.data() + offset / 2}, out.data() + offset});
        for (std::size_t i = 0; i < out.size(); ++i) {
          const bool inside = i >= offset && i < offset + 50;
          ASSERT_EQ(out[i], inside ? 7.0F : 0.0F) << rung.variant << " at " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace kernels::copy
