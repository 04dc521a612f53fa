// Variants that cheat, break or slip. Each must be refused with its own reason, and must neither
// get a time nor harm the honest variants beside it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/clock.hpp"
#include "harness/runner.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using Call = std::function<void(const Arrays&)>;

/// In rounds of cold mode call 0 is the first verification, so this one is among the samples.
constexpr int while_measuring = 5;

struct Hostile {
  const char* name;
  const char* reason;
  Call (*make)(std::size_t n);
};

void PrintTo(const Hostile& hostile, std::ostream* stream) { *stream << hostile.name; }

Call does_nothing(std::size_t /*n*/) {
  return [](const Arrays&) {};
}

Call leaves_out_one(std::size_t n) {
  return [n](const Arrays& a) {
    for (std::size_t i = 0; i < n; ++i) {
      if (i != n / 3) a.output<float>()[i] = 2 * a.input<float>(0)[i];
    }
  };
}

Call writes_past_the_end(std::size_t n) {
  return [n](const Arrays& a) {
    doubled(a, n);
    a.output<float>()[n] = 1;
  };
}

Call writes_before_the_start(std::size_t n) {
  return [n](const Arrays& a) {
    doubled(a, n);
    a.output<float>()[-1] = 1;
  };
}

Call returns_nan(std::size_t n) {
  return [n](const Arrays& a) {
    doubled(a, n);
    a.output<float>()[n - 1] = std::numeric_limits<float>::quiet_NaN();
  };
}

Call replays(std::size_t n) {
  return [n, kept = std::vector<float>()](const Arrays& a) mutable {
    if (kept.empty()) {
      doubled(a, n);
      kept.assign(a.output<float>(), a.output<float>() + n);
    }
    std::copy(kept.begin(), kept.end(), a.output<float>());
  };
}

/// Honest until it is measured: a check before the rounds alone could not tell.
Call replays_once_it_is_measured(std::size_t n) {
  return [n, calls = 0, kept = std::vector<float>()](const Arrays& a) mutable {
    if (++calls <= 2) {
      doubled(a, n);
      kept.assign(a.output<float>(), a.output<float>() + n);
    }
    std::copy(kept.begin(), kept.end(), a.output<float>());
  };
}

Call wrong_later(std::size_t n) {
  return [n, calls = 0](const Arrays& a) mutable {
    doubled(a, n);
    if (++calls > while_measuring) a.output<float>()[n / 2] = 7;
  };
}

Call does_nothing_later(std::size_t n) {
  return [n, calls = 0](const Arrays& a) mutable {
    if (++calls <= while_measuring) doubled(a, n);
  };
}

Call throws(std::size_t /*n*/) {
  return [](const Arrays&) { throw std::runtime_error("no licence"); };
}

Call throws_later(std::size_t n) {
  return [n, calls = 0](const Arrays& a) mutable {
    doubled(a, n);
    if (++calls > while_measuring) throw std::runtime_error("licence expired");
  };
}

Call throws_amid_damage_later(std::size_t n) {
  return [n, calls = 0](const Arrays& a) mutable {
    doubled(a, n);
    if (++calls <= while_measuring) return;
    a.mutable_input<float>(0)[0] = 9;
    a.output<float>()[n] = 9;
    throw std::runtime_error("and leaves a mess");
  };
}

Call throws_a_number(std::size_t /*n*/) {
  return [](const Arrays&) { throw 42; };
}

Call throws_a_number_later(std::size_t n) {
  return [n, calls = 0](const Arrays& a) mutable {
    doubled(a, n);
    if (++calls > while_measuring) throw 42;
  };
}

Call writes_into_its_input(std::size_t n) {
  return [n](const Arrays& a) {
    doubled(a, n);
    a.mutable_input<float>(0)[n / 2] = 1.5;
  };
}

Call writes_into_its_input_later(std::size_t n) {
  return [n, calls = 0](const Arrays& a) mutable {
    doubled(a, n);
    if (++calls > while_measuring) a.mutable_input<float>(0)[n / 2] = 1.5;
  };
}

