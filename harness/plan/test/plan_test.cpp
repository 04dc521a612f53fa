#include "harness/plan/plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/measure/test/fakes.hpp"
#include "harness/plan/filters.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using Names = std::vector<std::string>;

std::vector<PlannedGroup> planned_groups(const Settings& settings) {
  planted() = honest;
  const auto workloads = registry();
  return plan(workloads, settings);
}

/// The names of all cases, and of references in parentheses.
Names names_of(const std::vector<PlannedGroup>& groups) {
  Names names;
  for (const PlannedGroup& group : groups) {
    for (const PlannedCase& one : group.cases) {
      names.push_back(one.identity.reference ? "(" + one.identity.name + ")" : one.identity.name);
    }
  }
  return names;
}

Settings only(Names filters, Names sizes = {"default"}) {
  Settings settings;
  settings.filters = std::move(filters);
  settings.sizes = std::move(sizes);
  settings.job_threads = 4;
  return settings;
}

Names names(const Settings& settings) { return names_of(planned_groups(settings)); }

TEST(Plan, NamesCarryTheWholeIdentity) {
  EXPECT_EQ(names(only({"twice"})),
            (Names{"twice/serial/naive/f32/1000/kernel", "twice/serial/other/f32/1000/kernel",
                   "twice/openmp/naive/f32/1000/kernel", "twice/cuda/*/f32/1000/kernel",
                   "(copy/serial/naive/f32/1000/kernel,beside=twice:1000)",
                   "(copy/openmp/naive/f32/1000/kernel,beside=twice:1000)"}));
}

TEST(Plan, ShapesAreWrittenAsEachWorkloadNeeds) {
  const Names all = names(only({"*/serial/naive"}, {"100"}));
  for (const char* name :
       {"copy/serial/naive/f32/100/kernel", "twice/serial/naive/f32/100/kernel",
        "counting/serial/naive/f32/100:16/kernel", "turning/serial/naive/f32/10x10/kernel"}) {
    EXPECT_EQ(std::count(all.begin(), all.end(), name), 1) << name;
  }
}

TEST(Plan, ParametersFollowSortedAndOnlyWhenSet) {
  Settings settings = only({"twice/openmp"}, {"7"});
  settings.threads = {2, 16};
  settings.seed = 5;
  settings.cache = CacheMode::hot;
  settings.isa_given = true;
  const std::string set = "cache=hot,isa=baseline,seed=5";
  const std::string copy = "/naive/f32/7/kernel,beside=twice:7," + set;
  EXPECT_EQ(
      names(settings),
      (Names{"(twice/serial/naive/f32/7/kernel," + set + ")",
             "twice/openmp/naive/f32/7/kernel," + set + ",threads=2",
             "twice/openmp/naive/f32/7/kernel," + set + ",threads=16", "(copy/serial" + copy + ")",
             "(copy/openmp" + copy + ",threads=2)", "(copy/openmp" + copy + ",threads=16)"}));
}

TEST(Plan, AllNamesOfALargeRunAreUnique) {
  Settings settings = only({});
  settings.sizes = {"tiny", "default", "course", "0",     "1",    "2",
                    "3",    "4",       "10",     "11",    "1000", "1001",
                    "1e3",  "10x100",  "100x10", "25x40", "2x3",  "1000x1"};
  settings.dtypes = {Dtype::f32, Dtype::f64};
  settings.bins = {1, 2, 3, 10, 100};
  settings.threads = {1, 2, 3, 4};
  const Names all = names(settings);
  EXPECT_GT(all.size(), 1000U);
  std::set<std::string> seen;
  for (const std::string& name : all) EXPECT_TRUE(seen.insert(name).second) << name;
}

TEST(Plan, TheSameShapeIsPlannedOnce) {
  EXPECT_EQ(planned_groups(only({"twice"}, {"1000", "1e3", "default", "10x100", "20"})).size(), 2U);
  EXPECT_EQ(planned_groups(only({"turning"}, {"100", "10x10", "101", "10x11"})).size(), 2U);
}

TEST(Plan, GroupsFollowTheRegistry) {
  Settings settings = only({"turning", "twice"}, {"7", "5"});
  settings.dtypes = {Dtype::f32, Dtype::f64};
  Names order;
  for (const PlannedGroup& group : planned_groups(settings)) {
    order.push_back(fmt::format("{}/{}/{}", group.workload, name_of(group.dtype), group.size));
  }
  EXPECT_EQ(order, (Names{"twice/f32/7", "twice/f32/5", "twice/f64/7", "twice/f64/5",
                          "turning/f32/2x2", "turning/f64/2x2"}));
}

