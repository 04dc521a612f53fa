#include "harness/measure/runner.hpp"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/base/reason.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/plan/hash.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// Every live case has as many samples as the others; returns how many.
std::size_t rounds_of(const Group& group) {
  std::set<std::size_t> counts;
  for (const Case& result : group.cases) {
    if (result.measured()) counts.insert(result.timing.samples.size());
  }
  EXPECT_EQ(counts.size(), 1U);
  return counts.empty() ? 0 : *counts.begin();
}

TEST(Runner, HoldsTheSameBitsAgainstTheDefinitionOnce) {
  whole_checks() = 0;
  const Group group = measure_twice(quick(), honest);
  const auto cases = static_cast<std::size_t>(std::count_if(
      group.cases.begin(), group.cases.end(), [](const Case& one) { return one.measured(); }));
  ASSERT_EQ(cases, 5U);
  // Of the workload and of the copy: on the first inputs, on those of the last round, on others.
  EXPECT_EQ(whole_checks(), 2 + 2 + 2);
}

Stop stop_of(const Group& group) { return find_case(group, "twice/serial/naive").timing.stop; }

TEST(Runner, MeasuresEachCaseEquallyOftenAndRecordsIt) {
  const Group group = measure_twice(quick(), honest);
  EXPECT_EQ(group.workload, "twice");
  EXPECT_EQ(group.dtype, Dtype::f32);
  EXPECT_EQ(group.size, "1000");
  EXPECT_GE(rounds_of(group), Settings::min_samples);
  EXPECT_LE(rounds_of(group), 12U);
  for (const Case& result : group.cases) {
    if (result.backend == "cuda") continue;
    EXPECT_EQ(result.status, Status::measured) << result.name << ": " << result.reason;
    EXPECT_EQ(result.reason, "");
    EXPECT_EQ(result.timing.batch, 1U);
    ASSERT_TRUE(result.first_use_s) << result.name;
    EXPECT_GE(*result.first_use_s, 0);
    ASSERT_TRUE(result.verdict);
    EXPECT_TRUE(result.verdict->passed);
    EXPECT_EQ(result.verdict->max_error, 0);
    for (const double seconds : result.timing.samples) {
      EXPECT_TRUE(std::isfinite(seconds));
      EXPECT_GE(seconds, 0);
    }
  }
}

TEST(Runner, HashesTheInputsThatAreMeasured) {
  std::vector<float> input(1000);
  NumpyRandom(42).uniform(input.data(), input.size(), 1, 2);
  const std::string expected = hash_inputs({array_of<float>(1000)}, {{input.data()}, nullptr});
  EXPECT_EQ(measure_twice(quick(), honest).input_hash, expected);
  EXPECT_EQ(verify(planned_twice(quick(), honest), quick()).input_hash, expected);
  Settings other = quick();
  other.seed = 43;
  EXPECT_NE(measure_twice(other, honest).input_hash, expected);
}

TEST(Runner, StopsAtMaxSamplesEvenBelowTheUsualLeast) {
  for (const std::size_t most : {1U, 2U, 3U, 8U, 9U, 11U}) {
    Settings settings = quick();
    settings.max_samples = most;
    settings.min_seconds = settings.max_seconds = 1000;  // no other reason can come first
    const Group group = measure_twice(settings, honest);
    EXPECT_EQ(rounds_of(group), most);
    EXPECT_EQ(stop_of(group), Stop::max_samples);
  }
}

TEST(Runner, StopsAtMaxTimeAsSoonAsThereAreEnoughRounds) {
  Settings settings = quick();
  settings.max_samples = 100;
  settings.max_seconds = 0;
  const Group group = measure_twice(settings, honest);
  EXPECT_EQ(rounds_of(group), Settings::min_samples);
  EXPECT_EQ(stop_of(group), Stop::max_time);
}

TEST(Runner, RunsEachVariantOncePerSampleAndForEachCheck) {
  Settings settings = quick();
  settings.max_samples = 10;
  settings.max_seconds = 1000;
  settings.min_seconds = 1000;
  PlannedGroup planned = planned_twice(settings, honest);
  std::size_t calls = 0;
  planned.cases.front().run = [&](const Arrays& a) {
    doubled(a, 1000);
    ++calls;
  };
  measure(planned, settings);
  EXPECT_EQ(calls, 1 + 10 + 1U) << "first run, samples, other inputs";
}