Call writes_past_the_end_later(std::size_t n) {
  return [n, calls = 0](const Arrays& a) mutable {
    doubled(a, n);
    if (++calls == while_measuring) a.output<float>()[n] = 1;
  };
}

Call stale(std::size_t n) {
  return [n, first = std::vector<float>()](const Arrays& a) mutable {
    const float* const in = a.input<float>(0);
    if (first.empty()) first.assign(in, in + n);
    const bool known = std::equal(first.begin(), first.end(), in);
    for (std::size_t i = 0; i < n; ++i) a.output<float>()[i] = known ? 2 * in[i] : in[i];
  };
}

constexpr Hostile hostiles[] = {
    {"does_nothing", "wrote nothing: the output still holds the poison", does_nothing},
    {"leaves_out_one", "left out 1 of 1000 elements, the first at index 333", leaves_out_one},
    {"writes_past_the_end", "wrote past the end of an array", writes_past_the_end},
    {"writes_before_the_start", "wrote before the start of an array", writes_before_the_start},
    {"returns_nan", "1 of 1000 elements are wrong, the first at index 999: NaN instead of",
     returns_nan},
    {"replays", "replayed an earlier answer", replays},
    {"wrong_later",
     "right at first, but not while measured: 1 of 1000 elements are wrong, the first at index "
     "500: 7 instead of",
     wrong_later},
    {"does_nothing_later", "right at first, but not while measured: wrote nothing",
     does_nothing_later},
    {"throws", "threw: no licence", throws},
    {"throws_later", "right at first, but not while measured: threw: licence expired",
     throws_later},
    {"throws_amid_damage_later", "right at first, but not while measured: threw: and leaves a mess",
     throws_amid_damage_later},
    {"throws_a_number", "threw: something that is no std::exception", throws_a_number},
    {"throws_a_number_later",
     "right at first, but not while measured: threw: something that is no std::exception",
     throws_a_number_later},
    {"writes_into_its_input", "wrote into its input", writes_into_its_input},
    {"writes_into_its_input_later", "right at first, but not while measured: wrote into its input",
     writes_into_its_input_later},
    {"writes_past_the_end_later",
     "right at first, but not while measured: wrote past the end of an array",
     writes_past_the_end_later},
    {"stale", "on other inputs: 1000 of 1000 elements are wrong", stale},
};

Planted honest_and(Call (*make)(std::size_t)) {
  return [make](std::size_t n) {
    std::vector<Rung> rungs = honest(n);
    rungs.push_back({"serial", "hostile", "cheats alone", make(n)});
    rungs.push_back({"openmp", "hostile", "cheats with threads", make(n)});
    return rungs;
  };
}

void expect_refused(const Group& group, const std::string& path, const std::string& reason) {
  const Case& result = find_case(group, path);
  EXPECT_EQ(result.status, "failed") << path;
  EXPECT_EQ(result.reason.rfind(reason, 0), 0U) << path << ": " << result.reason;
  EXPECT_TRUE(result.timing.samples.empty()) << path;

  const Tables tables = tables_of(group);
  const Json as_case = find_row(tables.cases, path);
  EXPECT_EQ(as_case.at("status"), "failed");
  EXPECT_EQ(as_case.at("reason"), result.reason);
  for (const char* key : {"seconds", "batch", "rounds", "gb_per_s", "share_of_copy"}) {
    EXPECT_TRUE(as_case.at(key).is_null()) << key;
  }
  if (!as_case.at("verification").is_null()) {
    EXPECT_EQ(as_case.at("verification").at("passed"), false);
  }
  const Json speedup = find_row(tables.speedups, path);
  for (const char* key : {"seconds", "over_serial", "over_best_cpu", "share_of_copy"}) {
    EXPECT_TRUE(speedup.at(key).is_null()) << key;
  }
  EXPECT_EQ(speedup.at("status"), "failed");
  EXPECT_EQ(speedup.at("reason"), result.reason);
  for (const Json& row : tables.benchmarks) EXPECT_NE(row.at("name"), result.name);
}

