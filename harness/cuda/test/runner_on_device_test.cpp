// CUDA variants in the runner: both scopes, and variants that cheat, break or slip.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/base/error.hpp"
#include "harness/command/this_node.hpp"
#include "harness/cuda/test/support.hpp"
#include "harness/cuda/test/twice.hpp"
#include "harness/document/test/records.hpp"
#include "harness/measure/device_place.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

BoundVariant on_device(const char* name, kernels::Twice* kernel, std::size_t n,
                       bool transfers = false) {
  return {
      "cuda",          name,
      "on the device", [=](const Arrays& a) { kernel(a.input<float>(0), a.output<float>(), n); },
      any_size,        transfers};
}

/// copying and twice, with a CUDA variant each.
struct CopyOnDevice final : FakeProblem {
  explicit CopyOnDevice(const Shape& shape) : FakeProblem(shape, 1) {}
  std::vector<BoundVariant> rungs(simd::Isa isa) const override {
    std::vector<BoundVariant> all = CopyProblem({.cols = n}).rungs(isa);
    all.push_back(on_device("copies", kernels::copies, n));
    all.push_back(on_device("overlapped", kernels::overlapped_copies, n, with_transfers));
    return all;
  }
};

const Workload copying_too = of_vectors<CopyOnDevice>("copy", "out = in");

/// out[0] = 2·in[0]: a result much smaller than its input, next to which a copy has half of it.
struct FirstOnDevice final : FakeProblem {
  explicit FirstOnDevice(const Shape& shape) : FakeProblem(shape, 2) {
    output = array_of<float>(1);
    bytes = inputs[0].bytes() + output.bytes();
  }
  std::vector<BoundVariant> rungs(simd::Isa /*isa*/) const override {
    std::vector<BoundVariant> all = honest(1);
    all.push_back(on_device("honest", kernels::honest, 1));
    return all;
  }
};

const Workload only_the_first = of_vectors<FirstOnDevice>("first", "out[0] = 2·in[0]");

Planted with_kernels(std::vector<std::pair<const char*, kernels::Twice*>> more) {
  return [more](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    rungs.push_back(on_device("honest", kernels::honest, n));
    for (const auto& [name, kernel] : more) rungs.push_back(on_device(name, kernel, n));
    return rungs;
  };
}

Planted with_overlapped(std::vector<std::pair<const char*, kernels::Twice*>> more) {
  return [more](std::size_t n) {
    std::vector<BoundVariant> rungs = with_kernels({})(n);
    for (const auto& [name, kernel] : more) {
      rungs.push_back(on_device(name, kernel, n, with_transfers));
    }
    return rungs;
  };
}

class RunnerOnDevice : public WithDevice {
 protected:
  Settings settings() {
    Settings settings = quick();
    settings.sizes = {"1000"};
    settings.with_cuda = true;
    settings.device = &device();
    settings.gpu = GpuSize{device().l2_bytes(), device().facts()->memory_free_bytes.value_or(0)};
    return settings;
  }

  static PlannedGroup planned(const Settings& settings, const Planted& rungs) {
    planted() = rungs;
    const std::vector<const Workload*> workloads{&copying_too, &twice};
    auto groups = plan(workloads, settings);
    if (groups.size() != 1) throw std::logic_error("one group was expected");
    return std::move(groups.front());
  }

  Group measured(const Planted& rungs) { return measured(settings(), rungs); }
  static Group measured(const Settings& settings, const Planted& rungs) {
    return measure(planned(settings, rungs), settings);
  }

  static const Case& named(const Group& group, const std::string& start, const std::string& end) {
    const auto found = std::find_if(group.cases.begin(), group.cases.end(), [&](const Case& one) {
      return one.name.starts_with(start) && one.name.find(end) != std::string::npos;
    });
    if (found == group.cases.end()) throw std::logic_error("no case " + start + end);
    return *found;
  }
  static const Case& kernel(const Group& group, const std::string& variant) {
    return named(group, "twice/cuda/" + variant + "/", "/kernel");
  }
  static const Case& end_to_end(const Group& group, const std::string& variant) {
    return named(group, "twice/cuda/" + variant + "/", "/end_to_end");
  }

  /// The last variant has them all.
  static constexpr const char* all_scopes[] = {"/kernel", "/end_to_end", "/pageable", "/mapped",
                                               "/managed"};

  /// All that has nothing to do with the device, or is honest there.
  static void expect_unharmed(const Group& group, bool device_too) {
    for (const char* path : {"twice/serial/naive", "twice/openmp/naive", "copy/serial/naive"}) {
      EXPECT_EQ(find_case(group, path).status, Status::measured) << find_case(group, path).reason;
    }
    if (!device_too) return;
    for (const Case* one : {&kernel(group, "honest"), &end_to_end(group, "honest"),
                            &named(group, "copy/cuda/copies", "/kernel"),
                            &named(group, "copy/cuda/copies", "/end_to_end"),
                            &named(group, "copy/cuda/overlapped", "/end_to_end")}) {
      EXPECT_EQ(one->status, Status::measured) << one->name << ": " << one->reason;
    }
  }

