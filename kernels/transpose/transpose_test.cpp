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

}  // namespace
}  // namespace kernels::transpose
