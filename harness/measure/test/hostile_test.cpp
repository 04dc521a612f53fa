// Variants that cheat, break or slip. Each must be refused with its own reason, and must neither
// get a time nor harm the honest variants next to it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/document/doubt.hpp"
#include "harness/document/test/records.hpp"
#include "harness/measure/runner.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using Call = std::function<void(const Arrays&)>;

/// A call while samples are taken: in rounds of cold mode call 0 is the first verification, so this
/// one is among the samples.
constexpr int while_measuring = 5;

constexpr const char* later = "right at first, but not while measured: ";

struct Hostile {
  const char* name;
  const char* reason;  ///< begins so
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

// What a timed run may look at to see whether it has to work: each is wrong as soon as an input or
// the output differs where it does not look.

/// Answers by what the first call computed while `same(inputs, output)` says that nothing is new.
template <class Same>
Call replays_while(std::size_t n, Same same) {
  return
      [n, same, seen = std::vector<float>(), kept = std::vector<float>()](const Arrays& a) mutable {
        const float* const in = a.input<float>(0);
        if (seen.empty() || !same(seen.data(), in)) {
          doubled(a, n);
          seen.assign(in, in + n);
          kept.assign(a.output<float>(), a.output<float>() + n);
        }
        std::copy(kept.begin(), kept.end(), a.output<float>());
      };
}

Call replays_by_three_inputs(std::size_t n) {
  return replays_while(n, [n](const float* seen, const float* in) {
    return seen[0] == in[0] && seen[n / 2] == in[n / 2] && seen[n - 1] == in[n - 1];
  });
}

Call replays_by_a_fingerprint(std::size_t n) {
  return replays_while(n, [n](const float* seen, const float* in) {
    for (std::size_t i = 0; i < n; i += n / 8) {
      if (seen[i] != in[i]) return false;
    }
    return true;
  });
}

/// Leaves elements as they are where this one of each `step` holds no poison.
Call works_where_poisoned(std::size_t n, std::size_t first, std::size_t step) {
  return [=](const Arrays& a) {
    float* const out = a.output<float>();
    for (std::size_t begin = 0; begin < n; begin += step) {
      const std::size_t end = std::min(n, begin + step);
      if (!is_poison(out[std::min(begin + first, end - 1)])) continue;
      for (std::size_t i = begin; i < end; ++i) out[i] = 2 * a.input<float>(0)[i];
    }
  };
}

Call works_where_the_first_is_poisoned(std::size_t n) { return works_where_poisoned(n, 0, n); }
Call works_where_the_last_is_poisoned(std::size_t n) { return works_where_poisoned(n, n - 1, n); }
Call works_where_a_line_is_poisoned(std::size_t n) { return works_where_poisoned(n, 0, 16); }

/// Returns where a few results are right already.
Call works_where_results_are_wrong(std::size_t n) {
  return [n](const Arrays& a) {
    const auto right = [&](std::size_t i) {
      return a.output<float>()[i] == 2 * a.input<float>(0)[i];
    };
    if (!right(0) || !right(n / 2) || !right(n - 1)) doubled(a, n);
  };
}

/// Has the answer of the next call ready, from inputs that may no longer be those.
Call computes_ahead(std::size_t n) {
  return [n, ready = std::vector<float>()](const Arrays& a) mutable {
    if (ready.empty()) {
      doubled(a, n);
    } else {
      std::copy(ready.begin(), ready.end(), a.output<float>());
    }
    // Stands for a thread that does this while nobody is timed.
    ready.resize(n);
    for (std::size_t i = 0; i < n; ++i) ready[i] = 2 * a.input<float>(0)[i];
  };
}

/// Honest wherever they are only verified: they save work where somebody looks at the clock.
struct Saver {
  const char* name;
  Call (*make)(std::size_t n);
};
constexpr Saver savers[] = {
    {"replays_by_three_inputs", replays_by_three_inputs},
    {"replays_by_a_fingerprint", replays_by_a_fingerprint},
    {"works_where_the_first_is_poisoned", works_where_the_first_is_poisoned},
    {"works_where_the_last_is_poisoned", works_where_the_last_is_poisoned},
    {"works_where_a_line_is_poisoned", works_where_a_line_is_poisoned},
    {"works_where_results_are_wrong", works_where_results_are_wrong},
};

constexpr Hostile hostiles[] = {
    {"does_nothing", "wrote nothing, or added to what was there: the output is not zero at first",
     does_nothing},
    {"leaves_out_one", "left out 1 of 1000 elements, the first at index 333", leaves_out_one},
    {"writes_past_the_end", "wrote past the end of an array", writes_past_the_end},
    {"writes_before_the_start", "wrote before the start of an array", writes_before_the_start},
    {"returns_nan", "1 of 1000 elements are wrong, the first at index 999: NaN instead of",
     returns_nan},
    {"replays", "replayed an earlier answer", replays},
    {"wrong_later", "right at first, but not while measured: ", wrong_later},
    {"does_nothing_later", "right at first, but not while measured: wrote nothing",
     does_nothing_later},
    {"throws", "threw: no licence", throws},
    {"throws_later", "right at first, but not while measured: threw: licence expired",
     throws_later},
    {"throws_amid_damage_later", "right at first, but not while measured: threw: and leaves a mess",
     throws_amid_damage_later},
    {"throws_a_number", "threw: something that is not a std::exception", throws_a_number},
    {"throws_a_number_later",
     "right at first, but not while measured: threw: something that is not a std::exception",
     throws_a_number_later},
    {"writes_into_its_input", "wrote into its input", writes_into_its_input},
    {"writes_into_its_input_later", "right at first, but not while measured: wrote into its input",
     writes_into_its_input_later},
    {"writes_past_the_end_later",
     "right at first, but not while measured: wrote past the end of an array",
     writes_past_the_end_later},
    {"stale", "right at first, but not while measured: ", stale},
};

Planted honest_and(Call (*make)(std::size_t)) {
  return [make](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    rungs.push_back({"serial", "hostile", "cheats alone", make(n)});
    rungs.push_back({"openmp", "hostile", "cheats with threads", make(n)});
    return rungs;
  };
}

void expect_refused(const Group& group, const std::string& path, const std::string& reason) {
  const Case& result = find_case(group, path);
  EXPECT_EQ(result.status, Status::failed) << path;
  EXPECT_EQ(result.reason.text.rfind(reason, 0), 0U) << path << ": " << result.reason;
  EXPECT_TRUE(result.timing.samples.empty()) << path;

  const Tables tables = tables_of(group);
  const Json as_case = find_row(tables.cases, path);
  EXPECT_EQ(as_case.at("status"), "failed");
  EXPECT_EQ(as_case.at("reason"), result.reason.text);
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
  EXPECT_EQ(speedup.at("reason"), result.reason.text);
  for (const Json& row : tables.benchmarks) EXPECT_NE(row.at("name"), result.name);
}

void expect_unharmed(const Group& group, const std::set<std::string>& paths) {
  const Tables tables = tables_of(group);
  for (const std::string& path : paths) {
    const Case& result = find_case(group, path);
    EXPECT_EQ(result.status, Status::measured) << path << ": " << result.reason;
    EXPECT_GE(result.timing.samples.size(), least_samples) << path;  // of slow ones on a busy node
    EXPECT_TRUE(find_row(tables.speedups, path).at("over_serial").is_object()) << path;
  }
}

class EachHostile : public testing::TestWithParam<Hostile> {};

TEST_P(EachHostile, IsRefused) {
  const Group group = measure_twice(quick(), honest_and(GetParam().make));
  expect_refused(group, "twice/serial/hostile", GetParam().reason);
  expect_refused(group, "twice/openmp/hostile", GetParam().reason);
  expect_unharmed(group, {"twice/serial/naive", "twice/serial/other", "twice/openmp/naive",
                          "copy/serial/naive", "copy/openmp/naive"});
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
                          "copy/serial/naive", "copy/openmp/naive"});
}