  void expect_refused(kernels::Twice* culprit, const std::string& reason) {
    for (const CacheMode mode : {CacheMode::cold, CacheMode::hot}) {
      Settings asked = settings();
      asked.cache = mode;
      const Group group = measured(asked, with_kernels({{"hostile", culprit}}));
      for (const char* scope : all_scopes) {
        const Case& one = named(group, "twice/cuda/hostile/", scope);
        EXPECT_EQ(one.status, Status::failed) << one.name;
        expect_contains(one.reason, reason);
        EXPECT_TRUE(one.timing.samples.empty());
      }
      expect_unharmed(group, true);
    }
  }
};

TEST_F(RunnerOnDevice, EachSampleOfAKernelHasOneInTheCacheOfTheDevice) {
  Settings asked = settings();
  asked.sizes = {"4000"};
  // On a busy node it may be unknown what they show: then there are none.
  bool known = false;
  for (int tries = 0; !known && tries < 10; ++tries) {
    const Group group = measured(asked, with_kernels({}));
    for (const Case& one : group.cases) {
      if (!one.measured() || one.backend != "cuda" || one.timing.in_cache.empty()) continue;
      EXPECT_TRUE(one.workload == "twice" && one.scope == Scope::kernel) << one.name;
      EXPECT_EQ(one.timing.in_cache.size(), one.timing.samples.size()) << one.name;
      for (const double seconds : one.timing.in_cache) EXPECT_GT(seconds, 0);
    }
    known = !kernel(group, "honest").timing.in_cache.empty();
  }
  EXPECT_TRUE(known);
}

// Where the threads' caches are as large as the part of the device's that is used.
TEST_F(RunnerOnDevice, ProcessorsHaveAProblemOfTheirOwnInTheCache) {
  Settings asked = settings();
  const auto threads = static_cast<std::size_t>(asked.job_threads);
  asked.own_cache_bytes = device().l2_bytes() / 2 / threads;
  asked.sizes = {"4000"};
  const PlannedGroup group = planned(asked, with_kernels({}));
  std::map<std::string, std::set<const Problem*>> near;
  for (const PlannedCase& one : group.cases) {
    if (one.in_cache) near[one.identity.backend].insert(one.in_cache->problem.get());
  }
  ASSERT_EQ(near["openmp"].size(), 1U);
  ASSERT_EQ(near["cuda"].size(), 1U);
  EXPECT_NE(near["openmp"], near["cuda"]);
}

TEST_F(RunnerOnDevice, WhatIsWrongInTheCacheOnlyHasNoTime) {
  // So that what fits into the cache is smaller.
  const std::size_t large = device().l2_bytes() / sizeof(double);
  Settings asked = settings();
  asked.scopes = {Scope::kernel};
  asked.sizes = {std::to_string(large)};
  const auto slips_when_small = [large](std::size_t n) {
    std::vector<BoundVariant> rungs = honest(n);
    rungs.push_back(on_device("honest", kernels::honest, n));
    rungs.push_back(on_device("slips", kernels::honest, n));
    rungs.back().run = [n, large](const Arrays& a) {
      kernels::honest(a.input<float>(0), a.output<float>(), n < large ? n - 1 : n);
    };
    return rungs;
  };
  const Group group = measured(asked, slips_when_small);
  EXPECT_EQ(kernel(group, "honest").status, Status::measured) << kernel(group, "honest").reason;
  EXPECT_EQ(kernel(group, "slips").status, Status::failed);
  expect_contains(kernel(group, "slips").reason, "right at first, but not on data in the cache: ");
  expect_unharmed(group, false);
}

TEST_F(RunnerOnDevice, TellsTheEnergyOfTheGpuForItsOwnCases) {
  double joules = 0;
  Settings asked = settings();
  asked.cache = CacheMode::hot;
  asked.energy = true;
  asked.gpu_energy = {"gpu", [&]() -> std::optional<double> { return joules += 2; }, 1e-12};
  const Group group = measured(asked, with_kernels({{"strided", kernels::strided}}));
  for (const Case* const one : {&kernel(group, "strided"), &end_to_end(group, "strided")}) {
    ASSERT_TRUE(one->energy) << one->name << ": " << one->reason << one->no_energy;
    EXPECT_EQ(one->energy->of, "gpu");
    EXPECT_EQ(one->energy->joules.size(), 3U);
  }
  EXPECT_FALSE(find_case(group, "twice/serial/naive").energy);
  EXPECT_FALSE(named(group, "copy/cuda/copies", "/kernel").energy);
  for (const char* scope : {"/pageable", "/mapped"}) {
    const Case& other = named(group, "twice/cuda/strided/", scope);
    EXPECT_EQ(other.no_energy, "not measured with memory of this kind") << other.reason;
  }
}

TEST_F(RunnerOnDevice, RunsThatFollowEachOtherInTheL2AreNotThoseThatWereTimed) {
  double joules = 0;
  Settings asked = settings();
  asked.energy = true;
  asked.gpu_energy = {"gpu", [&]() -> std::optional<double> { return joules += 2; }, 1e-12};
  expect_contains(
      kernel(measured(asked, with_kernels({{"strided", kernels::strided}})), "strided").no_energy,
      "the arrays fit the caches");
}

