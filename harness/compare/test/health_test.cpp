#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "harness/compare/finding_text.hpp"
#include "harness/compare/health_text.hpp"
#include "harness/compare/test/findings.hpp"
#include "harness/document/test/records.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

const Names chosen_for_health{"copy/openmp/streaming", "hypot/openmp/simd",
                              "multiply_add/openmp/simd"};
const Names workloads_of_health{"copy", "hypot", "multiply_add"};
const std::set<std::string> computing{"multiply_add"};

struct Times {
  double copy = 1;
  double hypot = 2;
  double multiply_add = 3;
};

/// A result file whose intervals are ±1 %.
Document document(const Times& times) {
  Document made{context(), {}, {}, {}};
  made.context.run.node = "n1";
  made.context.machine.cpu_model = "X";
  made.context.machine.allowed_cpus = 16;
  made.context.machine.allowed_cores = 16;
  const auto add = [&made](const char* workload, const char* variant, double seconds) {
    CaseRecord& one = made.cases.emplace_back();
    one.workload = workload;
    one.backend = "openmp";
    one.variant = variant;
    one.size = "1000";
    one.status = Status::measured;
    one.threads = 16;
    one.rounds = 10;
    one.seconds.emplace();
    one.seconds->median = seconds;
    one.seconds->ci95 = {seconds * 0.99, seconds * 1.01};
    one.name = one.name_with({});
  };
  add("copy", "streaming", times.copy);
  add("hypot", "simd", times.hypot);
  add("multiply_add", "simd", times.multiply_add);
  return made;
}

NodeRun run(const Document& made) { return node_run(made, "a.json", chosen_for_health); }
NodeRun run(const Times& times) { return run(document(times)); }

Names texts_of(const Findings& found) {
  Names texts;
  for (const Finding& one : found) texts.push_back(sentence(one));
  return texts;
}

Health judged(const NodeRun& node, const std::vector<NodeRun>& recorded) {
  return health({node}, recorded, workloads_of_health, computing, 0.1);
}

TEST(Health, ASlowPartIsNamedWithItsInterval) {
  const Health found = judged(run(Times{1.3, 2.6, 3}), {run(Times{})});
  EXPECT_EQ(found.word, HealthWord::slow);
  ASSERT_EQ(found.parts.size(), 2U);
  EXPECT_EQ(found.parts[0].workloads, (Names{"copy", "hypot"}));
  EXPECT_EQ(health_line("n17", found, 18.2),
            "n17 SLOW memory 1.30x [1.29, 1.31] of expected (copy, hypot), cores 1.00x; 19 s");
  EXPECT_LE(health_line("n17", found, 18.2).size(), 80U);
  EXPECT_EQ(performance_data(found, 18.24), "time=18.2s 'memory'=1.300;1.113 'cores'=1.000;1.118");
  EXPECT_EQ(health_line("n17", judged(run(Times{}), {run(Times{})}), 4),
            "n17 OK cores 1.00x, memory 1.00x, slow from 1.12x; 4 s");
}

/// A hundred checks of a sound node, each of three passes that scatter, and of slow ones.
TEST(Health, OfAHundredChecksOfASoundNodeNoneSaysSlow) {
  std::mt19937 random(1);
  const auto around = [&random](double deviation) {
    return std::exp(std::normal_distribution<double>(0, deviation)(random));
  };
  const auto passes_of = [&](double factor, double noise) {
    std::vector<NodeRun> passes;
    for (int pass = 0; pass < 3; ++pass) {
      passes.push_back(run(
          Times{factor * around(noise), 2 * factor * around(noise), 3 * factor * around(noise)}));
    }
    return merged(passes);
  };
  std::vector<NodeRun> reference;
  for (int i = 0; i < 15; ++i)
    reference.push_back(run(Times{around(.01), 2 * around(.01), 3 * around(.01)}));
  const auto slow_of_hundred = [&](double factor, double noise) {
    int found = 0;
    for (int i = 0; i < 100; ++i)
      found += judged(passes_of(factor, noise), reference).word == HealthWord::slow ? 1 : 0;
    return found;
  };
  for (const double noise : {0.01, 0.03, 0.1}) EXPECT_EQ(slow_of_hundred(1, noise), 0) << noise;
  EXPECT_EQ(slow_of_hundred(1.3, 0.01), 100);
}

