#include "harness/document/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/atomic_file.hpp"
#include "harness/base/reasons.hpp"
#include "harness/document/test/records.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/tables/notes.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Plain 8 ms, better 2 ms, by threads 1 ms; copies of the same size 1.6 ms and 0.5 ms.
Group usual() {
  return group_of(
      {measured("work", "serial", "naive", 8e-3), measured("work", "serial", "simd", 2e-3),
       measured("work", "openmp", "naive", 1e-3), measured("copy", "serial", "naive", 2.0e-3),
       measured("copy", "serial", "stream", 1.6e-3), measured("copy", "openmp", "naive", 0.5e-3)});
}

double value(const Json& ratio) { return ratio.at("value").get<double>(); }

TEST(Report, SpeedupsAreRatiosOfMediansOverThePlainLoop) {
  const Tables tables = tables_of(usual());
  EXPECT_DOUBLE_EQ(value(find_row(tables.speedups, "work/serial/simd").at("over_serial")), 4);
  EXPECT_DOUBLE_EQ(value(find_row(tables.speedups, "work/openmp/naive").at("over_serial")), 8);
  for (const Json& row : tables.speedups) {
    const Json& ratio = row.at("over_serial");
    EXPECT_LE(ratio.at("ci95").at(0).get<double>(), value(ratio));
    EXPECT_GE(ratio.at("ci95").at(1).get<double>(), value(ratio));
    EXPECT_EQ(row.at("status"), "measured");
    EXPECT_TRUE(row.at("reason").is_null());
  }
  EXPECT_DOUBLE_EQ(find_row(tables.speedups, "work/serial/simd").at("seconds").get<double>(), 2e-3);
}

TEST(Report, TheBaselineAgainstItselfIsOne) {
  const Json plain = find_row(tables_of(usual()).speedups, "work/serial/naive");
  EXPECT_EQ(plain.at("over_serial").dump(),
            R"({"value":1.0,"ci95":[1.0,1.0],"baseline":"work/serial/naive/f32/10/kernel"})");
  const Json best = find_row(tables_of(usual()).speedups, "work/openmp/naive");
  EXPECT_EQ(best.at("over_best_cpu").dump(),
            R"({"value":1.0,"ci95":[1.0,1.0],"baseline":"work/openmp/naive/f32/10/kernel"})");
}

TEST(Report, TheBestCpuVariantIsNamed) {
  Group group = usual();
  group.cases.push_back(measured_on_gpu("work", "padded", Scope::kernel, 1e-4));
  const Tables tables = tables_of(group);
  for (const Json& row : tables.speedups) {
    if (row.at("workload") != "work") continue;
    EXPECT_EQ(row.at("over_best_cpu").at("baseline"), "work/openmp/naive/f32/10/kernel");
  }
  EXPECT_DOUBLE_EQ(value(find_row(tables.speedups, "work/cuda/padded").at("over_best_cpu")), 10);
  EXPECT_DOUBLE_EQ(value(find_row(tables.speedups, "work/serial/naive").at("over_best_cpu")),
                   0.125);
}

TEST(Report, ABandwidthReferenceIsComparedWithReferencesOnly) {
  const Tables tables = tables_of(usual());
  const Json copy = find_row(tables.speedups, "copy/openmp/naive");
  EXPECT_DOUBLE_EQ(value(copy.at("over_serial")), 4);
  EXPECT_EQ(copy.at("over_best_cpu").at("baseline"),
            "copy/openmp/naive/f32/10/kernel,beside=work:10");
}

TEST(Report, SharesAreOfTheFastestCopyOfTheSameBackendAndThreads) {
  const auto share = [](const Group& group, const std::string& path) {
    const Json found = find_row(tables_of(group).cases, path).at("share_of_copy");
    return found.is_null() ? -1 : found.get<double>();
  };
  EXPECT_DOUBLE_EQ(share(usual(), "work/serial/naive"), 1.6 / 8);
  EXPECT_DOUBLE_EQ(share(usual(), "work/openmp/naive"), 0.5);
  EXPECT_DOUBLE_EQ(share(usual(), "copy/serial/stream"), 1);
  EXPECT_DOUBLE_EQ(share(usual(), "copy/serial/naive"), 0.8);

  Group half = usual();  // the copy moves half as many bytes in the same time
  half.cases.at(5).bytes /= 2;
  EXPECT_DOUBLE_EQ(share(half, "work/openmp/naive"), 1);

  Group nothing = usual();
  for (Case& one : nothing.cases) one.bytes = 0;
  EXPECT_EQ(share(nothing, "work/openmp/naive"), -1);
  const Json row = find_row(tables_of(nothing).cases, "work/openmp/naive");
  EXPECT_EQ(row.at("share_ci95"), Json::object()) << "no interval without numbers";

  Group other_threads = usual();
  other_threads.cases.at(5).threads = 3;
  EXPECT_EQ(share(other_threads, "work/openmp/naive"), -1);

  Group failed = usual();
  failed.cases.at(5).status = Status::failed;
  EXPECT_EQ(share(failed, "work/openmp/naive"), -1);
}

