#include "harness/plan/hash.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace bench {
namespace {

TEST(Hash, IsXxh3) {
  // The values of the reference implementation.
  EXPECT_EQ(hash_bytes("", 0), 0x2d06800538d394c2U);
  EXPECT_EQ(hash_bytes("a", 1), 0xe6c632b61e964e1fU);
  EXPECT_EQ(hash_bytes("abc", 3), 0x78af5f94892f3950U);
}

TEST(Hash, OfManyBytesChangesWithEach) {
  std::vector<unsigned char> all((std::size_t{3} << 20U) + 5, 7);
  const std::uint64_t before = hash_bytes(all.data(), all.size());
  for (const std::size_t at : {std::size_t{0}, std::size_t{1} << 20U, all.size() - 1}) {
    all[at] = 8;
    EXPECT_NE(hash_bytes(all.data(), all.size()), before) << at;
    all[at] = 7;
  }
  EXPECT_EQ(hash_bytes(all.data(), all.size()), before);
  EXPECT_NE(hash_bytes(all.data(), all.size() - 1), before);
}

TEST(Hash, OfNoInputsIsTheHashOfNothing) {
  EXPECT_EQ(hash_inputs({}, {}), "xxh3:2d06800538d394c2");
  EXPECT_EQ(hash_inputs({array_of<float>(0)}, {{nullptr}, nullptr}), "xxh3:2d06800538d394c2");
}

TEST(Hash, OfArraysIsTheHashOfTheirConcatenation) {
  std::vector<unsigned char> all(100'003);
  std::iota(all.begin(), all.end(), static_cast<unsigned char>(3));
  for (const std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{777}, all.size()}) {
    const std::vector<ArraySpec> extents{{cut, 1}, {all.size() - cut, 1}};
    const Arrays arrays{{all.data(), all.data() + cut}, nullptr};
    EXPECT_EQ(hash_inputs(extents, arrays), hash_inputs({{all.size(), 1}}, {{all.data()}, nullptr}))
        << cut;
  }
}

TEST(Hash, CountsBytesNotElements) {
  std::vector<double> values{1, 2, 3};
  const std::string before = hash_inputs({array_of<double>(3)}, {{values.data()}, nullptr});
  values[2] = 4;
  EXPECT_NE(hash_inputs({array_of<double>(3)}, {{values.data()}, nullptr}), before);
}

TEST(Hash, HasSixteenDigits) {
  std::vector<unsigned char> byte{0};
  for (int i = 0; i < 64; ++i) {
    byte[0] = static_cast<unsigned char>(i);
    const std::string text = hash_inputs({{1, 1}}, {{byte.data()}, nullptr});
    EXPECT_EQ(text.size(), 5 + 16U);
    EXPECT_EQ(text.find_first_not_of("0123456789abcdef", 5), std::string::npos);
  }
}

}  // namespace
}  // namespace bench