TEST(Health, TheScatterOfTheReferenceIsPartOfTheInterval) {
  const NodeRun node = run(Times{1.15, 2.3, 3});
  EXPECT_EQ(judged(node, {run(Times{})}).word, HealthWord::slow);
  std::vector<NodeRun> apart;
  for (const double factor : {0.9, 0.95, 1.0, 1.05, 1.1}) {
    apart.push_back(run(Times{factor, 2 * factor, 3}));
  }
  const Health found = judged(node, apart);
  EXPECT_EQ(found.word, HealthWord::unclear);
  EXPECT_NEAR(found.parts[0].ratio.value, 1.15, 1e-9);
  EXPECT_LT(found.parts[0].ratio.ci95.low, 1.1);
}

TEST(Health, ANodeIsComparedWithItsHardwareOnly) {
  Finding why;
  Document other = document({});
  other.context.machine.cpu_model = "Y";
  EXPECT_TRUE(reference_for(run(Times{}), {run(other)}, why).empty());
  EXPECT_EQ(sentence(why), "no reference for X x 16");
  Document smaller = document({});
  smaller.context.machine.allowed_cpus = 8;
  EXPECT_TRUE(reference_for(run(Times{}), {run(smaller)}, why).empty());
  // It may have lost some.
  EXPECT_EQ(texts_of(absent_parts(run(smaller), reference_for(run(smaller), {run(Times{})}, why))),
            Names{"cpus 8 of 16"});
  EXPECT_EQ(reference_for(run(smaller), {run(Times{}), run(smaller)}, why).size(), 1U);
}

TEST(Health, AGpuThatIsGoneIsAbsent) {
  Document with = document({});
  GpuFacts& gpu = with.context.machine.gpu.emplace();
  gpu.name = "H100";
  gpu.visible_devices = 2;
  Document without = document({});
  without.context.machine.gpu_reason = "no device";
  const NodeRun node = run(without);
  Finding why;
  EXPECT_EQ(texts_of(absent_parts(node, reference_for(node, {run(with)}, why))),
            Names{"GPUs 0 of 2"});
  EXPECT_EQ(texts_of(absent_parts(node, reference_for(node, {run(with), run(without)}, why))),
            Names{});
  // One that did not look cannot say.
  EXPECT_TRUE(reference_for(run(Times{}), {run(with)}, why).empty());
}

Names absent_in(const Document& node, const Document& reference) {
  Finding why;
  const NodeRun one = run(node);
  return texts_of(
      absent_parts(one, reference_for(one, {run(reference), run(reference), run(reference)}, why)));
}

TEST(Health, AFileSystemThatIsNotMountedIsAbsent) {
  Document whole = document({});
  whole.context.machine.mounts = {"/", "/home", "/scratch"};
  Document node = document({});
  node.context.machine.mounts = {"/", "/local"};
  EXPECT_EQ(absent_in(node, whole), Names{"/home, /scratch not mounted"});
  node.context.machine.mounts = {"/", "/home", "/local", "/scratch"};
  EXPECT_EQ(absent_in(node, whole), Names{});
  node.context.machine.mounts.reset();  // an earlier file, or a container
  EXPECT_EQ(absent_in(node, whole), Names{});
}

TEST(Health, MemoryThatSomebodyHoldsIsAbsent) {
  const auto with_free = [](std::size_t gigabytes) {
    Document one = document({});
    one.context.machine.memory_available_bytes = gigabytes * 1'000'000'000;
    return one;
  };
  EXPECT_EQ(absent_in(with_free(20), with_free(60)), Names{"free memory 20 of 60 GB"});
  EXPECT_EQ(absent_in(with_free(40), with_free(60)), Names{});
  EXPECT_EQ(absent_in(with_free(64), with_free(60)), Names{});
}

TEST(Health, FilesInMemoryAreNamed) {
  const auto with_files = [](std::size_t gigabytes) {
    Document one = document({});
    one.context.machine.memory_bytes = 64'000'000'000;
    one.context.machine.shared_memory_bytes = gigabytes * 1'000'000'000;
    return one;
  };
  EXPECT_EQ(absent_in(with_files(16), with_files(0)), Names{"shared memory (/dev/shm): 25 %"});
  EXPECT_EQ(absent_in(with_files(4), with_files(0)), Names{});
  EXPECT_EQ(absent_in(with_files(0), with_files(16)), Names{});
}

TEST(Health, UncorrectedErrorsOfTheMemoryAreAFault) {
  Document node = document({});
  node.context.machine.memory_errors.uncorrected = 1;
  EXPECT_EQ(absent_in(node, document({})), Names{"uncorrected errors of the memory: 1"});
}