/// usual(), where openmp/naive moves its bytes in so many seconds, and the copy in 0.5 ms.
Group with_fast_naive(double seconds) {
  Group group = usual();
  Case& fast = group.cases.at(2);
  EXPECT_EQ(fast.backend + "/" + fast.variant, "openmp/naive");
  fast.timing.samples = samples_around(seconds);
  group.cases.push_back(measured("work", "openmp", "slower", 2 * seconds));
  return group;
}

// A clock with coarse ticks may give a sample nothing: a file would hold ratios without a number.
TEST(Report, RatiosOfProcessorTimesNeedThemAll) {
  const auto on_processor = [](double first) {
    Case naive = measured("work", "serial", "naive", 8e-3);
    Case guest = measured("work", "guest", "mine", 4e-3);
    guest.guest = "mine.cpp";
    for (Case* const one : {&naive, &guest}) {
      one->timing.preempted = one->timing.samples.size();
      one->timing.busiest = one->timing.samples;
    }
    guest.timing.busiest.front() = first;
    Group group;
    group.cases = {naive, guest};
    return find_row(tables_of(group).cases, "work/guest/mine").contains("on_processor");
  };
  EXPECT_TRUE(on_processor(4e-3));
  EXPECT_FALSE(on_processor(0));
}

TEST(Report, WhatIsFasterThanItsReferenceIsTheYardstick) {
  const Tables tables = tables_of(with_fast_naive(0.25e-3));
  const Json fast = find_row(tables.cases, "work/openmp/naive");
  EXPECT_DOUBLE_EQ(fast.at("share_of_copy").get<double>(), 1);
  EXPECT_DOUBLE_EQ(fast.at("share_ci95").at("copy").at(1).get<double>(), 2) << "of the copy alone";
  EXPECT_FALSE(fast.contains("bound")) << "the copy is not a limit of it";
  const Json slower = find_row(tables.cases, "work/openmp/slower");
  EXPECT_DOUBLE_EQ(slower.at("share_of_copy").get<double>(), 0.5);
  EXPECT_NEAR(slower.at("share_ci95").at("copy").at(1).get<double>(), 1, 0.05);
}

// Its bytes are those of a sweep for each step, of which one would be enough.
TEST(Report, ACaseOfSeveralStepsMayMoveLessThanItsBytes) {
  Group group = with_fast_naive(0.25e-3);
  for (Case& one : group.cases) {
    if (!one.beside) one.steps = 8;
  }
  const Tables tables = tables_of(group);
  const Json fast = find_row(tables.cases, "work/openmp/naive");
  EXPECT_DOUBLE_EQ(fast.at("share_of_copy").get<double>(), 2);
  EXPECT_DOUBLE_EQ(value(fast.at("bound").at("share")), 0.25);
  EXPECT_DOUBLE_EQ(fast.at("bound").at("memory_seconds").get<double>(), 0.0625e-3);
  const Json sweep = find_row(tables.cases, "work/openmp/slower");
  EXPECT_DOUBLE_EQ(sweep.at("share_of_copy").get<double>(), 1) << "of the copy alone";
}

TEST(Report, ABoundIsAtMostTheTime) {
  const auto bound = [](const Group& group) {
    const Json row = find_row(tables_of(group).cases, "work/openmp/naive");
    return row.contains("bound") ? row.at("bound") : Json();
  };
  const auto with_in_cache = [](std::vector<double> seconds) {
    Group group = with_fast_naive(1.6e-3);
    group.cases.at(2).timing.in_cache = std::move(seconds);
    return group;
  };
  const Json noise = bound(with_fast_naive(0.485e-3));
  EXPECT_EQ(noise.at("by"), "memory");
  EXPECT_DOUBLE_EQ(value(noise.at("share")), 1) << "as fast as the copy";
  EXPECT_LE(noise.at("share").at("ci95").at(1).get<double>(), 1);
  EXPECT_DOUBLE_EQ(noise.at("seconds").get<double>(), 0.485e-3);

  EXPECT_EQ(bound(with_in_cache(samples_around(1.5e-3))).at("by"), "in_cache");
  const Json longer = bound(with_in_cache(samples_around(1.9e-3)));
  EXPECT_EQ(longer.at("by"), "memory") << "the whole interval is beyond the time";
  EXPECT_TRUE(longer.at("in_cache_seconds").is_null());
  std::vector<double> scattered = samples_around(1.3e-3);
  for (std::size_t i = 0; i < scattered.size(); i += 2) scattered[i] *= 1.3;
  EXPECT_EQ(bound(with_in_cache(scattered)).at("by"), "memory") << "too wide an interval";
}