void expect_unharmed(const Group& group, const std::set<std::string>& paths) {
  const Tables tables = tables_of(group);
  for (const std::string& path : paths) {
    const Case& result = find_case(group, path);
    EXPECT_EQ(result.status, "measured") << path << ": " << result.reason;
    EXPECT_GE(result.timing.samples.size(), Settings::min_samples) << path;
    EXPECT_TRUE(find_row(tables.speedups, path).at("over_serial").is_object()) << path;
  }
}

class EachHostile : public testing::TestWithParam<Hostile> {};

TEST_P(EachHostile, IsRefused) {
  const Group group = measure_twice(quick(), honest_and(GetParam().make));
  expect_refused(group, "twice/serial/hostile", GetParam().reason);
  expect_refused(group, "twice/openmp/hostile", GetParam().reason);
  expect_unharmed(group, {"twice/serial/naive", "twice/serial/other", "twice/openmp/naive",
                          "copying/serial/naive", "copying/openmp/naive"});
}

TEST_P(EachHostile, IsRefusedInHotMode) {
  Settings hot = quick();
  hot.cache = CacheMode::hot;
  const Group group = measure_twice(hot, honest_and(GetParam().make));
  // The trial runs that choose the batch take many calls, so that what a variant does later may
  // come to light at another place, with the same reason.
  expect_refused(group, "twice/serial/hostile", GetParam().reason);
  expect_refused(group, "twice/openmp/hostile", GetParam().reason);
  expect_unharmed(group, {"twice/serial/naive", "twice/serial/other", "twice/openmp/naive",
                          "copying/serial/naive", "copying/openmp/naive"});
}

TEST_P(EachHostile, IsRefusedAsBaselineAndThenThereIsNone) {
  const Group group = measure_twice(quick(), [](std::size_t n) {
    std::vector<Rung> rungs = honest(n);
    rungs.front().run = GetParam().make(n);
    return rungs;
  });
  expect_refused(group, "twice/serial/naive", GetParam().reason);
  const Tables tables = tables_of(group);
  for (const char* path : {"twice/serial/other", "twice/openmp/naive"}) {
    const Json speedup = find_row(tables.speedups, path);
    EXPECT_EQ(speedup.at("status"), "measured");
    EXPECT_TRUE(speedup.at("over_serial").is_null());
    EXPECT_EQ(speedup.at("reason"), "no baseline: serial/naive was not measured");
    EXPECT_TRUE(speedup.at("over_best_cpu").is_object());
  }
  expect_unharmed(group, {"copying/serial/naive", "copying/openmp/naive"});
}