TEST(Plan, AddsTheBaselineThatTheFilterLeftOut) {
  EXPECT_EQ(names(only({"twice/serial/other"})),
            (Names{"(twice/serial/naive/f32/1000/kernel)", "twice/serial/other/f32/1000/kernel",
                   "(copy/serial/naive/f32/1000/kernel,beside=twice:1000)"}));
}

TEST(Plan, WithoutABaselineItAndItsReferencesAreMeasuredWhereTheyAreNamed) {
  Settings settings = only({"twice/openmp"});
  settings.no_baseline = true;
  for (const std::string& name : names(settings)) {
    EXPECT_EQ(name.find("/serial/"), std::string::npos) << name;
  }
  settings.filters = {"twice/serial"};
  EXPECT_EQ(names(settings), names(only({"twice/serial"})));
}

TEST(Plan, TheReferenceStandsBesideWithItsBackends) {
  for (const PlannedGroup& group : planned_groups(only({}))) {
    for (const PlannedCase& one : group.cases) {
      EXPECT_EQ(one.identity.bandwidth_reference,
                one.identity.workload == "copy" && one.identity.backend != "cuda")
          << one.identity.name;
      EXPECT_EQ(one.beside != nullptr, one.identity.workload != group.workload)
          << one.identity.name;
      EXPECT_TRUE(one.identity.reference || !one.beside) << one.identity.name;
    }
    EXPECT_EQ(group.references.empty(), group.workload == "copy");
  }
}

TEST(Plan, TheReferenceUsesAsMuchMemoryAsTheWorkload) {
  for (const PlannedGroup& group : planned_groups(only({"twice", "counting"}, {"1000"}))) {
    const std::size_t expected = group.workload == "twice" ? 1000 : 500;
    EXPECT_EQ(group.references.front()->inputs.front().count, expected);
  }
}

TEST(Plan, NoReferenceStandsBesideAWorkloadWithoutInputs) {
  Workload zeros = copying;
  zeros.name = "zeros";
  zeros.make = [](Dtype /*dtype*/, const Shape& shape) -> std::unique_ptr<Problem> {
    auto problem = std::make_unique<CopyProblem>(shape);
    problem->inputs.clear();
    return problem;
  };
  const std::vector<const Workload*> all{&copying, &zeros};
  const std::vector<PlannedGroup> groups = plan(all, only({"zeros"}));
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_TRUE(groups.front().references.empty());
  EXPECT_EQ(groups.front().largest_within(4'000'000), "1000");
}