TEST(Report, ACaseHasExactlyItsKeys) {
  const Json row = tables_of(usual()).cases.at(1);
  std::vector<std::string> keys;
  for (const auto& [key, unused] : row.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"name",
                                            "workload",
                                            "backend",
                                            "variant",
                                            "idea",
                                            "dtype",
                                            "size",
                                            "elements",
                                            "shape",
                                            "bins",
                                            "scope",
                                            "parameters",
                                            "beside",
                                            "reference",
                                            "library",
                                            "own_numbers",
                                            "threads",
                                            "isa",
                                            "bytes",
                                            "flops",
                                            "memory_bound",
                                            "arithmetic_reference",
                                            "cache",
                                            "footprint_bytes",
                                            "first_use_s",
                                            "status",
                                            "reason",
                                            "batch",
                                            "rounds",
                                            "seconds",
                                            "verification",
                                            "gb_per_s",
                                            "share_of_copy",
                                            "share_ci95",
                                            "bound",
                                            "launch",
                                            "gpu"}));
  EXPECT_EQ(row.at("rounds"), 9);
  EXPECT_EQ(row.at("batch"), 1);
  EXPECT_GT(row.at("first_use_s"), 0);
  EXPECT_DOUBLE_EQ(row.at("gb_per_s").get<double>(), 2);
  EXPECT_EQ(row.at("verification").dump(),
            R"({"metric":"ulp","max_error":0.5,"tolerance":4.0,"passed":true})");
  const Json& seconds = row.at("seconds");
  EXPECT_EQ(seconds.at("samples").get<std::vector<double>>(), samples_around(2e-3));
  EXPECT_DOUBLE_EQ(seconds.at("median").get<double>(), 2e-3);
  EXPECT_DOUBLE_EQ(seconds.at("min").get<double>(), 1.96e-3);
  EXPECT_DOUBLE_EQ(seconds.at("q1").get<double>(), 1.98e-3);
  EXPECT_DOUBLE_EQ(seconds.at("q3").get<double>(), 2.02e-3);
  EXPECT_EQ(seconds.at("stop"), "noise");
  EXPECT_GT(seconds.at("smallest_change"), 0);
}

TEST(Report, ACaseSaysWhetherItIsOfTheArithmeticReference) {
  Group group = usual();
  group.cases.at(1).arithmetic_reference = true;
  const Tables tables = tables_of(group);
  EXPECT_EQ(tables.cases.at(0).at("arithmetic_reference"), false);
  EXPECT_EQ(tables.cases.at(1).at("arithmetic_reference"), true);
}

TEST(Report, ACudaCaseSaysHowItWasLaunchedAndWhatTheDeviceSaid) {
  const Tables tables = tables_of(group_of({measured_on_gpu("work", "wide", Scope::kernel, 1e-4)}));
  const Json& row = tables.cases.at(0);
  EXPECT_EQ(row.at("launch").dump(),
            R"({"grid":[40,2,1],"block":[256,1,1],"shared_bytes":1024,"launches":3})");
  EXPECT_EQ(
      row.at("gpu").dump(),
      R"({"uuid":"GPU-1","sm_clock_mhz":1950.0,"throttled_samples":2,"throttled_by":{"heat":2}})");
  EXPECT_TRUE(row.at("threads").is_null());
  EXPECT_TRUE(row.at("isa").is_null());
}

// It has ratios and shares of its own like any row; nothing is taken of it.
TEST(Report, ALibraryIsMarkedAndMeasuresNobody) {
  Group group = usual();
  for (Case& one : group.cases) EXPECT_FALSE(one.library);
  group.cases.push_back(measured_on_gpu("copy", "wide", Scope::kernel, 2e-4));
  group.cases.push_back(measured_of_library("copy", Scope::kernel, 1e-4));
  group.cases.push_back(measured_of_library("work", Scope::kernel, 5e-4));
  for (Case& one : group.cases) one.bandwidth_reference = one.bandwidth_reference && !one.library;
  group.cases.push_back(measured("work", "openmp", "library", 1e-5));
  group.cases.back().library = true;
  const Tables tables = tables_of(group);
  const Json ours = find_row(tables.cases, "copy/cuda/wide");
  EXPECT_EQ(ours.at("library"), false);
  EXPECT_DOUBLE_EQ(ours.at("share_of_copy").get<double>(), 1);
  const Json copied = find_row(tables.cases, "copy/cuda/library");
  EXPECT_EQ(copied.at("library"), true);
  EXPECT_DOUBLE_EQ(copied.at("share_of_copy").get<double>(), 2);
  const Json worked = find_row(tables.speedups, "work/cuda/library");
  EXPECT_DOUBLE_EQ(value(worked.at("over_serial")), 16);
  EXPECT_DOUBLE_EQ(value(worked.at("over_best_cpu")), 2);
  EXPECT_EQ(worked.at("over_best_cpu").at("baseline"), "work/openmp/naive/f32/10/kernel");
}

