#include "harness/base/packed.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace bench::test {

struct Packed {
  std::string name;
  std::map<std::string, std::vector<double>> values;
  std::optional<int> number;
  std::set<std::string> words;
  Json json;
  bool operator==(const Packed&) const = default;
};
auto members(Packed& one) {
  return std::tie(one.name, one.values, one.number, one.words, one.json);
}
auto members(const Packed& one) {
  return std::tie(one.name, one.values, one.number, one.words, one.json);
}

namespace {

TEST(PackedValues, ComeBackAsTheyWereAndNotFromFewerBytes) {
  const std::vector<Packed> all = {
      {"a", {{"x", {1, 2.5}}, {"", {}}}, 7, {"b", "c"}, {{"k", {1, nullptr, "v"}}}}, {}};
  std::string text;
  packed::put(text, all);
  for (std::size_t size = 0; size < text.size(); ++size) {
    std::string_view cut = std::string_view(text).substr(0, size);
    EXPECT_ANY_THROW(packed::get<std::vector<Packed>>(cut)) << size;
  }
  std::string_view left = text;
  EXPECT_EQ(packed::get<std::vector<Packed>>(left), all);
  EXPECT_TRUE(left.empty());
}

}  // namespace
}  // namespace bench::test