TEST(Health, WhatTheGpuHoldsWithoutAProcessIsNamed) {
  const auto with = [](std::size_t free_gigabytes, std::size_t processes) {
    Document one = document({});
    GpuFacts& gpu = one.context.machine.gpu.emplace();
    gpu.name = "H100";
    gpu.visible_devices = 1;
    gpu.memory_free_bytes = free_gigabytes * 1'000'000'000;
    gpu.nvml.emplace().processes = processes;
    gpu.nvml->nvlinks = 18;
    return one;
  };
  EXPECT_EQ(absent_in(with(60, 0), with(80, 0)), Names{"free memory of the GPU 60 of 80 GB"});
  EXPECT_EQ(absent_in(with(60, 1), with(80, 0)), Names{});  // busy
  Document node = with(80, 0);
  node.context.machine.gpu->nvml->nvlinks = 17;
  node.context.machine.gpu->nvml->ended_processes = 2;
  node.context.machine.gpu->nvml->recovery_action = "gpu_reset";
  EXPECT_EQ(absent_in(node, with(80, 0)),
            (Names{"NVLinks of the GPU 17 of 18", "recovery that the GPU asks for: gpu_reset",
                   "processes on the GPU that have ended: 2"}));
}

TEST(Health, ASettingThatTheReferenceDoesNotKnowIsNotAbsent) {
  Document with = document({});
  GpuFacts& gpu = with.context.machine.gpu.emplace();
  gpu.name = "H100";
  gpu.visible_devices = 1;
  Document seen = with;  // by NVML, and by a device that says what it has
  seen.context.machine.gpu->ecc = true;
  seen.context.machine.gpu->nvml.emplace().mig = false;
  EXPECT_EQ(absent_in(seen, with), Names{});
  EXPECT_EQ(absent_in(seen, document({})), Names{});
  seen.context.machine.gpu->ecc = false;
  EXPECT_EQ(absent_in(with, seen), Names{});
  with.context.machine.gpu->ecc = true;
  EXPECT_EQ(absent_in(with, seen).size(), 1U);
}

TEST(Health, HowARunWasMadeIsNotAbsent) {
  Document node = document({});
  Document other = document({});
  node.context.run.threads = 1;
  node.context.run.threads_measured = 1;
  node.context.machine.transparent_huge_pages = {"madvise", ""};
  other.context.run.threads = 16;
  other.context.run.threads_measured = 16;
  other.context.machine.transparent_huge_pages = {"always", ""};
  EXPECT_EQ(absent_in(node, other), Names{});
}

TEST(Health, MoreTimeOfProcessorsIsNotLess) {
  const auto with = [](std::optional<double> quota) {
    Document one = document({});
    one.context.machine.cpu_quota = quota;
    return one;
  };
  EXPECT_EQ(absent_in(with({}), with(1.5)), Names{});
  EXPECT_EQ(absent_in(with(2), with(1.5)), Names{});
  EXPECT_EQ(absent_in(with(1.5), with({})).size(), 1U);
  EXPECT_EQ(absent_in(with(1.5), with(2)).size(), 1U);
}

TEST(Health, WhatCannotBeCountedIsNotAbsent) {
  Document two = document({});
  two.context.machine.numa_nodes.emplace(2);
  EXPECT_EQ(absent_in(document({}), two), Names{});
  Document none = document({});
  none.context.machine.numa_nodes.emplace();
  EXPECT_EQ(absent_in(none, two), Names{});
}

TEST(Health, ANodeIsComparedWithSeveralThatHaveAsMuch) {
  int files = 0;
  const auto with = [&files](double gigabytes, int gpus) {
    Document one = document({});
    one.context.machine.memory_bytes = static_cast<std::size_t>(gigabytes * 1e9);
    GpuFacts& gpu = one.context.machine.gpu.emplace();
    gpu.name = "H100";
    gpu.visible_devices = gpus;
    return node_run(one, fmt::format("{}.json", ++files), chosen_for_health);
  };
  const auto absent_from = [](const NodeRun& node, std::vector<NodeRun> recorded) {
    Finding why;
    return texts_of(absent_parts(node, reference_for(node, recorded, why)));
  };
  std::vector<NodeRun> many;
  for (int i = 0; i < 8; ++i) many.push_back(with(64, 8));
  EXPECT_EQ(absent_from(with(32, 8), many), Names{"memory 32 of 64 GB"});
  EXPECT_EQ(absent_from(with(64, 4), many), Names{"GPUs 4 of 8"});
  for (int i = 0; i < 2; ++i) many.insert(many.end(), 2, with(32, 4));  // as broken, each GPU
  EXPECT_EQ(absent_from(with(32, 4), many).size(), 2U);
  for (int i = 0; i < 5; ++i) many.push_back(with(32, 4));  // a kind
  EXPECT_EQ(absent_from(with(32, 4), many), Names{});
  EXPECT_EQ(absent_from(with(64, 8), many), Names{});
}