TEST(Report, SharesAreTakenOfTheReferenceOfTheSameScope) {
  Group group = group_of({measured("work", "serial", "naive", 1e-2),
                          measured_on_gpu("work", "wide", Scope::kernel, 1e-4),
                          measured_on_gpu("work", "wide", Scope::end_to_end, 1e-3),
                          measured_on_gpu("copy", "wide", Scope::kernel, 0.5e-4),
                          measured_on_gpu("copy", "wide", Scope::end_to_end, 0.9e-3)});
  const Tables tables = tables_of(group);
  EXPECT_DOUBLE_EQ(tables.cases.at(1).at("share_of_copy").get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(tables.cases.at(2).at("share_of_copy").get<double>(), 0.9);
  EXPECT_DOUBLE_EQ(value(tables.speedups.at(1).at("over_serial")), 100);
  EXPECT_DOUBLE_EQ(value(tables.speedups.at(2).at("over_serial")), 10);
}

TEST(Report, ANearerReferenceGivesAShareOfItsOwn) {
  Case reading = measured("read", "openmp", "naive", 1e-3);
  reading.beside = Beside{"work", "10"};
  reading = named(reading);
  Group group =
      group_of({measured("work", "serial", "naive", 1e-2), measured("work", "openmp", "fast", 2e-3),
                measured("copy", "openmp", "naive", 1e-3), reading});
  EXPECT_FALSE(tables_of(group).cases.at(1).contains("share_of_read"));
  group.cases.back().nearer_reference = true;
  group.cases.back().bytes *= 2;
  const Tables tables = tables_of(group);
  EXPECT_TRUE(tables.cases.at(0).at("share_of_read").is_null());
  EXPECT_DOUBLE_EQ(tables.cases.at(1).at("share_of_copy").get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(tables.cases.at(1).at("share_of_read").get<double>(), 0.25);
  EXPECT_DOUBLE_EQ(tables.speedups.at(1).at("share_of_read").get<double>(), 0.25);
}

// Operations per second, and not bytes: 7 here, in half the time 14.
TEST(Report, AnArithmeticReferenceGivesAShareOfItsOperations) {
  Case steps = measured("steps", "openmp", "simd", 1e-3);
  steps.beside = Beside{"work", "10"};
  steps.memory_bound = false;
  steps.arithmetic_reference = true;
  steps.nearer_reference = true;
  steps.flops = 14;
  steps = named(steps);
  Group group = group_of(
      {measured("work", "serial", "naive", 1e-2), measured("work", "openmp", "fast", 1e-3), steps});
  for (Case& one : group.cases) one.memory_bound = false;
  const Tables tables = tables_of(group);
  EXPECT_TRUE(tables.cases.at(0).at("share_of_steps").is_null()) << "another number of threads";
  EXPECT_DOUBLE_EQ(tables.cases.at(1).at("share_of_steps").get<double>(), 0.5);
  EXPECT_TRUE(tables.cases.at(1).at("share_of_copy").is_null());
  EXPECT_TRUE(tables.cases.at(1).at("gb_per_s").is_null());
  EXPECT_FALSE(tables.cases.at(1).contains("bound"));
}

// As of a bandwidth reference: what is faster shows what can be done.
TEST(Report, NoShareOfAnArithmeticReferenceIsAboveOne) {
  Case steps = measured("steps", "openmp", "simd", 1e-3);
  steps.beside = Beside{"work", "10"};
  steps.memory_bound = false;
  steps.arithmetic_reference = true;
  steps.nearer_reference = true;
  steps = named(steps);
  Group group = group_of({measured("work", "openmp", "slow", 2e-3),
                          measured("work", "openmp", "fast", 0.5e-3), steps});
  for (Case& one : group.cases) one.memory_bound = false;
  const Tables tables = tables_of(group);
  EXPECT_DOUBLE_EQ(tables.cases.at(0).at("share_of_steps").get<double>(), 0.25);
  EXPECT_DOUBLE_EQ(tables.cases.at(1).at("share_of_steps").get<double>(), 1);
}

TEST(Report, TheBoundIsTheLongerOfWhatMemoryAndComputingTake) {
  Group group = usual();
  group.cases.at(0).timing.in_cache = samples_around(7.6e-3);
  group.cases.at(1).timing.in_cache = samples_around(0.4e-3);
  const Tables tables = tables_of(group);
  const Json computing = tables.cases.at(0).at("bound");
  EXPECT_EQ(computing.at("by"), "in_cache");
  EXPECT_DOUBLE_EQ(computing.at("memory_seconds").get<double>(), 1.6e-3);
  EXPECT_DOUBLE_EQ(computing.at("in_cache_seconds").get<double>(), 7.6e-3);
  EXPECT_DOUBLE_EQ(computing.at("seconds").get<double>(), 7.6e-3);
  EXPECT_DOUBLE_EQ(value(computing.at("share")), 0.95);
  const Json moving = tables.cases.at(1).at("bound");
  EXPECT_EQ(moving.at("by"), "memory");
  EXPECT_DOUBLE_EQ(moving.at("in_cache_seconds").get<double>(), 0.4e-3);
  EXPECT_DOUBLE_EQ(moving.at("seconds").get<double>(), 1.6e-3);
  EXPECT_DOUBLE_EQ(value(moving.at("share")), 0.8);
}

TEST(Report, OfABoundEitherHalfMayBeUnknown) {
  Group group = usual();
  const Json no_cache = tables_of(group).cases.at(0).at("bound");
  EXPECT_TRUE(no_cache.at("in_cache_seconds").is_null());
  EXPECT_EQ(no_cache.at("by"), "memory");
  group.cases.resize(3);  // no reference
  EXPECT_FALSE(tables_of(group).cases.at(0).contains("bound"));
  group.cases.at(0).timing.in_cache = samples_around(4e-3);
  const Json no_copy = tables_of(group).cases.at(0).at("bound");
  EXPECT_TRUE(no_copy.at("memory_seconds").is_null());
  EXPECT_EQ(no_copy.at("by"), "in_cache");
  EXPECT_DOUBLE_EQ(value(no_copy.at("share")), 0.5);
}

TEST(Report, ThrottledSamplesAreAWarning) {
  Report report(context(), {});
  Case warm = measured_on_gpu("work", "hot", Scope::kernel, 1e-4);
  warm.gpu->throttled_samples = 8;
  report.add(group_of({measured("work", "serial", "naive", 1),
                       measured_on_gpu("work", "wide", Scope::kernel, 1e-4), warm}));
  report.finish("");
  const std::vector<Reason> warnings = report.document().context.run.warnings;
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings.at(0),
            "in 2 of 2 cases the GPU was throttled in more than a fifth of the samples (worst: "
            "work/cuda/hot: 8 of 9 samples): its power or temperature limit is the limit of these "
            "numbers");
}

TEST(Report, WhatWasNotMeasuredHasAReasonAndNoNumbers) {
  Group group = usual();
  Case& skipped = group.cases.at(1);
  skipped.status = Status::skipped;
  skipped.reason = "not enough memory";
  skipped.verdict.reset();
  skipped.first_use_s.reset();
  skipped.timing = {};
  const Tables tables = tables_of(group);
  const Json row = find_row(tables.cases, "work/serial/simd");
  EXPECT_EQ(row.at("reason"), "not enough memory");
  for (const char* key :
       {"batch", "rounds", "first_use_s", "seconds", "verification", "gb_per_s", "share_of_copy"}) {
    EXPECT_TRUE(row.at(key).is_null()) << key;
  }
  EXPECT_EQ(find_row(tables.speedups, "work/serial/simd").at("reason"), "not enough memory");
}

TEST(Report, WithoutTheBaselineThereIsAReason) {
  Group group = usual();
  group.cases.front().status = Status::failed;
  group.cases.front().reason = "wrong";
  group.cases.front().timing = {};
  const Tables tables = tables_of(group);
  const Json row = find_row(tables.speedups, "work/serial/simd");
  EXPECT_TRUE(row.at("over_serial").is_null());
  EXPECT_EQ(row.at("reason"), "no baseline: serial/naive was not measured");
  EXPECT_FALSE(row.at("over_best_cpu").is_null());
}

TEST(Report, NoNanAndNoInfinityGetsOut) {
  Group group = usual();
  Case& odd = group.cases.at(1);
  odd.timing.samples = std::vector<double>(9, 0.0);  // faster than the clock can tell
  odd.verdict->max_error = infinite;
  odd.first_use_s = infinite;
  group.cases.at(2).timing.samples = std::vector<double>(9, 0.0);
  const Tables tables = tables_of(group);
  const Json row = find_row(tables.cases, "work/serial/simd");
  EXPECT_TRUE(row.at("gb_per_s").is_null());
  EXPECT_TRUE(row.at("first_use_s").is_null());
  EXPECT_TRUE(row.at("verification").at("max_error").is_null());
  const Json speedup = find_row(tables.speedups, "work/serial/simd");
  EXPECT_TRUE(speedup.at("over_serial").at("value").is_null());
  EXPECT_TRUE(speedup.at("over_serial").at("ci95").at(0).is_null());

  const std::function<void(const Json&)> check = [&](const Json& node) {
    EXPECT_TRUE(!node.is_number_float() || std::isfinite(node.get<double>()));
    if (node.is_structured()) {
      for (const Json& child : node) check(child);
    }
  };
  for (const Json* list : {&tables.cases, &tables.speedups, &tables.benchmarks}) check(*list);
}

TEST(Report, RowsForGoogleBenchmarkAreTheSamplesOrMeansOfThem) {
  for (const std::size_t n : {1U, 9U, 29U, 30U, 31U, 59U, 60U, 61U, 99U, 100U}) {
    Case one = measured("work", "serial", "naive", 1);
    one.timing.samples.clear();
    for (std::size_t i = 0; i < n; ++i) one.timing.samples.push_back(1e-3 * static_cast<double>(i));
    one.timing.batch = 64;
    const Tables tables = tables_of(group_of({one}));
    EXPECT_EQ(tables.benchmarks.size(), std::min<std::size_t>(n, 30));
    double sum = 0;
    double last = -1;
    std::size_t index = 0;
    for (const Json& row : tables.benchmarks) {
      const double nanoseconds = row.at("real_time").get<double>();
      EXPECT_GT(nanoseconds, last) << "in the order of the rounds";
      last = nanoseconds;
      sum += nanoseconds;
      EXPECT_EQ(row.at("cpu_time"), row.at("real_time"));
      EXPECT_EQ(row.at("time_unit"), "ns");
      EXPECT_EQ(row.at("name"), one.name);
      EXPECT_EQ(row.at("run_name"), one.name);
      EXPECT_EQ(row.at("run_type"), "iteration");
      EXPECT_EQ(row.at("repetition_index"), index++);
      EXPECT_EQ(row.at("repetitions"), tables.benchmarks.size());
      EXPECT_EQ(row.at("iterations"), 64);
      EXPECT_EQ(row.at("threads"), 1);
    }
    if (n <= 30 || n % 30 == 0) {
      EXPECT_NEAR(sum / static_cast<double>(tables.benchmarks.size()),
                  1e6 * static_cast<double>(n - 1) / 2, 1e-3)
          << n;
    }
  }
}

Json parsed(const std::filesystem::path& file) { return Json::parse(read(file)); }

TEST(Report, IsCompleteBeforeTheFirstGroup) {
  const TemporaryFolder folder;
  Report report(context(), folder / "deep" / "x.json");
  report.create(false);
  const Json document = parsed(folder / "deep" / "x.json");
  EXPECT_EQ(document.at("schema"), "bench-report/1");
  EXPECT_EQ(document.at("context"), written(context()));
  for (const char* list : {"cases", "speedups", "scaling", "crossovers", "benchmarks"}) {
    EXPECT_EQ(document.at(list), Json::array()) << list;
  }
}

TEST(Report, IsWrittenAfterEachGroupAndAtTheEnd) {
  const TemporaryFolder folder;
  Report report(context(), folder / "x.json");
  report.create(false);
  report.add(usual());
  EXPECT_EQ(report.groups(), 1U);
  EXPECT_EQ(parsed(folder / "x.json"), written(report.document()));
  EXPECT_EQ(parsed(folder / "x.json").at("cases").size(), 6U);
  EXPECT_EQ(parsed(folder / "x.json").at("speedups").size(), 6U);
  EXPECT_EQ(parsed(folder / "x.json").at("benchmarks").size(), 6 * 9U);
  const Json run = parsed(folder / "x.json").at("context").at("run");
  EXPECT_EQ(run.at("input_hash").at("work").at("f32/10"), "xxh3:0123456789abcdef");
  EXPECT_EQ(run.at("finished"), false);
  EXPECT_GE(run.at("duration_s").get<double>(), 0);

  Group unhashed = usual();
  unhashed.input_hash.clear();
  unhashed.workload = "other";
  report.add(unhashed);
  EXPECT_EQ(report.groups(), 2U);
  report.finish("");
  EXPECT_EQ(parsed(folder / "x.json").at("cases").size(), 12U);
  EXPECT_EQ(parsed(folder / "x.json").at("context").at("run").at("finished"), true);
  EXPECT_TRUE(parsed(folder / "x.json").at("context").at("run").at("ended_by").is_null());
  EXPECT_FALSE(
      parsed(folder / "x.json").at("context").at("run").at("input_hash").contains("other"));
}

TEST(Report, TheFirstEndCounts) {
  const TemporaryFolder folder;
  for (const bool signal_first : {true, false}) {
    const auto file = folder / (signal_first ? "a.json" : "b.json");
    Report report(context(), file);
    report.create(false);
    report.finish(signal_first ? "SIGTERM" : "");
    report.finish(signal_first ? "" : "SIGINT");
    const Json run = parsed(file).at("context").at("run");
    EXPECT_EQ(run.at("finished"), !signal_first);
    EXPECT_EQ(run.at("ended_by"), signal_first ? Json("SIGTERM") : Json(nullptr));
  }
}

TEST(Report, AGivenFileThatExistsIsRefused) {
  const TemporaryFolder folder;
  create_file(folder / "x.json", "precious");
  Report report(context(), folder / "x.json");
  EXPECT_EQ(message_of<std::runtime_error>([&] { report.create(false); }),
            (folder / "x.json").string() + " exists already: choose another --output or remove it");
  EXPECT_EQ(read(folder / "x.json"), "precious");
  EXPECT_EQ(exists_already("/"), "/ exists already, and is not a file: choose another --output");
}

TEST(Report, ADefaultNameThatIsTakenIsChanged) {
  const TemporaryFolder folder;
  create_file(folder / "a.b.json", "precious");
  for (const char* expected : {"a.b-2.json", "a.b-3.json", "a.b-4.json"}) {
    Report report(context(), folder / "a.b.json");
    report.create(true);
    EXPECT_EQ(report.path(), folder / expected);
    report.finish("");
    EXPECT_EQ(parsed(folder / expected), written(report.document()));
  }
  EXPECT_EQ(read(folder / "a.b.json"), "precious");
}

TEST(Report, NamesTheFileThatItCannotWrite) {
  const TemporaryFolder folder;
  create_file(folder / "file", "not a folder");
  Report report(context(), folder / "file" / "x.json");
  for (const bool may_rename : {false, true}) {
    expect_contains(message_of<std::runtime_error>([&] { report.create(may_rename); }),
                    "cannot write " + (folder / "file" / "x.json").string());
  }
}

TEST(Report, GoesOnWithWhatWasFinishedBefore) {
  const TemporaryFolder folder;
  Context begun = context();
  begun.run.started = "2026-01-30T12:00:00Z";
  begun.run.argv = {"bench", "x"};
  begun.run.warnings = {"old"};
  {
    Report first(begun, folder / "x.json");
    first.create(false);
    first.add(usual());
    first.finish("SIGTERM");
  }
  Document earlier = read_document(folder / "x.json");
  earlier.context.run.duration_s = 1000;
  earlier.context.run.phases_s = Seconds{{"samples", 300}};
  earlier.context.run.warnings.push_back(said<reasons::before_interruption>(std::string("older")));
  Context now = context();
  now.run.started = "now";
  now.run.argv = {"bench", "--resume"};
  now.run.warnings = {"new"};
  Report second(now, folder / "x.json");
  second.go_on(lock_document(folder / "x.json"), earlier, 1);
  EXPECT_EQ(second.groups(), 1U);
  Group other = usual();
  for (Case& one : other.cases) {
    one.parameters["seed"] = "7";
    one = named(one);
  }
  second.add(other);
  second.finish("");
  const Json whole = parsed(folder / "x.json");
  EXPECT_EQ(whole.at("cases").size(), 12U);
  EXPECT_EQ(whole.at("cases").at(0), written(earlier.cases.at(0)));
  const Json& run = whole.at("context").at("run");
  EXPECT_EQ(run.at("started"), "2026-01-30T12:00:00Z");
  EXPECT_EQ(run.at("argv").at(1), "x") << "as it was begun, for the next time";
  EXPECT_GE(run.at("duration_s").get<double>(), 1000) << "of all parts together";
  EXPECT_GE(run.at("phases_s").at("samples").get<double>(), 300) << "of all parts, too";
  EXPECT_EQ(run.at("resumed").at(0).at("after"), "SIGTERM");
  EXPECT_EQ(run.at("finished"), true);
  EXPECT_EQ(run.at("warnings"),
            (Json{"new", "before the interruption: old", "before the interruption: older"}));
  EXPECT_EQ(run.at("input_hash").at("work").at("f32/10"), "xxh3:0123456789abcdef");
}

TEST(Report, WhatLacksNothingStaysAsItIs) {
  const TemporaryFolder folder;
  {
    Report first(context(), folder / "x.json");
    first.create(false);
    first.add(usual());
    first.finish("");
  }
  const Json before = parsed(folder / "x.json");
  Context now = context();
  now.run.started = "now";
  now.run.warnings = {"5 other tasks were running"};
  Report second(now, folder / "x.json");
  second.keep(lock_document(folder / "x.json"), read_document(folder / "x.json"), 1);
  second.finish("");
  EXPECT_EQ(second.groups(), 1U);
  EXPECT_EQ(second.document().cases.size(), usual().cases.size());
  EXPECT_EQ(parsed(folder / "x.json"), before);
}

TEST(Report, DisturbedCasesAreWarnedOfOnceForAllParts) {
  const TemporaryFolder folder;
  Group waited = usual();
  waited.cases.at(0).timing.preempted = waited.cases.at(0).timing.samples.size();
  {
    Report first(context(), folder / "x.json");
    first.create(false);
    first.add(waited);
    first.finish("SIGTERM");
  }
  const Document earlier = read_document(folder / "x.json");
  ASSERT_EQ(earlier.context.run.warnings.size(), 1U);
  Report second(context(), folder / "x.json");
  second.go_on(lock_document(folder / "x.json"), earlier, 1);
  second.finish("");
  EXPECT_EQ(second.document().context.run.warnings, earlier.context.run.warnings);
}

TEST(Report, ADocumentThatSomebodyWritesIsNotTakenOver) {
  const TemporaryFolder folder;
  Report first(context(), folder / "x.json");
  first.create(false);
  first.add(usual());  // has been replaced since it was created
  const std::string message =
      message_of<std::runtime_error>([&] { lock_document(folder / "x.json"); });
  expect_contains(message, "is being written by another run");
}

TEST(Report, ScalingIsOfVariantsWithSeveralNumbersOfThreads) {
  Group group = usual();
  for (const int threads : {1, 2, 4}) {
    Case one = measured("work", "openmp", "simd", threads == 1 ? 8e-3 : 4e-3);
    one.threads = threads;
    if (threads != 4) one.parameters["threads"] = std::to_string(threads);
    group.cases.push_back(named(one));
  }
  const auto scaling = document_of_groups({group}).scaling;
  ASSERT_EQ(scaling.size(), 1U);
  const ScalingRecord& entry = scaling.at(0);
  EXPECT_EQ(entry.variant, "simd");
  EXPECT_EQ(entry.name.find("threads="), std::string::npos);
  ASSERT_EQ(entry.points.size(), 3U);
  EXPECT_DOUBLE_EQ(entry.points.at(1).speedup.value, 2);
  EXPECT_DOUBLE_EQ(entry.points.at(1).efficiency, 1);
  EXPECT_DOUBLE_EQ(entry.points.at(2).efficiency, 0.5);
  EXPECT_EQ(entry.enough_threads, 2) << "four are not faster";
  EXPECT_EQ(with_plain_blanks(scaling_text(entry)),
            "scaling of openmp/simd: 1.00 on 1, 2.00 on 2 (100 %), 2.00 on 4 (50 %); more than 2 "
            "do not help");
}

TEST(Report, OnABusyNodeNoNumberOfThreadsIsEnough) {
  Group group = usual();
  for (const int threads : {1, 2}) {
    Case one = measured("work", "openmp", "simd", 8e-3);
    one.threads = threads;
    one.parameters["threads"] = std::to_string(threads);
    one.timing.preempted = threads == 1 ? 0 : 5;
    group.cases.push_back(named(one));
  }
  const ScalingRecord entry = document_of_groups({group}).scaling.at(0);
  EXPECT_FALSE(entry.enough_threads);
  EXPECT_EQ(with_plain_blanks(scaling_text(entry)),
            "scaling of openmp/simd: 1.00 on 1, ~1.00 on 2");
  for (Case& one : group.cases) one.timing.preempted = 0;
  EXPECT_EQ(document_of_groups({group}).scaling.at(0).enough_threads, 1);
}

TEST(Report, WithoutAPathNothingIsWritten) {
  Report report(context(), {});
  report.create(false);
  report.add(usual());
  report.finish("");
  EXPECT_EQ(report.document().cases.size(), 6U);
  EXPECT_EQ(report.path(), "");
}

TEST(Report, HoldsWhatTheRunnerMeasures) {
  const Tables tables = tables_of(measure_twice(quick(), honest));
  EXPECT_EQ(tables.cases.size(), 6U);
  for (const Json& row : tables.cases) {
    const bool cuda = row.at("backend") == "cuda";
    EXPECT_EQ(row.at("status"), cuda ? "skipped" : "measured");
    EXPECT_EQ(row.at("reason"), cuda ? Json("built without CUDA") : Json(nullptr));
    EXPECT_EQ(row.at("threads").is_null(), cuda);
    EXPECT_EQ(row.at("isa").is_null(), cuda);
  }
  EXPECT_EQ(find_row(tables.speedups, "twice/serial/naive").at("over_serial").at("value"), 1.0);
}

}  // namespace
}  // namespace bench::test