TEST_F(RunnerOnDevice, MeasuresBothScopesInTheSameRounds) {
  const Group group = measured(with_kernels({{"strided", kernels::strided}}));
  expect_unharmed(group, true);
  const Tables tables = tables_of(group);
  const std::size_t samples = find_case(group, "twice/serial/naive").timing.samples.size();
  for (const char* variant : {"honest", "strided"}) {
    const Case& alone = kernel(group, variant);
    const Case& whole = end_to_end(group, variant);
    EXPECT_EQ(alone.scope, Scope::kernel);
    EXPECT_EQ(whole.scope, Scope::end_to_end);
    EXPECT_GE(alone.timing.samples.size(), samples);
    EXPECT_EQ(whole.timing.samples.size(), alone.timing.samples.size());
    EXPECT_TRUE(alone.first_use_s.has_value());
    ASSERT_TRUE(alone.launch.has_value());
    EXPECT_EQ(alone.launch->block[0], 64U);
    EXPECT_GT(alone.launch_s, 0);
    EXPECT_FALSE(whole.launch_s.has_value()) << "it returns when all is done";
    ASSERT_TRUE(alone.gpu.has_value());
    EXPECT_EQ(alone.gpu->uuid, device().uuid());
    EXPECT_FALSE(alone.threads);
    EXPECT_FALSE(alone.isa);
  }
  for (const Json& row : tables.speedups) {
    EXPECT_TRUE(row.at("over_serial").is_object()) << row.at("name");
    EXPECT_TRUE(row.at("share_of_copy").is_number()) << row.at("name");
    EXPECT_NE(row.at("over_best_cpu").at("baseline").get<std::string>().find("/kernel"),
              std::string::npos)
        << "a CUDA variant is no CPU variant";
  }
}

TEST_F(RunnerOnDevice, TheReferenceIsThatOfTheSameScope) {
  const Group group = measured(with_kernels({}));
  const Tables tables = tables_of(group);
  for (const Scope which : {Scope::kernel, Scope::end_to_end}) {
    const std::string scope = fmt::format("/{}", name_of(which));
    const double copy = [&] {
      double best = median(named(group, "copy/cuda/copies", scope).timing.samples);
      for (const Case& other : group.cases) {
        if (other.variant != "overlapped" || other.scope != which) continue;
        best = std::min(best, median(other.timing.samples));
      }
      return best;
    }();
    const Case& one = named(group, "twice/cuda/honest", scope);
    const Json row = [&] {
      for (const Json& candidate : tables.cases) {
        if (candidate.at("name") == one.name) return candidate;
      }
      return Json();
    }();
    EXPECT_DOUBLE_EQ(row.at("share_of_copy").get<double>(),
                     std::min(1.0, copy / median(one.timing.samples)));
  }
}