TEST(Runner, BatchesInHotModeOnly) {
  Settings settings = quick();
  EXPECT_EQ(find_case(measure_twice(settings, honest), "twice/serial/naive").timing.batch, 1U);
  settings.cache = CacheMode::hot;
  const auto nothing_much = [](std::size_t n) {
    return std::vector<BoundVariant>{
        {"serial", "naive", "", [n](const Arrays& a) { doubled(a, n); }}};
  };
  settings.sizes = {"1"};
  const Group group = measure_twice(settings, nothing_much);
  const Case& short_work = find_case(group, "twice/serial/naive");
  EXPECT_GT(short_work.timing.batch, 1U) << "20 µs for one multiplication";
  EXPECT_EQ(short_work.cache, CacheMode::hot);
  expect_contains(short_work.name, ",cache=hot");
}

TEST(Runner, SkipsWhatDoesNotFitIntoMemoryWithBothFigures) {
  Settings settings = quick();
  settings.sizes = {"1e9"};
  settings.memory_allowance = [] { return MemoryAllowance{3'600'000'000, "what a test gives"}; };
  const Group group = measure_twice(settings, honest);
  for (const Case& result : group.cases) {
    EXPECT_EQ(result.status, Status::skipped) << result.name;
    if (result.backend == "cuda") continue;
    EXPECT_EQ(
        result.reason,
        "memory: needs 8.0 GB, 3.5 GB available (what a test gives); the largest size that fits is "
        "437500000");
    EXPECT_TRUE(result.timing.samples.empty());
  }
  EXPECT_EQ(group.input_hash, "");
}

TEST(Runner, TheLargestSizeThatFitsIsSaidForEveryForm) {
  planted() = honest;
  const auto workloads = registry();
  Settings settings = quick();
  settings.filters = {"twice/serial", "counting/serial", "turning/serial"};
  settings.sizes = {"1e12"};
  settings.bins = {16};
  std::vector<std::string> largest;
  for (const PlannedGroup& group : plan(workloads, settings)) {
    largest.push_back(group.largest_within(80'000));
    EXPECT_EQ(group.largest_within(0), "") << group.workload;
  }
  // 8 bytes per element; 4, the counts and a scratch array of half the input; 8 per element of a
  // square.
  EXPECT_EQ(largest, (std::vector<std::string>{"10000", "13323:16", "100x100"}));
}

TEST(Runner, SkipsWhenTheSystemRefusesMemory) {
  Settings settings = quick();
  settings.sizes = {"1e15"};
  const Group group = measure_twice(settings, honest);
  EXPECT_EQ(find_case(group, "twice/openmp/naive").status, Status::skipped);
  EXPECT_EQ(find_case(group, "twice/openmp/naive").reason,
            "memory: the system refused 8000000.0 GB");
}

TEST(Runner, MemoryThatJustSufficesIsUsed) {
  Settings settings = quick();
  std::size_t bytes = 100'008'000;  // with what the process needs along with the arrays
  settings.memory_allowance = [&bytes] { return MemoryAllowance{bytes, "a test"}; };
  EXPECT_EQ(find_case(measure_twice(settings, honest), "twice/serial/naive").status,
            Status::measured);
  --bytes;
  EXPECT_EQ(find_case(measure_twice(settings, honest), "twice/serial/naive").status,
            Status::skipped);
}

TEST(Runner, SkipsAnUnsupportedSizeWithItsReason) {
  Settings settings = quick();
  settings.sizes = {"13"};
  const Group group = measure_twice(settings, honest);
  EXPECT_EQ(find_case(group, "twice/serial/naive").status, Status::skipped);
  EXPECT_EQ(find_case(group, "twice/serial/naive").reason,
            "thirteen is an unlucky number of elements");
  EXPECT_EQ(find_case(group, "twice/cuda/*").reason, "built without CUDA");
}

TEST(Runner, SkipsAVariantThatNeedsWhatIsNotHere) {
  const Planted rungs = [](std::size_t n) {
    std::vector<BoundVariant> all = honest(n);
    all.push_back({"openmp", "needy", "calls what is absent",
                   [](const Arrays&) { throw Unavailable("no such library on this node"); }});
    return all;
  };
  const Group measured = measure_twice(quick(), rungs);
  const Group verified = verify(planned_twice(quick(), rungs), quick());
  for (const Group* group : {&measured, &verified}) {
    const Case& needy = find_case(*group, "twice/openmp/needy");
    EXPECT_EQ(needy.status, Status::skipped);
    EXPECT_EQ(needy.reason, "no such library on this node");
    EXPECT_TRUE(needy.timing.samples.empty());
    EXPECT_FALSE(needy.verdict);
  }
  EXPECT_EQ(find_case(measured, "twice/openmp/naive").status, Status::measured);
}

TEST(Runner, NothingAtAllCanBeMeasured) {
  for (const CacheMode cache : {CacheMode::cold, CacheMode::hot}) {
    Settings settings = quick();
    settings.sizes = {"0"};
    settings.cache = cache;
    const Group group = measure_twice(settings, honest);
    EXPECT_GE(rounds_of(group), Settings::min_samples);
    for (const Case& result : group.cases) {
      if (result.backend == "cuda") continue;
      EXPECT_EQ(result.status, Status::measured) << result.reason;
    }
  }
}

TEST(Runner, RecordsTheThreadsThatAParallelRegionGets) {
  Settings settings = quick();
  settings.threads = {1, 3};
  const auto counting_threads = [](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    rungs.push_back({"openmp", "counts", "", [n](const Arrays& a) {
                       std::atomic<int> team = 0;
#pragma omp parallel
                       ++team;
                       doubled_by_threads(a, n);
                       if (team != omp_get_max_threads()) throw std::logic_error("a thread lacks");
                     }});
    return rungs;
  };
  const Group group = measure_twice(settings, counting_threads);
  std::set<std::string> seen;
  for (const Case& result : group.cases) {
    if (result.backend == "cuda") continue;
    EXPECT_EQ(result.status, Status::measured) << result.name << ": " << result.reason;
    const auto at = result.name.find(",threads=");
    const int asked = at == std::string::npos ? 1 : std::stoi(result.name.substr(at + 9));
    EXPECT_EQ(result.threads, asked) << result.name;
    seen.insert(result.backend + std::to_string(result.threads.value_or(0)));
  }
  EXPECT_EQ(seen, (std::set<std::string>{"serial1", "openmp1", "openmp3"}));
}

TEST(Runner, DoesNotBelieveTheRequestedNumberOfThreads) {
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(0);  // every region gets one thread
  const Group group = measure_twice(quick(), honest);
  omp_set_max_active_levels(levels);
  EXPECT_EQ(find_case(group, "twice/openmp/naive").threads, 1);
}

TEST(Runner, LeavesTheNumberOfThreadsAsItWas) {
  const int before = omp_get_max_threads();
  Settings settings = quick();
  settings.job_threads = before + 1;
  measure_twice(settings, honest);
  EXPECT_EQ(omp_get_max_threads(), before);
}

TEST(Runner, MeasuresTheReferencesBesideEveryWorkload) {
  Settings settings = quick();
  settings.filters = {"counting", "turning", "copy"};
  planted() = honest;
  const auto workloads = registry();
  for (const PlannedGroup& planned : plan(workloads, settings)) {
    const Group group = measure(planned, settings);
    for (const char* path : {"copy/serial/naive", "copy/openmp/naive"}) {
      const Case& result = find_case(group, path);
      EXPECT_EQ(result.status, Status::measured) << result.name << ": " << result.reason;
      EXPECT_TRUE(result.bandwidth_reference);
      EXPECT_EQ(result.reference, planned.workload != "copy") << result.name;
      const bool beside = result.name.find(",beside=" + planned.workload) != std::string::npos;
      EXPECT_EQ(beside, planned.workload != "copy") << result.name;
    }
    EXPECT_GE(rounds_of(group), Settings::min_samples);
  }
}

// 7 elements would not keep it busy: it has as many as it wants, and inputs of its own.
TEST(Runner, MeasuresAnArithmeticReferenceOnArraysOfItsOwn) {
  Workload steps = copying;
  steps.name = "steps";
  steps.default_shape = {.cols = 5'000};
  steps.memory_bound = false;
  steps.arithmetic_reference = true;
  Workload bodies = twice;
  bodies.name = "bodies";
  bodies.memory_bound = false;
  bodies.nearer_reference = &steps;
  planted() = honest;
  const std::vector<const Workload*> workloads{&copying, &steps, &bodies};
  Settings settings = quick();
  settings.filters = {"bodies"};
  settings.sizes = {"7"};
  const auto groups = plan(workloads, settings);
  const Group group = measure(groups.at(0), settings);
  for (const char* path : {"bodies/serial/naive", "steps/serial/naive", "steps/openmp/naive"}) {
    const Case& result = find_case(group, path);
    EXPECT_EQ(result.status, Status::measured) << result.name << ": " << result.reason;
  }
  EXPECT_EQ(find_case(group, "steps/serial/naive").elements, 5'000U);
  EXPECT_GE(rounds_of(group), Settings::min_samples);
}

Settings with_caches() {
  Settings settings = quick();
  settings.own_cache_bytes = 4'000;
  return settings;
}

/// Where most samples were disturbed nothing is known of the time in the cache: measured again
/// then.
Group measured_in_cache() {
  constexpr int attempts = 10;
  for (int attempt = 1;; ++attempt) {
    Group group = measure_twice(with_caches(), honest);
    const bool known = std::none_of(group.cases.begin(), group.cases.end(), [](const Case& one) {
      return one.measured() && one.workload == "twice" && one.timing.in_cache.empty();
    });
    if (known || attempt == attempts) return group;
  }
}

TEST(Runner, EachSampleHasOneInTheCache) {
  const Group group = measured_in_cache();
  for (const Case& result : group.cases) {
    if (!result.measured()) continue;
    const bool ours = result.workload == "twice";
    EXPECT_EQ(result.timing.in_cache.size(), ours ? result.timing.samples.size() : 0)
        << result.name;
    for (const double seconds : result.timing.in_cache) EXPECT_GT(seconds, 0);
  }
}

TEST(Runner, WhatIsWrongInTheCacheOnlyHasNoTime) {
  const auto right_when_large = [](std::size_t n) {
    return std::vector<BoundVariant>{
        {"serial", "naive", "", [n](const Arrays& a) { doubled(a, n); }},
        {"serial", "other", "", [n](const Arrays& a) { doubled(a, n == 1000 ? n : n - 1); }}};
  };
  const Group group = measure_twice(with_caches(), right_when_large);
  EXPECT_EQ(find_case(group, "twice/serial/naive").status, Status::measured);
  const Case& other = find_case(group, "twice/serial/other");
  EXPECT_EQ(other.status, Status::failed);
  expect_contains(other.reason, "right at first, but not on data in the cache: ");
  EXPECT_TRUE(other.timing.samples.empty());
}

TEST(Runner, WhatWritesBeyondItsArraysInTheCacheHasNoTime) {
  const auto too_far_when_small = [](std::size_t n) {
    return std::vector<BoundVariant>{
        {"serial", "naive", "", [n](const Arrays& a) { doubled(a, n); }},
        {"serial", "other", "", [n](const Arrays& a) {
           doubled(a, n);
           if (n < 1000) a.output<float>()[n] = 1;
         }}};
  };
  const Group group = measure_twice(with_caches(), too_far_when_small);
  EXPECT_EQ(find_case(group, "twice/serial/naive").status, Status::measured);
  EXPECT_EQ(find_case(group, "twice/serial/other").status, Status::failed);
}

TEST(Runner, VerifiesWithoutTiming) {
  std::vector<std::string> inspected;
  const Group group =
      verify(planned_twice(quick(), honest), quick(),
             [&](const Case& result, const Problem& problem, const Arrays& arrays) {
               inspected.push_back(result.name);
               const float factor = result.workload == "twice" ? 2 : 1;
               EXPECT_EQ(problem.output.count, 1000U);
               EXPECT_EQ(arrays.output<float>()[7], factor * arrays.input<float>(0)[7]);
             });
  EXPECT_EQ(inspected.size(), 5U);
  for (const Case& result : group.cases) {
    EXPECT_EQ(result.status == Status::skipped, result.backend == "cuda");
    EXPECT_TRUE(result.timing.samples.empty());
  }
}

TEST(Runner, EachRoundTakesEveryCaseOnceInAnOrderOfItsOwn) {
  Settings settings = quick();
  settings.min_seconds = settings.max_seconds = 1000;
  std::vector<std::string> measured;
  const PlannedGroup planned = planned_twice(settings, honest);
  measure(planned, settings, [&](const std::string& what, double) {
    if (what.starts_with("measuring ")) measured.push_back(what);
  });
  constexpr std::size_t cases = 5;
  ASSERT_EQ(measured.size(), settings.max_samples * cases);
  std::set<std::vector<std::string>> orders;
  for (std::size_t i = 0; i < measured.size(); i += cases) {
    const auto begin = measured.begin() + static_cast<std::ptrdiff_t>(i);
    const std::vector<std::string> order(begin, begin + cases);
    EXPECT_EQ(std::set<std::string>(order.begin(), order.end()).size(), cases);
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 6U);
}

/// A counter of energy that shows a joule for each call of `runs`.
EnergyMeter joule_per_run(const std::size_t& runs) {
  // So short a span that every run is a long one.
  return {"package", [&runs]() -> std::optional<double> { return static_cast<double>(runs); },
          1e-12};
}

Planted counting_runs(std::size_t& runs) {
  return [&runs](std::size_t n) {
    return std::vector<BoundVariant>{{"serial", "naive", "", [n, &runs](const Arrays& a) {
                                        ++runs;
                                        doubled(a, n);
                                      }}};
  };
}

/// Nothing of arrays of any size is in such a cache.
Settings beyond_caches() {
  Settings settings = quick();
  settings.last_level_cache_bytes = 1;
  return settings;
}

TEST(Runner, TellsTheEnergyInSpansOfTheirOwn) {
  std::size_t runs = 0;
  for (const CacheMode mode : {CacheMode::cold, CacheMode::hot}) {
    Settings settings = beyond_caches();
    settings.cache = mode;
    settings.energy = true;
    settings.socket_energy = joule_per_run(runs);
    const Group group = measure_twice(settings, counting_runs(runs));
    const Case& one = find_case(group, "twice/serial/naive");
    ASSERT_EQ(one.status, Status::measured) << one.reason;
    ASSERT_TRUE(one.energy) << one.no_energy;
    EXPECT_EQ(one.energy->of, "package");
    EXPECT_EQ(one.energy->joules, std::vector<double>(3, 1.0));
    EXPECT_EQ(one.energy->runs, 3U);
    EXPECT_GT(one.energy->seconds, 0);
    const Case& copy = find_case(group, "copy/serial/naive");
    EXPECT_FALSE(copy.energy) << "what runs beside the workload";
    EXPECT_EQ(copy.no_energy, "");
  }
}

TEST(Runner, SamplesAreTheSameWithEnergyAndWithout) {
  std::size_t runs = 0;
  Settings settings = beyond_caches();
  settings.max_samples = 10;
  settings.min_seconds = settings.max_seconds = 1000;
  measure_twice(settings, counting_runs(runs));
  const std::size_t without = std::exchange(runs, 0);
  settings.energy = true;
  settings.socket_energy = joule_per_run(runs);
  const Group group = measure_twice(settings, counting_runs(runs));
  EXPECT_EQ(rounds_of(group), 10U);
  EXPECT_EQ(runs, without + 3) << "a run for each span";
}

TEST(Runner, RunsThatFollowEachOtherInTheCachesAreNotThoseThatWereTimed) {
  std::size_t runs = 0;
  Settings settings = quick();  // how large the caches are is not known
  settings.energy = true;
  settings.socket_energy = joule_per_run(runs);
  const Group group = measure_twice(settings, counting_runs(runs));
  const Case& one = find_case(group, "twice/serial/naive");
  EXPECT_TRUE(one.measured());
  EXPECT_FALSE(one.energy);
  expect_contains(one.no_energy, "take a larger --size, or --cache hot");
}

TEST(Runner, WhereTheNodeDoesNotTellNoCaseSaysWhy) {
  std::size_t runs = 0;
  Settings settings = beyond_caches();
  settings.energy = true;
  const Group group = measure_twice(settings, counting_runs(runs));
  const Case& one = find_case(group, "twice/serial/naive");
  EXPECT_TRUE(one.measured());
  EXPECT_FALSE(one.energy);
  EXPECT_EQ(one.no_energy, "");
}

TEST(Runner, ACounterThatStandsStillIsAReason) {
  std::size_t runs = 0;
  Settings settings = beyond_caches();
  settings.energy = true;
  settings.socket_energy = {"package", [] { return std::optional(7.0); }, 1e-12};
  const Group group = measure_twice(settings, counting_runs(runs));
  const Case& one = find_case(group, "twice/serial/naive");
  EXPECT_TRUE(one.measured());
  EXPECT_FALSE(one.energy);
  EXPECT_EQ(one.no_energy, "the energy counter does not move");
}

TEST(Runner, WhoWritesPastTheEndWhereEnergyIsToldHasFailed) {
  std::size_t runs = 0;
  std::size_t honest_runs = std::numeric_limits<std::size_t>::max();
  Settings settings = beyond_caches();
  settings.energy = true;
  settings.socket_energy = joule_per_run(runs);
  settings.socket_energy.joules = [&, tell = settings.socket_energy.joules] {
    honest_runs = std::min(honest_runs, runs);
    return tell();
  };
  const Group group = measure_twice(settings, [&](std::size_t n) {
    return std::vector<BoundVariant>{{"serial", "naive", "", [&, n](const Arrays& a) {
                                        doubled(a, n);
                                        if (runs++ >= honest_runs) a.output<float>()[n] = 1;
                                      }}};
  });
  const Case& one = find_case(group, "twice/serial/naive");
  EXPECT_EQ(one.status, Status::failed);
  expect_contains(one.reason, "right at first, but not while measured: wrote past the end");
  EXPECT_FALSE(one.energy);
}

TEST(Runner, CountsEventsOfAFewRunsPreparedAsSamplesAre) {
  std::size_t runs = 0;
  for (const CacheMode mode : {CacheMode::cold, CacheMode::hot}) {
    Settings settings = quick();
    settings.cache = mode;
    settings.sizes = {"1"};
    // What every kernel counts, instead of the processor's events.
    settings.event_counter = [] {
      Host host;
      host.open_event = [](perf_event_attr& attributes, int thread, int group) {
        attributes.type = PERF_TYPE_SOFTWARE;
        attributes.config = PERF_COUNT_SW_TASK_CLOCK;
        return open_event(attributes, thread, group);
      };
      return std::make_unique<EventCounter>(host);
    };
    if (const Reason why = settings.event_counter()->reason(); !why.empty()) {
      GTEST_SKIP() << why;
    }
    const Group group = measure_twice(settings, counting_runs(runs));
    const Case& one = find_case(group, "twice/serial/naive");
    ASSERT_TRUE(one.counts) << one.reason;
    EXPECT_EQ(one.counts->runs, 3 * one.timing.batch);
    EXPECT_GT(one.counts->cycles.value_or(0), 0);
    EXPECT_FALSE(find_case(group, "copy/serial/naive").counts);
  }
}

/// Sees how progress is told; `f` gets the function to tell it.
template <class F>
void expect_steady_progress(const std::set<std::string>& expected_words, F f) {
  std::set<std::string> words;
  double last = 0;
  f([&](const std::string& what, double share) {
    words.insert(what.substr(0, what.find(' ')));
    EXPECT_NE(what.find('/'), std::string::npos) << what;
    EXPECT_GE(share, last) << what;
    EXPECT_LE(share, 1);
    last = share;
  });
  EXPECT_EQ(words, expected_words);
  EXPECT_GE(last, 0.8) << "the last case of the last check";
}

TEST(Runner, TellsItsProgress) {
  const PlannedGroup planned = planned_twice(quick(), honest);
  expect_steady_progress({"measuring", "verifying"},
                         [&](const Progress& progress) { measure(planned, quick(), progress); });
  expect_steady_progress({"verifying"},
                         [&](const Progress& progress) { verify(planned, quick(), {}, progress); });
}

TEST(Runner, ProgressDoesNotEndBeforeThereAreEnoughSamples) {
  Settings settings = quick();
  settings.max_seconds = 0;  // over before the first round
  double in_rounds = 0;
  measure(planned_twice(settings, honest), settings, [&](const std::string& what, double share) {
    if (what.starts_with("measuring") && in_rounds == 0) in_rounds = share;
  });
  EXPECT_GT(in_rounds, 0);
  EXPECT_LT(in_rounds, 0.5) << "there are nine rounds to come";
}

}  // namespace
}  // namespace bench::test
