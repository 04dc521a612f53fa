#include "harness/compare/slow_links.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "harness/compare/health_text.hpp"

namespace bench::test {
namespace {

/// All links of some GPUs, up to 2 % from each other. `factor` of a pair: how much longer than the
/// others it takes; -1 is the host.
template <class Factor>
std::vector<LinkTimes> links_of(int gpus, unsigned seed, const Factor& factor) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> noise(0.99, 1.01);
  std::vector<LinkTimes> all;
  const auto add = [&](Way way, int from, int to) {
    LinkTimes link{way, fmt::format("GPU {}", from), "", 1 << 20, {}};
    if (to >= 0) link.to = fmt::format("GPU {}", to);
    const double seconds = 1e-3 * noise(random) * factor(from, to);
    for (int i = 0; i < 9; ++i) link.seconds.push_back(seconds * noise(random));
    all.push_back(std::move(link));
  };
  for (int a = 0; a < gpus; ++a) {
    add(Way::to_device, a, -1);
    add(Way::from_device, a, -1);
    for (int b = 0; b < gpus; ++b) {
      if (a != b) add(Way::between_devices, a, b);
    }
  }
  return all;
}

Health links_found_in(const std::vector<LinkTimes>& links) {
  Health found{HealthWord::ok, {}, {}};
  add_slow_links(found, links, 0.1);
  return found;
}

TEST(SlowLinks, OfEqualGpusNothingIsSaid) {
  for (const int gpus : {1, 2, 3, 4, 8}) {
    for (unsigned seed = 0; seed < 100; ++seed) {
      const Health found = links_found_in(links_of(gpus, seed, [](int, int) { return 1; }));
      EXPECT_TRUE(found.parts.empty()) << gpus << ' ' << found.parts.front().name;
      EXPECT_EQ(found.word, HealthWord::ok);
    }
  }
}

TEST(SlowLinks, AGpuWhoseLinksAreSlowIsUnclear) {
  for (const int gpus : {3, 4, 8}) {
    const Health found = links_found_in(links_of(
        gpus, 1, [](int from, int to) { return to >= 0 && (from == 2 || to == 2) ? 1.6 : 1; }));
    ASSERT_EQ(found.parts.size(), 1U) << gpus;
    EXPECT_EQ(found.word, HealthWord::unclear);
    EXPECT_NEAR(found.parts[0].ratio.value, 1.6, 0.05);
    EXPECT_LT(found.parts[0].slow_from, 1.6);
    const std::string line = health_line("n17", found, 9);
    EXPECT_TRUE(line.starts_with("n17 UNCLEAR GPU 2 device to device 1.")) << line;
    EXPECT_TRUE(line.ends_with("] of the other GPUs; 9 s")) << line;
  }
}

TEST(SlowLinks, ASlowWayToTheHostIsAPart) {
  const Health found =
      links_found_in(links_of(4, 1, [](int from, int to) { return from == 0 && to < 0 ? 2 : 1; }));
  ASSERT_EQ(found.parts.size(), 2U);
  EXPECT_EQ(found.parts[0].name.substr(0, 6), "GPU 0 ");
  EXPECT_EQ(found.parts[1].name.substr(0, 6), "GPU 0 ");
}

/// Four GPUs of which two pairs have a bridge; eight in two groups of four.
TEST(SlowLinks, BoardsWhosePairsDifferAreSound) {
  const auto bridged = [](int from, int to) { return to >= 0 && from / 2 == to / 2 ? 0.2 : 1; };
  EXPECT_TRUE(links_found_in(links_of(4, 1, bridged)).parts.empty());
  const auto grouped = [](int from, int to) { return to >= 0 && from / 4 != to / 4 ? 2 : 1; };
  EXPECT_TRUE(links_found_in(links_of(8, 1, grouped)).parts.empty());
}

}  // namespace
}  // namespace bench::test
