#include "kernels/add/add.hpp"

#include "kernels/test_support.hpp"

namespace {

TEST(Add, RoundsOnce) {
  const std::vector<float> a(100, 16'777'216.0F);
  const std::vector<float> b(100, 1.0F);
  kernels::test::for_each_variant<float>(
      kernels::add::workload, {.cols = a.size()}, {a, b},
      [](const std::vector<float>& c) { EXPECT_EQ(c, std::vector<float>(100, 16'777'216.0F)); });
}

}  // namespace