TEST_F(RunnerOnDevice, TheDefaultSizeIsBeyondItsCache) {
  Settings asked = settings();
  asked.sizes = {"default"};
  const auto elements = [&] {
    return planned(asked, with_kernels({})).cases.front().identity.elements;
  };
  EXPECT_GT(elements(), twice.default_shape.elements());
  asked.memory_allowance = [] { return MemoryAllowance{30'000, "a test"}; };
  EXPECT_EQ(elements(), twice.default_shape.elements()) << "three times the arrays";
  asked.memory_allowance = {};
  asked.backends = {"serial"};
  EXPECT_EQ(elements(), twice.default_shape.elements()) << "no variant runs there";
}

TEST_F(RunnerOnDevice, ANumberThatNoDeviceHasIsRefused) {
  Settings asked = settings();
  asked.gpu_number = 1'000;
  planted() = with_kernels({});
  const std::vector<const Workload*> workloads{&copying_too, &twice};
  auto groups = plan(workloads, asked);
  EXPECT_THROW(open_device(groups, asked), UsageError);
}

// As the program does: what is planned without a device is planned again with it.
TEST_F(RunnerOnDevice, ThePlanWaitsForTheDevice) {
  Settings asked = settings();
  asked.sizes = {"default"};
  asked.device = nullptr;
  asked.gpu.reset();
  planted() = with_kernels({});
  const std::vector<const Workload*> workloads{&copying_too, &twice};
  auto groups = plan(workloads, asked);
  const std::string before = groups.front().size;
  const auto opened = open_device(groups, asked);
  ASSERT_NE(opened, nullptr);
  groups = plan(workloads, asked);
  EXPECT_EQ(before, "1000");
  EXPECT_NE(groups.front().size, before);
}

TEST_F(RunnerOnDevice, OtherShapesOfArraysToo) {
  Settings asked = settings();
  for (const char* size : {"0", "1", "63", "100003"}) {
    asked.sizes = {size};
    expect_unharmed(measured(asked, with_kernels({{"strided", kernels::strided}})), true);
  }
}

TEST_F(RunnerOnDevice, HotModeBatchesRuns) {
  Settings hot = settings();
  hot.cache = CacheMode::hot;
  const Group group = measured(hot, with_kernels({}));
  expect_unharmed(group, true);
  EXPECT_GE(kernel(group, "honest").timing.batch, 1U);
}

TEST_F(RunnerOnDevice, ChecksWithoutTimingToo) {
  const Settings asked = settings();
  const Group group = verify(planned(asked, with_kernels({{"no_tail", kernels::no_tail}})), asked);
  EXPECT_EQ(kernel(group, "honest").status, std::nullopt);
  EXPECT_EQ(end_to_end(group, "honest").status, std::nullopt);
  EXPECT_EQ(kernel(group, "no_tail").status, Status::failed);
}

TEST_F(RunnerOnDevice, RefusesOneTooMany) {
  expect_refused(kernels::one_too_many,
                 "wrote past the end of an array (byte 1 after it): the output");
}
TEST_F(RunnerOnDevice, RefusesOneTooManyThatIsCopied) {
  const Group group = measured([](std::size_t n) {
    std::vector<BoundVariant> rungs = with_kernels({})(n);
    rungs.push_back({"cuda", "one_more", "", [n](const Arrays& a) {
                       kernels::copies(a.input<float>(0), a.output<float>(), n + 1);
                     }});
    return rungs;
  });
  for (const char* scope : {"/kernel", "/end_to_end", "/managed"}) {
    expect_contains(named(group, "twice/cuda/one_more", scope).reason,
                    "wrote past the end of an array (byte 1 after it)");
  }
}
TEST_F(RunnerOnDevice, RefusesOneBefore) {
  expect_refused(kernels::one_before, "wrote before the start of an array");
}
TEST_F(RunnerOnDevice, RefusesAMissingTail) {
  expect_refused(kernels::no_tail, "left out 1 of 1000 elements, the first at index 999");
}
TEST_F(RunnerOnDevice, RefusesAKernelThatWritesNothing) {
  expect_refused(kernels::writes_nothing, "wrote nothing");
}
TEST_F(RunnerOnDevice, MeasuresSeveralLaunchesOfWhatLeavesTheChoice) {
  Settings asked = settings();
  asked.blocks = {32, 128};
  const Group group = measured(
      asked, with_kernels({{"strided", kernels::strided}, {"fixed", kernels::in_fixed_blocks}}));
  for (const unsigned block : {32U, 128U}) {
    const std::string end = fmt::format("/kernel,block={}", block);
    for (const char* variant : {"honest", "strided"}) {
      const Case& one = named(group, fmt::format("twice/cuda/{}/", variant), end);
      EXPECT_EQ(one.status, Status::measured) << one.reason;
      EXPECT_EQ(one.launch->block[0], block);
    }
    const Case& fixed = named(group, "twice/cuda/fixed/", end);
    EXPECT_EQ(fixed.status, Status::skipped);
    EXPECT_EQ(fixed.reason, "leaves no choice of threads per block");
  }
  EXPECT_EQ(end_to_end(group, "fixed").status, Status::measured);
  EXPECT_EQ(end_to_end(group, "strided").launch->block[0], 64U) << "its own";
  EXPECT_EQ(named(group, "copy/cuda/copies", "/kernel").launch->block[0], 64U);
}

TEST_F(RunnerOnDevice, ProfilesWithOneRunMore) {
  PlannedGroup group = planned(settings(), with_kernels({{"hostile", kernels::writes_nothing}}));
  std::erase_if(group.cases, [](const PlannedCase& one) {
    return one.identity.backend != "cuda" || one.identity.scope != Scope::kernel ||
           one.identity.beside;
  });
  const Group result = profile(group, settings());
  const Case& honest = kernel(result, "honest");
  EXPECT_EQ(honest.status, std::nullopt);
  EXPECT_EQ(honest.timing.samples.size(), 1U);
  EXPECT_EQ(kernel(result, "hostile").status, Status::failed);
  EXPECT_TRUE(kernel(result, "hostile").timing.samples.empty());
}

TEST_F(RunnerOnDevice, RefusesAVariantThatLaunchesNothing) {
  expect_refused(kernels::launches_nothing, "wrote nothing");
}
TEST_F(RunnerOnDevice, RefusesWritesIntoTheInput) {
  expect_refused(kernels::into_the_input, "wrote into its input");
}
TEST_F(RunnerOnDevice, RefusesMoreThreadsThanABlockHas) {
  expect_refused(kernels::too_many_threads, "launch: invalid");
}
TEST_F(RunnerOnDevice, RefusesMoreSharedMemoryThanABlockHas) {
  expect_refused(kernels::too_much_shared, "launch: invalid");
}

TEST_F(RunnerOnDevice, RefusesAnAnswerThatIsKept) {
  const Group group = measured([](std::size_t n) {
    std::vector<BoundVariant> rungs = with_kernels({})(n);
    const auto kept = std::make_shared<cuda::DeviceBuffer>(n * sizeof(float));
    rungs.push_back({"cuda", "replays", "", [n, kept, calls = 0](const Arrays& a) mutable {
                       auto* const mine = static_cast<float*>(kept->data());
                       if (calls++ == 0) kernels::honest(a.input<float>(0), mine, n);
                       kernels::copies(mine, a.output<float>(), n);
                     }});
    return rungs;
  });
  EXPECT_EQ(kernel(group, "replays").status, Status::failed);
  expect_contains(kernel(group, "replays").reason, "replayed an earlier answer");
  expect_unharmed(group, true);
}

TEST_F(RunnerOnDevice, RefusesWhatGoesWrongOnlyWhileMeasured) {
  const Group group = measured([](std::size_t n) {
    std::vector<BoundVariant> rungs = with_kernels({})(n);
    rungs.push_back({"cuda", "tires", "", [n, calls = 0](const Arrays& a) mutable {
                       auto* const kernel = ++calls > 6 ? kernels::no_tail : kernels::honest;
                       kernel(a.input<float>(0), a.output<float>(), n);
                     }});
    rungs.push_back({"cuda", "spoils", "", [n, calls = 0](const Arrays& a) mutable {
                       auto* const kernel = ++calls > 6 ? kernels::into_the_input : kernels::honest;
                       kernel(a.input<float>(0), a.output<float>(), n);
                     }});
    return rungs;
  });
  expect_contains(kernel(group, "tires").reason,
                  "right at first, but not while measured: left out");
  expect_contains(kernel(group, "spoils").reason, "wrote into its input");
  expect_unharmed(group, true);
}

TEST_F(RunnerOnDevice, AFullDeviceIsAReasonWithFigures) {
  std::vector<cuda::DeviceBuffer> hogs;
  for (std::size_t bytes = device().free_bytes(); bytes > 4096; bytes /= 2) {
    try {
      hogs.emplace_back(bytes);
    } catch (const cuda::OutOfMemory&) {
      // half of it, perhaps
    }
  }
  Settings asked = settings();
  asked.sizes = {"1000000"};
  const Group group = measured(asked, with_kernels({}));
  expect_unharmed(group, false);
  for (const Case* one : {&kernel(group, "honest"), &end_to_end(group, "honest")}) {
    EXPECT_EQ(one->status, Status::skipped);
    expect_contains(one->reason, "memory: needs 8 MB, ");
    expect_contains(one->reason, "on the device");
  }
}

TEST_F(RunnerOnDevice, ALostDeviceTakesOnlyItsOwnCasesWithIt) {
  const Group group = measured(with_kernels({{"trap", kernels::takes_a_trap}}));
  expect_unharmed(group, false);
  EXPECT_EQ(kernel(group, "trap").status, Status::failed);
  EXPECT_EQ(end_to_end(group, "trap").status, Status::skipped);
  expect_contains(end_to_end(group, "trap").reason, "device lost: twice/cuda/trap/f32/1000/kernel");
  EXPECT_EQ(kernel(group, "honest").status, Status::skipped);

  const Group next = measured(with_kernels({}));
  expect_unharmed(next, false);
  EXPECT_EQ(kernel(next, "honest").status, Status::skipped);
  expect_contains(kernel(next, "honest").reason, "device lost: ");
}

// As in some containers.
TEST_F(RunnerOnDevice, WithoutPinnedMemoryTheKernelsAreStillMeasured) {
  if (!refuse_next("cudaHostRegister")) GTEST_SKIP() << "this device pins memory";
  const Group group = measured(with_kernels({}));
  EXPECT_EQ(kernel(group, "honest").status, Status::measured) << kernel(group, "honest").reason;
  for (const Case* one :
       {&end_to_end(group, "honest"), &named(group, "copy/cuda/overlapped", "/end_to_end")}) {
    EXPECT_EQ(one->status, Status::skipped);
    expect_contains(one->reason, "host memory cannot be pinned: cudaHostRegister: ");
  }
  // The next group may have better luck.
  EXPECT_EQ(end_to_end(measured(with_kernels({})), "honest").status, Status::measured);
}

// Such work may be done before the first event, or after the second. Of work that takes no longer
// than its launch neither clock can tell.
TEST_F(RunnerOnDevice, RefusesWorkThatTheEventsDoNotSee) {
  streams_early(true);
  for (const CacheMode mode : {CacheMode::cold, CacheMode::hot}) {
    Settings asked = settings();
    asked.cache = mode;
    if (real_device) asked.sizes = {"20000000"};
    const Group group = measured(asked, with_kernels({{"elsewhere", kernels::elsewhere}}));
    EXPECT_EQ(kernel(group, "elsewhere").status, Status::failed);
    expect_contains(kernel(group, "elsewhere").reason,
                    "works where the device's events do not see it");
    EXPECT_EQ(end_to_end(group, "elsewhere").status, Status::measured) << "the wall clock sees it";
    expect_unharmed(group, true);
  }
}

TEST_F(RunnerOnDevice, ReachesMemoryOfEveryKind) {
  for (const char* size : {"0", "1", "1000", "100003"}) {
    for (const CacheMode mode : {CacheMode::cold, CacheMode::hot}) {
      Settings asked = settings();
      asked.cache = mode;
      asked.sizes = {size};
      const Group group = measured(asked, with_kernels({}));
      for (const char* scope : all_scopes) {
        for (const Case* one : {&named(group, "twice/cuda/honest/", scope),
                                &named(group, "copy/cuda/copies/", scope)}) {
          EXPECT_EQ(one->status, Status::measured) << one->name << ": " << one->reason;
        }
      }
    }
  }
}

TEST_F(RunnerOnDevice, MemoryOfEveryKindOnTheUsersDataAndWithoutAClockToo) {
  const Settings asked = settings();
  const Group group = verify(planned(asked, with_kernels({{"no_tail", kernels::no_tail}})), asked);
  for (const char* scope : {"/pageable", "/mapped", "/managed"}) {
    EXPECT_EQ(named(group, "twice/cuda/no_tail/", scope).status, Status::failed);
    EXPECT_EQ(named(group, "copy/cuda/copies/", scope).status, std::nullopt);
  }
}

// Where the host's memory is not as a scope needs it, the others are measured.
TEST_F(RunnerOnDevice, MemoryOfAKindThatIsRefusedIsAReason) {
  if (!refuse_next("cudaMallocManaged")) GTEST_SKIP() << "this device gives managed memory";
  const Group refused = measured(with_kernels({}));
  EXPECT_EQ(named(refused, "twice/cuda/honest", "/managed").status, Status::skipped);
  expect_contains(named(refused, "twice/cuda/honest", "/managed").reason, "cudaMallocManaged: ");
  EXPECT_EQ(named(refused, "twice/cuda/honest", "/pageable").status, Status::measured);
  expect_unharmed(refused, true);

  refuse_next("cudaHostRegister");
  const Group unpinned = measured(with_kernels({}));
  EXPECT_EQ(named(unpinned, "twice/cuda/honest", "/mapped").status, Status::skipped);
  for (const char* scope : {"/kernel", "/pageable", "/managed"}) {
    EXPECT_EQ(named(unpinned, "twice/cuda/honest", scope).status, Status::measured);
  }

  // Room for the arrays themselves, but not for them twice.
  Settings tight = settings();
  tight.memory_allowance = [asked = 0]() mutable {
    return MemoryAllowance{asked++ == 0 ? std::size_t{1} << 30U : 0, "a test"};
  };
  const Group once = measured(tight, with_kernels({}));
  for (const char* scope : {"/pageable", "/managed"}) {
    EXPECT_EQ(named(once, "twice/cuda/honest", scope).status, Status::skipped);
    expect_contains(named(once, "twice/cuda/honest", scope).reason, "memory: needs ");
  }
  expect_unharmed(once, true);
}

// Its slowest variant is asleep for three quarters of each round.
TEST_F(RunnerOnDevice, IsSampledSeveralTimesWhereTheCpuIsSlow) {
  Settings asked = settings();
  asked.max_samples = 40;
  const Group group = measured(asked, [](std::size_t n) {
    std::vector<BoundVariant> rungs = with_kernels({})(n);
    rungs.push_back({"serial", "sleeps", "", [n, awake = Stopwatch()](const Arrays& a) mutable {
                       const std::chrono::duration<double> others(3 * awake.seconds());
                       std::this_thread::sleep_for(others);
                       doubled(a, n);
                       awake = Stopwatch();
                     }});
    return rungs;
  });
  expect_unharmed(group, true);
  const auto samples = [](const Case& one) { return one.timing.samples.size(); };
  const std::size_t rounds = samples(find_case(group, "twice/serial/sleeps"));
  const Case& alone = kernel(group, "honest");
  const Case& moved = end_to_end(group, "honest");
  EXPECT_GT(samples(alone), rounds);
  EXPECT_GT(samples(moved), rounds);
  // A long run takes one turn: on a simulated device any may be long.
  const auto longest = [](const Case& one) {
    return *std::max_element(one.timing.samples.begin(), one.timing.samples.end());
  };
  if (std::max(longest(alone), longest(moved)) < 0.5e-3) {
    EXPECT_EQ(samples(moved), samples(alone));
  }
  EXPECT_EQ(samples(named(group, "twice/cuda/honest/", "/managed")),
            samples(find_case(group, "twice/serial/naive")));
  EXPECT_LE(samples(kernel(group, "honest")), asked.max_samples);
}

TEST_F(RunnerOnDevice, RefusesWorkThatLeavesTheEventsWhileMeasured) {
  streams_early(true);
  if (real_device) GTEST_SKIP() << "there the work must take longer than its launch";
  bool measuring = false;
  const PlannedGroup group = planned(settings(), [&](std::size_t n) {
    std::vector<BoundVariant> rungs = with_kernels({})(n);
    rungs.push_back({"cuda", "leaves", "", [n, &measuring](const Arrays& a) {
                       auto* const kernel = measuring ? kernels::elsewhere : kernels::honest;
                       kernel(a.input<float>(0), a.output<float>(), n);
                     }});
    return rungs;
  });
  const Group result = measure(group, settings(), [&](const std::string& what, double) {
    measuring = measuring || what.starts_with("measuring ");
  });
  expect_contains(kernel(result, "leaves").reason,
                  "right at first, but not while measured: works where the device's events");
  expect_unharmed(result, true);
}

// In front of the arrays and behind them.
TEST_F(RunnerOnDevice, TheGuardsAreWhereMappedArraysAre) {
  for (auto* const kernel : {kernels::one_before, kernels::one_too_many}) {
    const Group group = measured(with_kernels({{"hostile", kernel}}));
    expect_contains(named(group, "twice/cuda/hostile/", "/mapped").reason, "wrote ");
    EXPECT_EQ(device().reason(), "");
  }
}

TEST_F(RunnerOnDevice, AnAddressThatIsRefusedIsAReason) {
  if (!refuse_next("cudaHostGetDevicePointer")) GTEST_SKIP() << "this device gives addresses";
  const Group group = measured(with_kernels({}));
  const auto skipped = std::count_if(group.cases.begin(), group.cases.end(), [](const Case& one) {
    return one.status == Status::skipped && one.scope == Scope::mapped;
  });
  EXPECT_EQ(skipped, 2) << "the variant, and the copy that it is compared with";
  EXPECT_EQ(kernel(group, "honest").status, Status::measured);
}

// One that waits between two samples lowers its clock.
TEST_F(RunnerOnDevice, SamplesOnTheDeviceFollowEachOther) {
  const PlannedGroup planned = planned_twice(settings(), with_kernels({}));
  std::vector<std::string> order;
  measure(planned, settings(), [&](const std::string& what, double) {
    if (what.starts_with("measuring ")) order.push_back(what);
  });
  std::size_t changes = 0;
  std::size_t rounds = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto on_gpu = [&](std::size_t k) { return order[k].find("/cuda/") != std::string::npos; };
    changes += on_gpu(i) != on_gpu(i - 1) ? 1 : 0;
    rounds += !on_gpu(i) && on_gpu(i - 1) ? 1 : 0;
  }
  EXPECT_GE(rounds, 8U);
  EXPECT_EQ(changes, 2 * rounds + 1);
}

TEST_F(RunnerOnDevice, NoDeviceNoTime) {
  Settings asked = settings();
  asked.device = nullptr;
  asked.gpu.reset();
  const Group group = measured(asked, with_kernels({}));
  expect_unharmed(group, false);
  for (const Case* one : {&kernel(group, "honest"), &end_to_end(group, "honest")}) {
    EXPECT_EQ(one->status, Status::skipped);
    EXPECT_EQ(one->reason, "no device");
    EXPECT_TRUE(one->timing.samples.empty());
  }
}

// ---- variants that move their data themselves ----

class OverlappedOnDevice : public RunnerOnDevice {
 protected:
  void SetUp() override {
    RunnerOnDevice::SetUp();
    cuda::override_configuration({.chunk = 128});  // of 1000 elements
  }

  void expect_overlap_refused(kernels::Twice* culprit, const std::string& reason) {
    for (const CacheMode mode : {CacheMode::cold, CacheMode::hot}) {
      Settings asked = settings();
      asked.cache = mode;
      const Group group = measured(asked, with_overlapped({{"hostile", culprit}}));
      const Case& one = end_to_end(group, "hostile");
      EXPECT_EQ(one.status, Status::failed);
      expect_contains(one.reason, reason);
      EXPECT_TRUE(one.timing.samples.empty());
      expect_unharmed(group, true);
    }
  }
};

TEST_F(OverlappedOnDevice, IsMeasuredEndToEndOnly) {
  for (const bool early : stream_orders) {
    streams_early(early);
    Settings asked = settings();
    for (const CacheMode mode : {CacheMode::cold, CacheMode::hot}) {
      asked.cache = mode;
      const Group group = measured(asked, with_overlapped({{"overlapped", kernels::overlapped},
                                                           {"adds", kernels::adds_up}}));
      expect_unharmed(group, true);
      for (const char* name : {"overlapped", "adds"}) {
        const Case& one = end_to_end(group, name);
        EXPECT_EQ(one.status, Status::measured) << one.reason;
        EXPECT_EQ(one.timing.samples.size(), kernel(group, "honest").timing.samples.size());
        ASSERT_TRUE(one.launch.has_value());
        EXPECT_EQ(one.launch->block[0], 64U);
        EXPECT_THROW(kernel(group, name), std::logic_error) << "a row in the scope kernel";
      }
    }
  }
}

TEST_F(OverlappedOnDevice, AnySizeAndAnyChunk) {
  Settings asked = settings();
  for (const bool early : stream_orders) {
    streams_early(early);
    for (const std::size_t chunk : {0U, 1U, 128U, 1000U, 5000U}) {
      cuda::override_configuration({.chunk = chunk});
      for (const char* size : {"0", "1", "127", "128", "129", "1000", "100003"}) {
        if (chunk > 0 && chunk < 1000 && std::string(size).size() > 4) continue;
        asked.sizes = {size};
        const auto planned_cases = planned(
            asked,
            with_overlapped({{"overlapped", kernels::overlapped}, {"adds", kernels::adds_up}}));
        for (const Case& one : verify(planned_cases, asked).cases) {
          EXPECT_EQ(one.status, std::nullopt) << one.name << " in " << chunk << ": " << one.reason;
        }
      }
    }
  }
}

TEST_F(OverlappedOnDevice, RefusesAChunkLeftOut) {
  expect_overlap_refused(kernels::no_last_chunk, "left out part of its input");
}
TEST_F(OverlappedOnDevice, RefusesInputLeftOnTheHost) {
  expect_overlap_refused(kernels::no_last_upload, "left out part of its input");
}
TEST_F(OverlappedOnDevice, RefusesAResultLeftOnTheDevice) {
  expect_overlap_refused(kernels::no_last_download,
                         "left out 104 of 1000 elements, the first at index 896");
}
TEST_F(OverlappedOnDevice, RefusesAResultFetchedBeforeItsKernel) {
  expect_overlap_refused(kernels::download_first, "wrote nothing");
}
TEST_F(OverlappedOnDevice, RefusesAChunkThatIsAddedTwice) {
  expect_overlap_refused(kernels::adds_up_twice, "104 of 1000 elements");
}
TEST_F(OverlappedOnDevice, RefusesWritesIntoTheInput) {
  expect_overlap_refused(kernels::into_its_upload, "or wrote into it");
}
TEST_F(OverlappedOnDevice, RefusesTransfersBeyondTheArrays) {
  expect_overlap_refused(kernels::download_too_much, "a transfer beyond the arrays");
}
TEST_F(OverlappedOnDevice, RefusesAChunkThatCannotBeStarted) {
  expect_overlap_refused(kernels::refused_chunk, "launch: invalid");
}
TEST_F(OverlappedOnDevice, RefusesAVariantThatMovesNothing) {
  expect_overlap_refused(kernels::honest, "left out part of its input");
}

TEST_F(OverlappedOnDevice, RefusesInputThatIsNoLongerBroughtWhileMeasured) {
  const Group group = measured([](std::size_t n) {
    std::vector<BoundVariant> rungs = with_overlapped({})(n);
    rungs.push_back({"cuda", "tires", "",
                     [n, calls = 0](const Arrays& a) mutable {
                       auto* const kernel =
                           ++calls > 3 ? kernels::no_last_upload : kernels::overlapped;
                       kernel(a.input<float>(0), a.output<float>(), n);
                     },
                     any_size, with_transfers});
    return rungs;
  });
  expect_contains(end_to_end(group, "tires").reason, "right at first, but not while measured: ");
  expect_unharmed(group, true);
}

TEST_F(OverlappedOnDevice, StandsBesideAWorkloadOfASmallResult) {
  Settings asked = settings();
  asked.filters = {"first"};
  const std::vector<const Workload*> workloads{&copying_too, &only_the_first};
  const Group group = measure(plan(workloads, asked).front(), asked);
  for (const char* scope : {"/kernel", "/end_to_end"}) {
    EXPECT_EQ(named(group, "copy/cuda/copies/f32/500", scope).status, Status::measured);
  }
  const Case& overlapped = named(group, "copy/cuda/overlapped/f32/500", "/end_to_end");
  EXPECT_EQ(overlapped.status, Status::measured) << overlapped.reason;
}

TEST_F(OverlappedOnDevice, AReferenceMovesNoMoreThanItHas) {
  PlannedGroup group;
  group.problem = std::make_shared<FirstOnDevice>(Shape{.cols = 1000});
  const auto copy = std::make_shared<CopyOnDevice>(Shape{.cols = 500});
  const auto one = std::make_shared<FirstOnDevice>(Shape{.cols = 1000});
  group.references = {copy, one};
  HostArrays host(group);
  host.generate(1);
  cuda::DeviceArrays there(group, host);
  there.take_inputs();
  const cuda::Extents half = there.extents(copy.get());
  std::vector<std::size_t> bytes;
  for (const cuda::Mirror& mirror : there.mirrors(half)) bytes.push_back(mirror.bytes);
  EXPECT_EQ(bytes, (std::vector<std::size_t>{2000, 2000}));

  auto* const in = host.arrays().mutable_input<float>(0);
  std::fill_n(in + 500, 500, 0.0F);
  there.upload_inputs(half, host.reference_arrays(1));
  EXPECT_FALSE(there.repair_inputs()) << "more than half has been uploaded";

  auto* const out = host.reference_arrays(1).output<float>();
  std::fill_n(out, 500, 7.0F);
  there.poison_output(true);
  there.download_output(there.extents(one.get()), host.reference_arrays(1));
  device().wait();
  EXPECT_NE(out[0], 7.0F);
  EXPECT_EQ(std::count(out, out + 500, 7.0F), 499);
}

// On a device these are right or wrong by chance.
TEST_F(OverlappedOnDevice, RefusesWhatDoesNotWaitForWhatItNeeds) {
  if (real_device) GTEST_SKIP() << "only the stand-in chooses the order of streams";
  expect_overlap_refused(kernels::download_beside, "wrote nothing");
  streams_early(true);
  expect_overlap_refused(kernels::upload_beside, "wrote nothing");
  expect_overlap_refused(kernels::zeroes_beside, "elements");
}

TEST_F(OverlappedOnDevice, AnErrorInOneChunkIsNoticed) {
  const Group group = measured(with_overlapped({{"trap", kernels::trap_in_a_chunk}}));
  expect_unharmed(group, false);
  EXPECT_EQ(end_to_end(group, "trap").status, Status::failed);
  EXPECT_FALSE(device().reason().empty());
  const Group next = measured(with_overlapped({{"overlapped", kernels::overlapped}}));
  EXPECT_EQ(end_to_end(next, "overlapped").status, Status::skipped);
  expect_contains(end_to_end(next, "overlapped").reason, "device lost: ");
}

}  // namespace
}  // namespace bench::test