TEST_P(EachHostile, IsNotVerified) {
  const Settings settings = quick();
  const Group group =
      verify(planned_twice(settings, honest_and(GetParam().make)), settings, [](auto&&...) {});
  const Case& result = find_case(group, "twice/serial/hostile");
  EXPECT_EQ(find_case(group, "twice/serial/naive").status, "verified");
  // Without rounds there is no later.
  const std::string later = "right at first, but not while measured: ";
  const std::string name = GetParam().name;
  if (std::string(GetParam().reason).starts_with(later) || name == "replays_once_it_is_measured") {
    EXPECT_EQ(result.status, "verified") << result.reason;
  } else {
    EXPECT_EQ(result.status, "failed");
    EXPECT_EQ(result.reason.rfind(GetParam().reason, 0), 0U) << result.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Hostile, EachHostile, testing::ValuesIn(hostiles),
                         [](const auto& hostile) { return std::string(hostile.param.name); });

TEST(HostileTest, AllAtOnceHaveReasonsOfTheirOwn) {
  const Group group = measure_twice(quick(), [](std::size_t n) {
    std::vector<Rung> rungs = honest(n);
    for (const Hostile& hostile : hostiles) {
      rungs.push_back({"serial", hostile.name, "", hostile.make(n)});
    }
    return rungs;
  });
  std::set<std::string> reasons;
  for (const Hostile& hostile : hostiles) {
    const std::string path = std::string("twice/serial/") + hostile.name;
    expect_refused(group, path, hostile.reason);
    reasons.insert(find_case(group, path).reason);
  }
  EXPECT_EQ(reasons.size(), std::size(hostiles));
  expect_unharmed(group, {"twice/serial/naive", "twice/serial/other", "twice/openmp/naive",
                          "copying/serial/naive", "copying/openmp/naive"});
}

TEST(HostileTest, AnAnswerKeptOnlyWhileMeasuringIsARepeatedOneToo) {
  const Group group = measure_twice(quick(), honest_and(replays_once_it_is_measured));
  expect_refused(group, "twice/serial/hostile", "replayed an earlier answer");
  expect_unharmed(group, {"twice/serial/naive", "twice/openmp/naive"});
}

TEST(HostileTest, TheWarmUpRunOfHotModeDoesNotStandInForTheTimedOne) {
  Settings hot = quick();
  hot.cache = CacheMode::hot;
  // Works in every other run: the first one, which is checked, and then the warm-up runs only. It
  // takes so long that a sample is a single run.
  const Group group = measure_twice(hot, [](std::size_t n) {
    std::vector<Rung> rungs = honest(n);
    rungs.push_back({"serial", "hostile", "", [n, calls = 0](const Arrays& a) mutable {
                       if (calls++ % 2 == 0) doubled(a, n);
                       const Stopwatch stopwatch;
                       while (stopwatch.seconds() < 30e-6) {
                       }
                     }});
    return rungs;
  });
  expect_refused(group, "twice/serial/hostile",
                 "right at first, but not while measured: wrote nothing");
}

TEST(HostileTest, WritingIntoAnInputInAFewSamplesOnlyIsNoticed) {
  const Group group = measure_twice(quick(), [](std::size_t n) {
    std::vector<Rung> rungs = honest(n);
    rungs.push_back({"serial", "hostile", "", [n, calls = 0](const Arrays& a) mutable {
                       doubled(a, n);
                       ++calls;
                       if (calls == 4 || calls == 5) a.mutable_input<float>(0)[0] = 9;
                     }});
    return rungs;
  });
  expect_refused(group, "twice/serial/hostile",
                 "right at first, but not while measured: wrote into its input");
  expect_unharmed(group, {"twice/serial/naive", "twice/serial/other", "twice/openmp/naive"});
}

TEST(HostileTest, DamageFarFromTheArrayIsNoticed) {
  const Group group = measure_twice(quick(), [](std::size_t n) {
    std::vector<Rung> rungs = honest(n);
    rungs.push_back({"serial", "far_behind", "", [n](const Arrays& a) {
                       doubled(a, n);
                       a.output<unsigned char>()[n * sizeof(float) + 4095] = 0;
                     }});
    rungs.push_back({"serial", "far_before", "", [n](const Arrays& a) {
                       doubled(a, n);
                       a.output<unsigned char>()[-4096] = 0;
                     }});
    rungs.push_back({"serial", "behind_the_input", "", [n](const Arrays& a) {
                       doubled(a, n);
                       a.mutable_input<float>(0)[n] = 0;
                     }});
    return rungs;
  });
  expect_refused(group, "twice/serial/far_behind", "wrote past the end of an array (4095 bytes");
  expect_refused(group, "twice/serial/far_before", "wrote before the start of an array (4096 byte");
  expect_refused(group, "twice/serial/behind_the_input", "wrote past the end of an array (0 byte");
  expect_unharmed(group, {"twice/serial/naive", "twice/openmp/naive"});
}

TEST(HostileTest, RunningOutOfMemoryInAVariantIsItsOwnFailure) {
  const Group group = measure_twice(quick(), [](std::size_t n) {
    std::vector<Rung> rungs = honest(n);
    rungs.push_back({"serial", "hungry", "", [](const Arrays&) { throw std::bad_alloc(); }});
    return rungs;
  });
  expect_refused(group, "twice/serial/hungry", "threw: std::bad_alloc");
  expect_unharmed(group, {"twice/serial/naive", "twice/openmp/naive"});
}

}  // namespace
}  // namespace bench::test