// A second bandwidth reference that moves data as the workload does, and that is not a table of its
// own unless somebody asks for it.
TEST(Plan, ANearerReferenceStandsBesideItsWorkloadOnly) {
  Workload sum = counting;
  sum.name = "sum";
  sum.form = SizeFormat::vector;
  sum.default_shape = {.cols = 1'000};
  sum.make = [](Dtype /*dtype*/, const Shape& shape) -> std::unique_ptr<Problem> {
    return std::make_unique<CountProblem>(Shape{.cols = shape.cols, .bins = 1});
  };
  sum.only_by_name = true;
  Workload work = counting;
  work.name = "work";
  work.nearer_reference = &sum;
  const std::vector<const Workload*> all{&copying, &sum, &twice, &work};

  planted() = honest;
  std::map<std::string, std::set<std::string>> beside;
  Settings everything = only({});
  everything.filters.clear();
  for (const PlannedGroup& group : plan(all, everything)) {
    beside[group.workload];
    for (const PlannedCase& one : group.cases) {
      EXPECT_EQ(one.identity.nearer_reference, one.identity.workload == "sum");
      if (one.beside) beside[group.workload].insert(one.identity.workload);
      // It writes so little that it reads all of the input where a copy has room for half of it.
      if (one.identity.workload != "sum") continue;
      EXPECT_EQ(one.beside ? one.beside->inputs.front().count : 0, 1000U);
    }
  }
  EXPECT_EQ(beside, (std::map<std::string, std::set<std::string>>{
                        {"copy", {}}, {"twice", {"copy"}}, {"work", {"copy", "sum"}}}));
  EXPECT_EQ(plan(all, only({"sum"})).size(), 1U);
}

TEST(Plan, RecordsWhatARunMovesAndComputes) {
  const auto groups = planned_groups(only({"counting/serial/naive"}, {"100"}));
  const Case& one = groups.front().cases.front().identity;
  EXPECT_EQ(one.bytes, 100 * 4 + 16 * 4U);
  EXPECT_EQ(one.footprint_bytes, one.bytes);
  EXPECT_EQ(one.flops, 100U);
  EXPECT_EQ(one.cache, CacheMode::cold);
  EXPECT_EQ(one.isa, "baseline");
  EXPECT_EQ(one.idea, "the naive loop");
  EXPECT_FALSE(one.status);
}

TEST(Plan, ThreadsAreTheJobsUnlessGiven) {
  Settings settings = only({"twice"});
  const auto threads = [&] {
    std::multiset<std::string> found;
    for (const PlannedGroup& group : planned_groups(settings)) {
      for (const PlannedCase& one : group.cases) {
        found.insert(one.identity.workload + one.identity.backend +
                     std::to_string(one.identity.threads.value_or(0)));
      }
    }
    return found;
  };
  EXPECT_EQ(threads(), (std::multiset<std::string>{"twiceserial1", "twiceserial1", "twiceopenmp4",
                                                   "twicecuda0", "copyserial1", "copyopenmp4"}));
  settings.threads = {1, 2};
  EXPECT_EQ(threads(), (std::multiset<std::string>{"twiceserial1", "twiceserial1", "twiceopenmp1",
                                                   "twiceopenmp2", "twicecuda0", "copyserial1",
                                                   "copyopenmp1", "copyopenmp2"}));
}

/// honest(), and two CUDA variants of which the first is for ten elements only.
std::vector<BoundVariant> with_cuda_rungs(std::size_t n) {
  std::vector<BoundVariant> rungs = honest(n);
  rungs.push_back({"cuda", "one_thread", "slow", [](const Arrays&) {}, 10});
  rungs.push_back({"cuda", "wide", "fast", [](const Arrays&) {}});
  return rungs;
}

std::vector<PlannedGroup> planned_with_cuda(const Settings& settings) {
  planted() = with_cuda_rungs;
  const auto workloads = registry();
  return plan(workloads, settings);
}

TEST(Plan, CudaVariantsHaveTwoScopesAndTheLastOneThoseOfOtherMemory) {
  Settings settings = only({"twice/cuda/wide"}, {"7"});
  settings.with_cuda = true;
  EXPECT_EQ(names_of(planned_with_cuda(settings)),
            (Names{"(twice/serial/naive/f32/7/kernel)", "twice/cuda/wide/f32/7/kernel",
                   "twice/cuda/wide/f32/7/end_to_end", "twice/cuda/wide/f32/7/pageable",
                   "twice/cuda/wide/f32/7/mapped", "twice/cuda/wide/f32/7/managed",
                   "(copy/serial/naive/f32/7/kernel,beside=twice:7)"}));
  // The last one that is asked for; a deliberately slow one does not count.
  planted() = [](std::size_t n) {
    std::vector<BoundVariant> rungs = with_cuda_rungs(n);
    rungs.push_back({"cuda", "wider", "faster", [](const Arrays&) {}});
    return rungs;
  };
  const auto workloads = registry();
  const auto count = [&](const Names& filters, const std::string& part) {
    settings.filters = filters;
    const Names all = names_of(plan(workloads, settings));
    return std::count_if(all.begin(), all.end(), [&](const std::string& name) {
      return name.find(part) != std::string::npos;
    });
  };
  EXPECT_EQ(count({"twice"}, "/pageable"), 1);
  EXPECT_EQ(count({"twice"}, "cuda/wider/f32/7/pageable"), 1);
  EXPECT_EQ(count({"twice/cuda/wide"}, "cuda/wide/f32/7/pageable"), 1);
  EXPECT_EQ(count({"twice/cuda/one_thread"}, "/pageable"), 0);
}

TEST(Plan, OfTheCasesOnADeviceThoseScopesAreMeasuredThatAreAskedFor) {
  Settings settings = only({"twice"}, {"7"});
  settings.with_cuda = true;
  const auto on_device = [&](const std::vector<Scope>& scopes) {
    settings.scopes = scopes;
    Names all = names_of(planned_with_cuda(settings));
    std::erase_if(all, [](const auto& one) { return one.find("/cuda/wide") == std::string::npos; });
    return all;
  };
  EXPECT_EQ(on_device({Scope::kernel}), Names{"twice/cuda/wide/f32/7/kernel"});
  EXPECT_EQ(on_device({Scope::end_to_end, Scope::managed}),
            (Names{"twice/cuda/wide/f32/7/end_to_end", "twice/cuda/wide/f32/7/managed"}));
  EXPECT_EQ(on_device({}).size(), 5U);
  // Processors have one scope.
  settings.scopes = {Scope::mapped};
  settings.filters = {"twice/serial"};
  EXPECT_EQ(names(settings), names(only({"twice/serial"}, {"7"})));
  settings.filters = {"twice/cuda/one_thread"};
  settings.no_baseline = true;
  EXPECT_THROW(planned_with_cuda(settings), std::invalid_argument);
}

/// A bandwidth reference with a built-in CUDA variant and a library's, which computes the same.
struct CopyWithLibrary final : FakeProblem {
  explicit CopyWithLibrary(const Shape& shape) : FakeProblem(shape, 1) {}
  std::vector<BoundVariant> rungs(simd::Isa isa) const override {
    std::vector<BoundVariant> all = CopyProblem({.cols = n}).rungs(isa);
    all.push_back({"cuda", "wide", "ours", [](const Arrays&) {}});
    all.push_back({"cuda", "library", "not ours", [](const Arrays&) {}, any_size, false, true});
    return all;
  }
};

/// Four CUDA variants, each faster than the one before it.
struct CopyOfManyVariants final : FakeProblem {
  explicit CopyOfManyVariants(const Shape& shape) : FakeProblem(shape, 1) {}
  std::vector<BoundVariant> rungs(simd::Isa /*isa*/) const override {
    std::vector<BoundVariant> all;
    for (const char* const variant : {"first", "second", "third", "fourth"}) {
      all.push_back({"cuda", variant, "", [](const Arrays&) {}});
    }
    all.push_back({"cuda", "moves", "", [](const Arrays&) {}, any_size, true});
    return all;
  }
};

TEST(Plan, AReferenceIsMeasuredOnlyWhereItMayBeTheFastest) {
  Workload copies = copying;
  copies.make = make_fake<CopyOfManyVariants>;
  planted() = with_cuda_rungs;
  const std::vector<const Workload*> all{&copies, &twice};
  Settings settings = only({"twice/cuda"}, {"7"});
  settings.with_cuda = true;
  settings.no_baseline = true;
  std::set<std::string> references;
  const auto groups = plan(all, settings);
  for (const PlannedCase& one : groups.front().cases) {
    if (one.identity.reference) references.insert(one.identity.variant);
  }
  EXPECT_EQ(references, (std::set<std::string>{"third", "fourth", "moves"}));
}

// A library is measured where it is asked for, and never in order to measure others.
TEST(Plan, ALibraryIsNoReference) {
  Workload copies = copying;
  copies.make = make_fake<CopyWithLibrary>;
  Workload work = twice;
  work.nearer_reference = &copies;
  const std::vector<const Workload*> all{&copies, &work};
  planted() = with_cuda_rungs;
  const auto libraries = [&](const Names& filters) {
    Settings settings = only(filters, {"7"});
    settings.with_cuda = true;
    Names found;
    for (const PlannedGroup& group : plan(all, settings)) {
      for (const PlannedCase& one : group.cases) {
        EXPECT_EQ(one.identity.library, one.identity.variant == "library") << one.identity.name;
        if (!one.identity.library) continue;
        EXPECT_FALSE(one.identity.bandwidth_reference || one.identity.nearer_reference);
        EXPECT_FALSE(one.identity.reference);
        found.push_back(one.identity.name);
      }
    }
    return found;
  };
  Settings beside = only({"twice/cuda"}, {"7"});
  beside.with_cuda = true;
  const Names there = names_of(plan(all, beside));
  for (const Scope scope : {Scope::pageable, Scope::mapped, Scope::managed}) {
    const std::string wanted =
        fmt::format("(copy/cuda/wide/f32/7/{},beside=twice:7)", name_of(scope));
    EXPECT_NE(std::find(there.begin(), there.end(), wanted), there.end()) << wanted;
  }
  const Names both{"copy/cuda/library/f32/7/kernel", "copy/cuda/library/f32/7/end_to_end"};
  EXPECT_EQ(libraries({"*/cuda"}), both);
  EXPECT_EQ(libraries({"copy/cuda/library"}), both);
  EXPECT_EQ(libraries({"copy/cuda/wide"}), Names{});
  EXPECT_EQ(libraries({"twice"}), Names{});
}

TEST(Plan, AVariantThatMovesItsDataItselfHasOneScope) {
  planted() = [](std::size_t n) {
    std::vector<BoundVariant> rungs = with_cuda_rungs(n);
    rungs.push_back({"cuda", "overlapped", "", [](const Arrays&) {}, any_size, with_transfers});
    return rungs;
  };
  const auto workloads = registry();
  Settings settings = only({"twice/cuda/overlapped"}, {"7"});
  settings.with_cuda = true;
  const auto groups = plan(workloads, settings);
  EXPECT_EQ(names_of(groups),
            (Names{"(twice/serial/naive/f32/7/kernel)", "twice/cuda/overlapped/f32/7/end_to_end",
                   "(copy/serial/naive/f32/7/kernel,beside=twice:7)"}));
  for (const PlannedCase& one : groups.front().cases) {
    EXPECT_EQ(one.transfers, one.identity.variant == "overlapped");
  }

  settings.filters = {"twice/cuda"};
  const Names all = names_of(plan(workloads, settings));
  const auto count = [&](const char* part) {
    return std::count_if(all.begin(), all.end(),
                         [&](const std::string& name) { return name.find(part) < name.size(); });
  };
  EXPECT_EQ(count("cuda/wide"), 5);
  EXPECT_EQ(count("cuda/overlapped"), 1);

  settings.with_cuda = false;
  settings.filters = {"twice/cuda/overlapped"};
  EXPECT_EQ(names_of(plan(workloads, settings)),
            (Names{"(twice/serial/naive/f32/7/kernel)", "twice/cuda/*/f32/7/kernel",
                   "(copy/serial/naive/f32/7/kernel,beside=twice:7)"}));
}

TEST(Plan, CudaNamesCarryTheLaunchThatTheUserChose) {
  Settings settings = only({"twice/cuda/wide"}, {"7"});
  settings.with_cuda = true;
  settings.isa_given = true;  // says nothing of a GPU
  settings.blocks = {128};
  settings.grids = {30};
  const Names all = names_of(planned_with_cuda(settings));
  EXPECT_EQ(all[0], "(twice/serial/naive/f32/7/kernel,isa=baseline)");
  EXPECT_EQ(all[1], "twice/cuda/wide/f32/7/kernel,block=128,grid=30");
}

TEST(Plan, OfSeveralLaunchesEachIsMeasuredByTheKernelAlone) {
  Settings settings = only({"twice/cuda/wide"}, {"7"});
  settings.with_cuda = true;
  settings.blocks = {32, 64};
  settings.grids = {2};
  Names all = names_of(planned_with_cuda(settings));
  std::erase_if(all,
                [](const std::string& name) { return name.find("cuda/") == std::string::npos; });
  EXPECT_EQ(all, (Names{"twice/cuda/wide/f32/7/kernel,block=32,grid=2",
                        "twice/cuda/wide/f32/7/kernel,block=64,grid=2",
                        "twice/cuda/wide/f32/7/end_to_end", "twice/cuda/wide/f32/7/pageable",
                        "twice/cuda/wide/f32/7/mapped", "twice/cuda/wide/f32/7/managed"}));
}

TEST(Plan, WhatIsSlowOnPurposeIsSkippedWhereItWouldTakeTooLong) {
  Settings settings = only({"twice/cuda"}, {"10", "11"});
  settings.with_cuda = true;
  const auto groups = planned_with_cuda(settings);
  for (const PlannedGroup& group : groups) {
    for (const PlannedCase& one : group.cases) {
      const bool skipped = one.identity.variant == "one_thread" && group.size == "11";
      EXPECT_EQ(one.identity.status == Status::skipped, skipped) << one.identity.name;
      if (skipped) {
        EXPECT_EQ(one.identity.reason, "too slow for 11 elements: measured up to 10 (--size 10)");
      }
    }
  }
}

TEST(Plan, WhoWantsToWaitMeasuresWhatIsSlowOnPurpose) {
  Settings settings = only({"twice/cuda/one_thread"}, {"11", "12"});
  settings.with_cuda = true;
  settings.most_elements = 11;
  for (const PlannedGroup& group : planned_with_cuda(settings)) {
    for (const PlannedCase& one : group.cases) {
      if (one.identity.variant != "one_thread") continue;
      EXPECT_EQ(one.identity.status == Status::skipped, group.size == "12") << one.identity.name;
    }
  }
}

TEST(Plan, WithoutCudaOneRowStandsForIt) {
  for (const char* filter : {"twice/cuda", "twice/cuda*", "twice/cuda/*", "twice/cuda/wide",
                             "twice/cuda/one_*", "*/cuda/wide", "*wide"}) {
    bool found = false;
    for (const PlannedGroup& group : planned_with_cuda(only({filter}))) {
      for (const PlannedCase& one : group.cases) {
        if (one.identity.name != "twice/cuda/*/f32/1000/kernel") continue;
        found = true;
        EXPECT_EQ(one.identity.status, Status::skipped);
        EXPECT_EQ(one.identity.reason, "built without CUDA");
        EXPECT_FALSE(one.identity.reference);
      }
    }
    EXPECT_TRUE(found) << filter;
  }
  for (const std::string& name : names(only({"twice/serial", "twice/openmp"}))) {
    EXPECT_EQ(name.find("cuda"), std::string::npos) << name;
  }
}

TEST(Plan, AModelThatIsNotBuiltHasARowOnlyWhereItIsNamed) {
  const auto with = [](const Names& filters, const Names& chosen = {}) {
    Settings settings = only(filters);
    settings.backends = chosen;
    settings.absent = {&backends::stdpar};
    return settings;
  };
  const auto row = [](const Settings& settings) -> Reason {
    for (const PlannedGroup& group : planned_groups(settings)) {
      for (const PlannedCase& one : group.cases) {
        if (one.identity.name != "twice/stdpar/*/f32/1000/kernel") continue;
        EXPECT_EQ(one.identity.status, Status::skipped);
        EXPECT_EQ(one.identity.threads, 4);
        return one.identity.reason;
      }
    }
    return "no row";
  };
  for (const char* filter : {"twice/stdpar", "twice/std*", "*/stdpar", "twice/stdpar/*"}) {
    EXPECT_EQ(row(with({filter})), "built without TBB") << filter;
  }
  EXPECT_EQ(row(with({"twice"}, {"stdpar"})), "built without TBB");
  for (const char* filter : {"twice", "twice/*", "*", "twice/openmp"}) {
    EXPECT_EQ(row(with({filter})), "no row") << filter;
  }
  // In a program that has it, no variant is called so.
  EXPECT_THROW(planned_groups(only({"twice/stdpar"})), UnknownFilter);
}

TEST(Plan, FiltersAdd) {
  std::set<std::string> workloads;
  for (const PlannedGroup& group : planned_groups(only({"twice/openmp", "turning"}))) {
    workloads.insert(group.workload);
  }
  EXPECT_EQ(workloads, (std::set<std::string>{"twice", "turning"}));
}

TEST(Plan, BackendsNarrowWhatFiltersSelect) {
  Settings settings = only({"twice", "turning"}, {"100"});
  settings.backends = {"openmp"};
  std::set<std::string> selected;
  for (const PlannedGroup& group : planned_groups(settings)) {
    for (const PlannedCase& one : group.cases) {
      if (!one.identity.reference) selected.insert(group.workload + "/" + one.identity.backend);
    }
  }
  EXPECT_EQ(selected, (std::set<std::string>{"turning/openmp", "twice/openmp"}));
  settings.filters = {"twice/serial"};
  EXPECT_EQ(message_of<std::invalid_argument>([&] { planned_groups(settings); }),
            "no variant matches 'twice/serial' with --backend openmp; 'bench list' shows all");
}

TEST(Plan, AnUnknownFilterIsRefusedWithTheNearestName) {
  const auto refusal = [](const std::string& filter) {
    return message_of<std::invalid_argument>([&] { planned_groups(only({"twice", filter})); });
  };
  EXPECT_EQ(refusal("twicee"),
            "no variant matches 'twicee' (nearest name: twice); 'bench list' shows all");
  EXPECT_EQ(refusal("twice/serial/nave"),
            "no variant matches 'twice/serial/nave' (nearest name: twice/serial/naive); "
            "'bench list' shows all");
  EXPECT_EQ(refusal("serial"), "'serial' is a backend, not a workload: use --backend serial");
  EXPECT_EQ(refusal("gpu"), "'gpu' is a backend, not a workload: use --backend cuda");
  EXPECT_EQ(refusal("unlike*anything"),
            "no variant matches 'unlike*anything'; 'bench list' shows all");
  for (const char* filter : {"", "/", "[", "twice/", "twice/gpu/x"}) {
    expect_contains(refusal(filter), std::string("no variant matches '") + filter + "'");
  }
}

TEST(Plan, ABadSizeIsRefusedBeforeAnythingIsMeasured) {
  for (const char* size : {"abc", "-1", "1e400", "1e15x1e15"}) {
    EXPECT_THROW(planned_groups(only({}, {"tiny", size})), std::invalid_argument) << size;
  }
  Settings settings = only({"counting"});
  settings.bins = {101};
  EXPECT_THROW(planned_groups(settings), std::invalid_argument);
}

TEST(Plan, BinsMultiplyBinnedWorkloadsOnly) {
  Settings settings = only({"counting", "twice"}, {"100", "200"});
  settings.bins = {2, 3};
  Names sizes;
  for (const PlannedGroup& group : planned_groups(settings)) sizes.push_back(group.size);
  EXPECT_EQ(sizes, (Names{"100", "200", "100:2", "100:3", "200:2", "200:3"}));
}

/// Work in whole numbers only, and not limited by memory.
Workload integer_work() {
  static constexpr Dtype integers[] = {Dtype::u32};
  Workload work = copying;
  work.name = "integers";
  work.dtypes = integers;
  work.memory_bound = false;
  return work;
}

TEST(Plan, EachWorkloadHasItsOwnDefaultPrecision) {
  const Workload integers = integer_work();
  const std::vector<const Workload*> workloads{&copying, &integers};
  Settings settings = only({"*/serial/naive"});
  EXPECT_EQ(names_of(plan(workloads, settings)),
            (Names{"copy/serial/naive/f32/1000/kernel", "integers/serial/naive/u32/1000/kernel"}));
  settings.dtypes = {Dtype::f64};
  EXPECT_EQ(names_of(plan(workloads, settings)), (Names{"copy/serial/naive/f64/1000/kernel"}))
      << "what has no such precision is passed over";
}

TEST(Plan, APrecisionThatANamedWorkloadLacksIsRefused) {
  const Workload integers = integer_work();
  const std::vector<const Workload*> workloads{&copying, &integers};
  for (const char* filter : {"integers", "integers/serial"}) {
    Settings settings = only({"copy", filter});
    settings.dtypes = {Dtype::f32, Dtype::f64};
    EXPECT_EQ(message_of<std::invalid_argument>([&] { plan(workloads, settings); }),
              "--dtype f32: integers is computed in u32 only");
  }
}

/// The cases that are measured in the cache too.
Names in_cache(const Settings& settings) {
  Names found;
  for (const PlannedGroup& group : planned_groups(settings)) {
    for (const PlannedCase& one : group.cases) {
      if (one.in_cache) found.push_back(one.identity.backend + "/" + one.identity.variant);
    }
  }
  return found;
}

TEST(Plan, OurOwnVariantsRunInTheCacheToo) {
  Settings settings = only({"twice"}, {"1000"});
  EXPECT_EQ(in_cache(settings), Names{}) << "of unknown caches";
  settings.own_cache_bytes = 4'000;
  EXPECT_EQ(in_cache(settings), (Names{"serial/naive", "serial/other", "openmp/naive"}))
      << "no reference beside them";
  settings.cache = CacheMode::hot;
  EXPECT_EQ(in_cache(settings), Names{});
}

TEST(Plan, WhatRunsInTheCacheFillsHalfOfThatOfItsThreads) {
  Settings settings = only({"twice"}, {"1000"});
  settings.own_cache_bytes = 4'000;
  const std::vector<PlannedGroup> groups = planned_groups(settings);
  const std::vector<PlannedCase>& cases = groups.front().cases;
  EXPECT_EQ(cases.at(0).in_cache->problem->footprint(), 2'000);
  EXPECT_EQ(cases.at(0).in_cache->scale, 4);
  EXPECT_EQ(cases.at(1).in_cache->problem, cases.at(0).in_cache->problem) << "shared";
  EXPECT_EQ(cases.at(2).identity.threads, 4);
  EXPECT_EQ(cases.at(2).in_cache->problem->footprint(), 8'000) << "on four cores";
  EXPECT_EQ(cases.at(2).in_cache->scale, 1);
  EXPECT_FALSE(cases.at(0).in_cache->half) << "nobody is started";
  ASSERT_TRUE(cases.at(2).in_cache->half);
  EXPECT_EQ(cases.at(2).in_cache->half->problem->footprint(), 4'000);
}

TEST(Plan, NothingStandsBesideWhatMemoryDoesNotLimit) {
  const Workload integers = integer_work();
  const std::vector<const Workload*> workloads{&copying, &integers};
  for (const PlannedGroup& group : plan(workloads, only({"integers"}))) {
    for (const PlannedCase& one : group.cases) {
      EXPECT_FALSE(one.identity.beside) << one.identity.name;
      EXPECT_FALSE(one.identity.memory_bound);
    }
  }
}

// It has arrays of its own, whose size is that of what computes, and not the group's.
TEST(Plan, AnArithmeticReferenceIsMeasuredApartWithWhatItLimits) {
  Workload steps = copying;
  steps.name = "steps";
  steps.default_shape = {.cols = 100};
  steps.memory_bound = false;
  steps.arithmetic_reference = true;
  steps.make = [](Dtype /*dtype*/, const Shape& shape) -> std::unique_ptr<Problem> {
    return std::make_unique<CopyProblem>(shape);
  };
  Workload bodies = twice;
  bodies.name = "bodies";
  bodies.memory_bound = false;
  bodies.nearer_reference = &steps;
  planted() = with_cuda_rungs;
  const std::vector<const Workload*> workloads{&copying, &steps, &bodies};
  Settings settings = only({"bodies"}, {"7"});
  settings.threads = {1, 3};
  const auto groups = plan(workloads, settings);
  ASSERT_EQ(groups.size(), 1U);
  Names apart;
  for (const PlannedCase& one : groups.front().cases) {
    EXPECT_EQ(one.apart, one.beside != nullptr) << one.identity.name;
    if (!one.apart) continue;
    EXPECT_TRUE(one.identity.nearer_reference && one.identity.arithmetic_reference);
    apart.push_back(one.identity.name);
  }
  EXPECT_EQ(apart, (Names{"steps/openmp/naive/f32/100/kernel,beside=bodies:7,threads=1",
                          "steps/openmp/naive/f32/300/kernel,beside=bodies:7,threads=3",
                          "steps/serial/naive/f32/100/kernel,beside=bodies:7"}));
  EXPECT_TRUE(groups.front().references.empty());
  EXPECT_EQ(groups.front().apart->inputs.front().count, 300U) << "the largest serves all";
  EXPECT_EQ(bytes_needed(groups.front()),
            groups.front().problem->footprint() + groups.front().apart->footprint());
}

// Of another type than that of the arithmetic reference.
TEST(Plan, ALibraryOfADeviceShowsWhatNothingElseIsComputedBy) {
  static constexpr Dtype of_reference[] = {Dtype::f64};
  Workload steps = copying;
  steps.name = "steps";
  steps.arithmetic_reference = true;
  steps.dtypes = of_reference;
  Workload bodies = twice;
  bodies.memory_bound = false;
  bodies.nearer_reference = &steps;
  planted() = with_cuda_rungs;
  const std::vector<const Workload*> workloads{&copying, &steps, &bodies};
  const auto groups = plan(workloads, only({bodies.name}, {"7"}));
  for (const PlannedCase& one : groups.front().cases) {
    const Case& is = one.identity;
    EXPECT_EQ(is.arithmetic_reference, is.library && runs_on(is.backend, RunsOn::device))
        << is.name;
    EXPECT_EQ(is.nearer_reference, is.library && runs_on(is.backend, RunsOn::device)) << is.name;
  }
}

TEST(Plan, CasesSayWhetherTheyShowWhatTheArithmeticUnitsCanDo) {
  Workload steps = copying;
  steps.name = "steps";
  steps.arithmetic_reference = true;
  const std::vector<const Workload*> workloads{&copying, &steps};
  for (const PlannedGroup& group : plan(workloads, only({"copy", "steps"}))) {
    for (const PlannedCase& one : group.cases) {
      EXPECT_EQ(one.identity.arithmetic_reference, one.identity.workload == "steps")
          << one.identity.name;
    }
  }
}

}  // namespace
}  // namespace bench::test
