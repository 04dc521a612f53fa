#include "harness/measure/in_cache.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "harness/measure/test/fakes.hpp"

namespace bench::test {
namespace {

/// Its clock shows a launch and so much for each element.
class Launching final : public Place {
 public:
  Launching(double launch, double rest) : launch_(launch), rest_(rest) {}

  double seconds(const Run& /*run*/, std::size_t calls) override {
    return static_cast<double>(calls) * (launch_ + rest_);
  }
  double clock_floor() const override { return 0; }
  double batch_seconds() const override { return 1e-6; }
  std::optional<double> waited() const override { return {}; }
  void poison_output() override {}
  void poison_output(const std::vector<Piece>& /*some*/) override {}
  void empty_caches() override {}
  std::optional<Reason> repair_guards() override { return {}; }
  std::optional<Reason> repair_inputs() override { return {}; }

 private:
  double launch_;
  double rest_;
};

constexpr double launch = 3e-6;
constexpr double per_element = 1e-9;
constexpr double elements = 1'000'000;

InCacheRun planned(std::size_t n) {
  InCacheRun run;
  run.problem = std::make_shared<TwiceProblem>(Shape{.cols = n});
  run.run = [](const Arrays&) {};
  run.scale = elements / static_cast<double>(n);
  return run;
}

std::unique_ptr<InCache> of(const InCacheRun& run, std::unique_ptr<InCache> half = nullptr) {
  const double rest = per_element * elements / run.scale;
  return std::make_unique<InCache>(run, std::make_unique<Launching>(launch, rest), Arrays{},
                                   std::move(half));
}

TEST(InCache, IsAsLongAsAsManyElementsTake) {
  const InCacheRun run = planned(10'000);
  EXPECT_NEAR(of(run)->sample(), 100 * (launch + 10'000 * per_element), 1e-9);
}

TEST(InCache, OfTwoSizesIsWithoutTheLaunch) {
  const InCacheRun run = planned(10'000);
  for (const std::size_t fewer : {std::size_t{5'000}, std::size_t{2'500}}) {
    const InCacheRun half = planned(fewer);
    EXPECT_NEAR(of(run, of(half))->sample(), elements * per_element, 1e-9) << fewer;
  }
}

TEST(InCache, IsNotKnownWhereItIsLostInNoise) {
  const InCacheRun run = planned(10'000);
  const InCacheRun half = planned(5'000);
  const auto sound = of(run, of(half));
  sound->sample();
  EXPECT_TRUE(sound->known());
  auto slower = std::make_unique<InCache>(half, std::make_unique<Launching>(1, 0), Arrays{});
  InCache lost(run, std::make_unique<Launching>(launch, 0), Arrays{}, std::move(slower));
  EXPECT_GT(lost.sample(), 0);
  EXPECT_FALSE(lost.known());
}

}  // namespace
}  // namespace bench::test
