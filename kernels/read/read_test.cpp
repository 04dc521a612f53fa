#include "kernels/read/read.hpp"

#include <cmath>
#include <limits>

#include "kernels/test_support.hpp"

namespace kernels::read {
namespace {

TEST(Read, JoinsTheBitsOfEverything) {
  const std::vector<float> in{1.5F, -0.0F, std::nanf("3"), std::numeric_limits<float>::infinity()};
  const std::uint32_t expected = 0x3FC00000U ^ 0x80000000U ^ 0x7FC00003U ^ 0x7F800000U;
  test::for_each_variant<float, std::uint32_t>(
      workload, {.cols = in.size()}, {in},
      [&](const std::vector<std::uint32_t>& out) { EXPECT_EQ(out.at(0), expected); });
}

// Every word counts, whatever its position: a single one among zeros is found.
TEST(Read, LeavesNothingOut) {
  for (const std::size_t at : {0U, 1U, 15U, 16U, 511U, 512U, 1021U, 1022U}) {
    std::vector<double> in(1023, 0.0);
    in[at] = 1.0;
    test::for_each_variant<double, std::uint32_t>(
        workload, {.cols = in.size()}, {in},
        [&](const std::vector<std::uint32_t>& out) { EXPECT_EQ(out.at(0), 0x3FF00000U); });
  }
}

}  // namespace
}  // namespace kernels::read