TEST_P(EachHostile, IsRefusedAsBaselineAndThenThereIsNone) {
  const Group group = measure_twice(quick(), [](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
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
  expect_unharmed(group, {"copy/serial/naive", "copy/openmp/naive"});
}

TEST_P(EachHostile, IsNotVerified) {
  const Settings settings = quick();
  const Group group =
      verify(planned_twice(settings, honest_and(GetParam().make)), settings, [](auto&&...) {});
  const Case& result = find_case(group, "twice/serial/hostile");
  EXPECT_EQ(find_case(group, "twice/serial/naive").status, std::nullopt);
  // Without rounds there is no later.
  if (std::string(GetParam().name) == "stale") {
    expect_contains(result.reason, "on other inputs: 1000 of 1000 elements are wrong");
  } else if (std::string(GetParam().reason).starts_with(later)) {
    EXPECT_EQ(result.status, std::nullopt) << result.reason;
  } else {
    EXPECT_EQ(result.status, Status::failed);
    EXPECT_EQ(result.reason.text.rfind(GetParam().reason, 0), 0U) << result.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Hostile, EachHostile, testing::ValuesIn(hostiles),
                         [](const auto& hostile) { return std::string(hostile.param.name); });

TEST(HostileTest, AllAtOnceHaveReasonsOfTheirOwn) {
  const Group group = measure_twice(quick(), [](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    for (const Hostile& hostile : hostiles) {
      rungs.push_back({"serial", hostile.name, "", hostile.make(n)});
    }
    return rungs;
  });
  std::set<std::string> reasons;
  for (const Hostile& hostile : hostiles) {
    const std::string path = std::string("twice/serial/") + hostile.name;
    expect_refused(group, path, hostile.reason);
    reasons.insert(find_case(group, path).reason.text);
  }
  EXPECT_EQ(reasons.size(), std::size(hostiles));
  expect_unharmed(group, {"twice/serial/naive", "twice/serial/other", "twice/openmp/naive",
                          "copy/serial/naive", "copy/openmp/naive"});
}

TEST(HostileTest, AnAnswerKeptOnlyWhileMeasuringIsARepeatedOneToo) {
  const Group group = measure_twice(quick(), honest_and(replays_once_it_is_measured));
  expect_refused(group, "twice/serial/hostile", later);
  expect_unharmed(group, {"twice/serial/naive", "twice/openmp/naive"});
}

TEST(HostileTest, AnAnswerThatWasReadyBeforeTheCallIsARepeatedOne) {
  for (const CacheMode mode : {CacheMode::cold, CacheMode::hot}) {
    Settings settings = quick();
    settings.cache = mode;
    const Group group = measure_twice(settings, honest_and(computes_ahead));
    expect_refused(group, "twice/serial/hostile", "replayed an earlier answer");
    expect_unharmed(group, {"twice/serial/naive", "twice/openmp/naive"});
  }
}

/// Counts the calls in which `call` changed something of what it found in the output.
struct Busy {
  std::size_t calls = 0;
  std::size_t busy = 0;

  Call watch(Call call, std::size_t n) {
    return [this, call = std::move(call), n](const Arrays& a) {
      const std::vector<float> before(a.output<float>(), a.output<float>() + n);
      call(a);
      ++calls;
      if (std::memcmp(before.data(), a.result, n * sizeof(float)) != 0) ++busy;
    };
  }
};

class EachSaver : public testing::TestWithParam<Saver> {};

TEST_P(EachSaver, HasToWorkInEveryTimedRunOrIsRefused) {
  Busy watched;
  const Group group = measure_twice(quick(), [&](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    rungs.push_back({"serial", "saver", "", watched.watch(GetParam().make(n), n)});
    return rungs;
  });
  const Case& saver = find_case(group, "twice/serial/saver");
  if (saver.status == Status::measured) {
    EXPECT_EQ(watched.busy, watched.calls);
  } else {
    EXPECT_EQ(saver.status, Status::failed) << saver.reason;
  }
  const bool replays = std::string(GetParam().name).starts_with("replays");
  EXPECT_EQ(saver.status, replays ? Status::failed : Status::measured) << saver.reason;
  expect_unharmed(group, {"twice/serial/naive", "twice/openmp/naive"});
}

TEST_P(EachSaver, IsRefusedInHotMode) {
  Settings hot = quick();
  hot.cache = CacheMode::hot;
  const Group group = measure_twice(hot, honest_and(GetParam().make));
  EXPECT_EQ(find_case(group, "twice/serial/hostile").status, Status::failed);
  expect_unharmed(group, {"twice/serial/naive", "twice/openmp/naive"});
}

INSTANTIATE_TEST_SUITE_P(Hostile, EachSaver, testing::ValuesIn(savers),
                         [](const auto& saver) { return std::string(saver.param.name); });

/// The timed runs are checked as well if every result of a workload takes all of the input.
TEST(HostileTest, ACountThatIsRepeatedIsNoticed) {
  planted() = honest;
  for (const CacheMode mode : {CacheMode::cold, CacheMode::hot}) {
    Settings settings = quick();
    settings.filters = {"counting/serial"};
    settings.cache = mode;
    settings.sizes = {"100000"};  // the first element is hardly ever among those that change
    const auto workloads = registry();
    PlannedGroup planned = std::move(plan(workloads, settings).front());
    const auto honestly = planned.cases.front().run;
    std::vector<std::uint32_t> kept;
    float first = 0;
    planned.cases.front().run = [&](const Arrays& a) {
      auto* const counts = a.output<std::uint32_t>();
      if (kept.empty() || a.input<float>(0)[0] != first) {
        honestly(a);
        first = a.input<float>(0)[0];
        kept.assign(counts, counts + 16);
      }
      std::copy(kept.begin(), kept.end(), counts);
    };
    const Group group = measure(planned, settings);
    EXPECT_EQ(find_case(group, "counting/serial/naive").status, Status::failed);
  }
}

TEST(HostileTest, TheWarmUpRunOfHotModeDoesNotStandInForTheTimedOne) {
  Settings hot = quick();
  hot.cache = CacheMode::hot;
  // Works in every other run: the first one, which is checked, and then the warm-up runs only. It
  // takes so long that a sample is a single run.
  const Group group = measure_twice(hot, [](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
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
    std::vector<BoundVariant> rungs = honest(n);
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
    std::vector<BoundVariant> rungs = honest(n);
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
    rungs.push_back({"serial", "what_is_behind_the_input", "", [n](const Arrays& a) {
                       doubled(a, n);
                       std::copy_n(a.input<float>(0) + n, 1, a.output<float>() + n);
                     }});
    rungs.push_back({"serial", "what_is_before_the_output", "", [n](const Arrays& a) {
                       doubled(a, n);
                       std::copy_n(a.output<float>() - 1, 1, a.output<float>() + n);
                     }});
    return rungs;
  });
  expect_refused(group, "twice/serial/far_behind",
                 "wrote past the end of an array (byte 4096 after it): the output");
  expect_refused(group, "twice/serial/far_before",
                 "wrote before the start of an array (byte 4096 b");
  expect_refused(group, "twice/serial/behind_the_input",
                 "wrote past the end of an array (byte 1 after it): input 0");
  for (const char* name : {"what_is_behind_the_input", "what_is_before_the_output"}) {
    expect_refused(group, fmt::format("twice/serial/{}", name),
                   "wrote past the end of an array (byte 1 after it): the output");
  }
  expect_unharmed(group, {"twice/serial/naive", "twice/openmp/naive"});
}

TEST(HostileTest, RunningOutOfMemoryInAVariantIsItsOwnFailure) {
  const Group group = measure_twice(quick(), [](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    rungs.push_back({"serial", "hungry", "", [](const Arrays&) { throw std::bad_alloc(); }});
    return rungs;
  });
  expect_refused(group, "twice/serial/hungry", "threw: std::bad_alloc");
  expect_unharmed(group, {"twice/serial/naive", "twice/openmp/naive"});
}

}  // namespace
}  // namespace bench::test