TEST(Health, FaultsOfAGpuNeedNoReferenceThatHasNone) {
  const auto with = [](unsigned long long errors, bool failed) {
    Document one = document({});
    GpuFacts& gpu = one.context.machine.gpu.emplace();
    gpu.name = "H100";
    gpu.visible_devices = 1;
    NvmlFacts& nvml = gpu.nvml.emplace();
    nvml.ecc_uncorrected = errors;
    nvml.remapping_failed = failed;
    return one;
  };
  EXPECT_EQ(absent_in(with(0, false), with(0, false)), Names{});
  EXPECT_EQ(absent_in(with(2, true), with(2, false)),
            (Names{"uncorrected ECC errors of the GPU: 2", "failed remapping of rows of the GPU"}));
}

TEST(Health, NothingComparedIsNotFine) {
  Document other = document({});
  for (CaseRecord& one : other.cases) one.size = "10";
  const Health found = judged(run(Times{}), {run(other)});
  EXPECT_EQ(found.word, HealthWord::unknown);
  EXPECT_EQ(exit_code(found.word, false), 4);
  EXPECT_EQ(exit_code(found.word, true), 3);
}

TEST(Health, WhatDidNotFitIsNamed) {
  Document part = document({});
  CaseRecord& hypot = part.cases[1];
  hypot.status = Status::skipped;
  hypot.reason = "memory: needs 12 GB";
  hypot.seconds.reset();
  const Health found = judged(run(part), {run(Times{})});
  EXPECT_EQ(found.word, HealthWord::unclear);
  EXPECT_EQ(health_line("n1", found, 1),
            "n1 UNCLEAR hypot (memory) not compared, cores 1.00x, memory 1.00x; 1 s");
}

TEST(Health, AReferenceThatCannotSeeCoresSaysSo) {
  Document part = document({});
  part.cases.pop_back();
  const Health found = judged(run(Times{}), {run(part)});
  EXPECT_EQ(found.word, HealthWord::unclear);
  EXPECT_EQ(health_line("n1", found, 1), "n1 UNCLEAR cores not compared, memory 1.00x; 1 s");
}

TEST(Health, SlowIsWhatIsSlowAgain) {
  const Health slow = judged(run(Times{1.3, 2.6, 4}), {run(Times{})});
  ASSERT_EQ(slow.word, HealthWord::slow);
  const auto confirmed = [&slow](const Health& again) {
    Health found = slow;
    confirm(found, again);
    return found;
  };
  EXPECT_EQ(confirmed(slow).word, HealthWord::slow);
  // One part of two.
  const Health memory = confirmed(judged(run(Times{1.3, 2.6, 3}), {run(Times{})}));
  EXPECT_EQ(memory.word, HealthWord::slow);
  for (const PartHealth& part : memory.parts) {
    EXPECT_EQ(part.verdict == NodeVerdict::slow, part.name == "memory") << part.name;
  }
  const Health once = confirmed(judged(run(Times{}), {run(Times{})}));
  EXPECT_EQ(once.word, HealthWord::unclear);
  EXPECT_EQ(exit_code(once.word, false), 0);
  EXPECT_EQ(texts_of(once.findings), Names{"slow at first only"});
  EXPECT_EQ(texts_of(confirmed({}).findings), Names{"slow, no time to confirm it"});
}

TEST(Health, TwoMeasurementsThatAreFarApartAreUnclear) {
  const NodeRun both = merged({run(Times{1, 2, 6}), run(Times{1, 2, 3.6})});
  EXPECT_EQ(judged(both, {run(Times{})}).word, HealthWord::unclear);
}

TEST(Health, AGpuThatLeftNoResultIsNotCompared) {
  const NodeRun sound = run(Times{});
  std::vector<NodeRun> gpus{sound, sound};
  for (NodeRun& one : gpus) one.facts[facts::gpus] = 3;
  gpus[0].gpu_number = "0";
  gpus[1].gpu_number = "2";
  const Health found = health(gpus, {sound}, workloads_of_health, computing, 0.1);
  const Names all = texts_of(found.findings);
  EXPECT_NE(std::find(all.begin(), all.end(), "gpu1 not compared"), all.end());
  EXPECT_NE(found.word, HealthWord::ok);
}

TEST(Health, TheLastVerdictStaysThroughChecksWithoutOne) {
  const std::string first = health_metrics("n1", {HealthWord::ok, {}, {}}, 0, 1, {70, 70});
  EXPECT_EQ(last_verdict(first), 70);
  const std::string busy =
      health_metrics("n1", {HealthWord::busy, {}, {}}, 0, 1, {90, last_verdict(first)});
  EXPECT_EQ(last_verdict(busy), 70);
  EXPECT_EQ(last_verdict(""), 0);
  EXPECT_TRUE(is_verdict(HealthWord::slow));
  EXPECT_FALSE(is_verdict(HealthWord::unclear));
}

TEST(Health, AWrongResultComesFirst) {
  Document wrong = document({9, 9, 9});
  wrong.cases[0].status = Status::failed;
  wrong.cases[0].reason = "the result is wrong: é and more of it, and more of it, and more of it";
  const Health found = judged(run(wrong), {run(Times{})});
  EXPECT_EQ(found.word, HealthWord::wrong);
  EXPECT_EQ(exit_code(found.word, false), 1);
  EXPECT_LE(health_line("n1", found, 1).size(), 80U);
}

TEST(Health, FewFilesStandForMany) {
  std::vector<NodeRun> runs;
  for (int i = 0; i < 100; ++i) {
    const double factor = 1 + 0.001 * i;
    runs.push_back(run(Times{factor, 2 * factor, 3}));
    runs.back().file = std::to_string(i);
  }
  const auto learned = learn(runs, computing, 0.1);
  ASSERT_EQ(learned.size(), 1U);
  EXPECT_EQ(learned[0].runs, 100U);
  ASSERT_EQ(learned[0].files.size(), 15U);
  EXPECT_EQ(learned[0].files.front(), "0");
  EXPECT_EQ(learned[0].files.back(), "99");
  EXPECT_NEAR(learned[0].parts.at("memory").scatter, 0.035, 0.005);
  EXPECT_EQ(learned[0].parts.at("cores").scatter, 0);
  EXPECT_NEAR(learned[0].parts.at("memory").finds_from, 1.19, 0.01);
  EXPECT_LT(learned[0].parts.at("cores").finds_from, 1.12);
}

/// Files of nodes with eight GPUs: the run of each has times of its GPU, and the first those of the
/// processors.
std::vector<NodeRun> with_gpus(std::size_t nodes) {
  std::vector<NodeRun> runs;
  for (std::size_t i = 0; i < nodes; ++i) {
    for (int gpu = 0; gpu < 8; ++gpu) {
      const double factor = 1 + 0.0001 * static_cast<double>(i);
      NodeRun& one = runs.emplace_back(run(Times{factor, 2 * factor, 3}));
      one.file = fmt::format("{}.json", i);
      one.gpu_number = std::to_string(gpu);
      for (NodeTime& time : one.times) time.on_gpu = gpu > 0;
    }
  }
  return runs;
}

TEST(Health, OfANodeFarFromTheOthersNothingIsLearnt) {
  const auto all = with_gpus(10);
  ASSERT_EQ(learn(all, computing, 0.1).front().files.size(), 10U) << "few files are all taken";
  for (const std::size_t bad : {0U, 3U}) {  // its processors, or one of its GPUs
    std::vector<NodeRun> runs = all;
    for (NodeTime& time : runs[40 + bad].times) time.seconds *= 1.5;
    const LearnedKind kind = learn(runs, computing, 0.1).front();
    EXPECT_EQ(std::count(kind.files.begin(), kind.files.end(), "5.json"), 0);
    EXPECT_EQ(kind.files.size(), 9U);
    ASSERT_EQ(kind.outliers.size(), 1U);
    const std::string part = bad == 0 ? "memory" : "gpu3 memory";
    EXPECT_TRUE(kind.outliers[0].ratios.contains(part)) << bad;
    EXPECT_EQ(kind.outliers[0].ratios.size(), 2U) << "memory and cores of that part alone";
  }
}

TEST(Health, ANodeFarFromTheOthersIsNotLearnt) {
  std::vector<NodeRun> runs;
  for (int i = 0; i < 200; ++i) {
    const double factor = 1 + 0.0001 * (i % 50);
    runs.push_back(run(Times{factor, 2 * factor, i == 150 ? 3 * 1.3 : 3}));
    runs.back().file = std::to_string(i);
  }
  const auto learned = learn(runs, computing, 0.1);
  ASSERT_EQ(learned.size(), 1U);
  ASSERT_EQ(learned[0].outliers.size(), 1U);
  EXPECT_EQ(learned[0].outliers[0].file, "150");
  ASSERT_EQ(learned[0].outliers[0].ratios.size(), 1U);
  EXPECT_NEAR(learned[0].outliers[0].ratios.at("cores"), 1.3, 0.005);
  EXPECT_EQ(std::count(learned[0].files.begin(), learned[0].files.end(), "150"), 0);
}

}  // namespace
}  // namespace bench::test
