#include "harness/tables/conclusion.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "harness/document/test/records.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// The sentence about the cases of the first one's workload, with common blanks.
std::string sentence(const std::vector<Case>& cases) {
  const Document document = document_of_groups({group_of(cases)});
  const Origin origin;
  std::vector<Row> rows;
  for (const CaseRecord& one : document.cases) {
    if (one.workload != cases.front().workload) continue;
    rows.push_back({&one, &document, &origin, one.over_serial});
  }
  return with_plain_blanks(conclusion(rows, answer_of(rows)));
}

Case failed(const std::string& backend, const std::string& variant) {
  Case result = measured("work", backend, variant, 1);
  result.status = Status::failed;
  result.reason = "wrong";
  result.timing = {};
  return result;
}

TEST(Conclusion, MemoryIsTheLimit) {
  EXPECT_EQ(
      sentence({measured("work", "serial", "naive", 8e-3), measured("work", "openmp", "simd", 1e-3),
                measured("copy", "openmp", "naive", 0.95e-3)}),
      "openmp/simd is 8.0× as fast as the naive loop on 2 threads; at 95 % of the speed of a "
      "plain copy, memory is the limit.");
}

TEST(Conclusion, MemoryWouldAllowMore) {
  EXPECT_EQ(
      sentence({measured("work", "serial", "naive", 8e-3), measured("work", "serial", "simd", 2e-3),
                measured("copy", "serial", "naive", 0.5e-3)}),
      "serial/simd is 4.0× as fast as the naive loop; it moves its data at 25 % of the speed "
      "of a plain copy on one core: memory would allow one core up to 4.0× this speed.");
  EXPECT_EQ(
      sentence({measured("work", "serial", "naive", 8e-3), measured("work", "openmp", "simd", 2e-3),
                measured("copy", "openmp", "naive", 0.5e-3)}),
      "openmp/simd is 4.0× as fast as the naive loop on 2 threads; it moves its data at 25 % of "
      "the speed of a plain copy: memory would allow up to 4.0× this speed.");
}

TEST(Conclusion, AModelIsComparedWithTheLadderOnTheSameProcessors) {
  const std::vector<Case> ladder{measured("work", "serial", "naive", 8e-3),
                                 measured("work", "openmp", "naive", 2e-3),
                                 measured("work", "openmp", "simd", 1e-3)};
  const auto with = [&](const std::vector<Case>& more) {
    std::vector<Case> all = ladder;
    all.insert(all.end(), more.begin(), more.end());
    return sentence(all);
  };
  const std::string with_two = with(
      {measured("work", "stdpar", "naive", 4e-3), measured("work", "stdpar", "simd", 1.25e-3)});
  expect_contains(with_two, "stdpar/simd reaches 80 % of the speed of openmp/simd.");
  EXPECT_EQ(with_two.find("stdpar/naive"), std::string::npos) << with_two;
  expect_contains(with({measured("work", "stdpar", "simd", 0.5e-3)}),
                  "stdpar/simd reaches 200 % of the speed of openmp/simd.");
  EXPECT_EQ(with({}).find("reaches"), std::string::npos);
  Case fewer = measured("work", "stdpar", "simd", 1e-3);
  fewer.threads = 1;
  EXPECT_EQ(with({fewer}).find("reaches"), std::string::npos);
}

/// A user kernel next to a copy in 0.5 ms.
std::string sentence_of_guest(double seconds, std::optional<std::size_t> steps) {
  Case mine = measured("work", "guest", "mine", seconds);
  mine.guest = "mine.cpp";
  mine.steps = steps;
  mine.footprint_bytes = std::size_t{64} << 20U;
  Case naive = measured("work", "serial", "naive", 8e-3);
  naive.steps = steps;
  return sentence({naive, mine, measured("copy", "serial", "naive", 0.5e-3)});
}

TEST(Conclusion, SeveralStepsInACacheMoveLessThanCopiesForEach) {
  Case naive = measured("work", "serial", "naive", 8e-3);
  Case fast = measured("work", "serial", "blocked_in_time", 0.25e-3);
  naive.steps = fast.steps = 8;
  EXPECT_EQ(sentence({naive, fast, measured("copy", "serial", "naive", 0.5e-3)}),
            "serial/blocked_in_time is 32× as fast as the naive loop; to move the data for each "
            "step at the speed of a plain copy on one core would take 2.0× as long: several steps "
            "find them in a cache.");
  expect_contains(sentence_of_guest(0.25e-3, 8), "would take 2.0× as long");
}

TEST(Conclusion, WhatMovesMoreThanACopyIsNotBelieved) {
  const char* const doubt = "find the reason before you believe it";
  expect_contains(sentence_of_guest(0.25e-3, std::nullopt), doubt);
  expect_contains(sentence_of_guest(0.25e-3, 1), doubt);
  EXPECT_EQ(sentence_of_guest(0.25e-3, 8).find(doubt), std::string::npos);
  EXPECT_EQ(sentence_of_guest(0.07e-3, 8).find(doubt), std::string::npos);
  expect_contains(sentence_of_guest(0.05e-3, 8), doubt);
}

Case with_in_cache(Case one, double seconds) {
  one.timing.in_cache = samples_around(seconds);
  return one;
}

TEST(Conclusion, SaysWhatTheSameTakesInTheCache) {
  const auto best_takes = [](double in_cache) {
    return sentence({measured("work", "serial", "naive", 8e-3),
                     with_in_cache(measured("work", "serial", "simd", 2e-3), in_cache),
                     measured("copy", "serial", "naive", 0.5e-3)});
  };
  const std::string start =
      "serial/simd is 4.0× as fast as the naive loop; it moves its data at 25 % of the speed of a "
      "plain copy on one core: memory would allow one core up to 4.0× this speed";
  EXPECT_EQ(best_takes(0.4e-3), start + ".") << "memory takes longer";
  EXPECT_EQ(best_takes(1.2e-3), start + "; on cached data the same code takes 60 % of this time.");
  EXPECT_EQ(best_takes(1.94e-3),
            start +
                "; on cached data the same code takes 97 % of this time: memory "
                "is not the limit.");
}

// What keeps a variant below or lifts it above its reference is not known from the share.
TEST(Conclusion, NamesNoCauseBeyondTheShare) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 8e-3),
                      measured("work", "serial", "private_bins", 1e-3),
                      measured("copy", "serial", "naive", 2e-3)}),
            "serial/private_bins is 8.0× as fast as the naive loop; it moves its data at 200 % of "
            "the speed of a plain copy on one core.");
}

TEST(Conclusion, WithoutACopyNothingIsSaidOfMemory) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 3e-3),
                      measured("work", "openmp", "naive", 2e-3)}),
            "openmp/naive is 1.50× as fast as the naive loop on 2 threads.");
}

TEST(Conclusion, TheReferenceItselfSaysWhatTheColumnMeans) {
  const std::vector<Case> copies{copy_alone("serial", "naive", 4e-3),
                                 copy_alone("serial", "stream", 2e-3)};
  EXPECT_EQ(sentence(copies),
            "serial/stream is 2.0× as fast as the naive loop: 2.0 GB/s is “100 % of copy” for "
            "serial in this table.");
}

TEST(Conclusion, AGpuIsComparedWithTheCpuAtItsBestAndWithTransfers) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 18e-3),
                      measured("work", "openmp", "simd", 1.2e-3),
                      measured_on_gpu("work", "grid_stride", Scope::kernel, 2e-4),
                      measured_on_gpu("work", "wide", Scope::kernel, 1e-4),
                      measured_on_gpu("work", "grid_stride", Scope::end_to_end, 2.5e-3),
                      measured_on_gpu("work", "wide", Scope::end_to_end, 2e-3),
                      measured_on_gpu("copy", "wide", Scope::kernel, 0.95e-4)}),
            "cuda/wide is 180× as fast as the naive loop and 12× as the fastest CPU variant; at 95 "
            "% of the speed of a plain copy on the device, memory is the limit. With the transfers "
            "the best, cuda/wide, is 9.0× as fast as the naive loop and 0.60× as the fastest CPU "
            "variant: they take 95 % of its time, and the CPU wins unless the data are on the "
            "device already.");
}

TEST(Conclusion, SaysWhatPageableMemoryCosts) {
  const auto with = [](Scope scope, double seconds) {
    return sentence({measured("work", "serial", "naive", 18e-3),
                     measured_on_gpu("work", "wide", Scope::kernel, 1e-4),
                     measured_on_gpu("work", "wide", Scope::end_to_end, 2e-3),
                     measured_on_gpu("work", "wide", scope, seconds)});
  };
  expect_contains(with(Scope::pageable, 5e-3),
                  " From pageable memory cuda/wide takes 2.5× as long as from pinned memory.");
  EXPECT_EQ(with(Scope::pageable, 2e-3).find("pageable"), std::string::npos) << "nothing is shown";
  // What is not a copy is not the best with transfers, however fast it is, nor the kernel alone.
  for (const Scope scope : {Scope::mapped, Scope::managed}) {
    expect_contains(with(scope, 1e-5), "cuda/wide is 180× as fast as the naive loop");
    expect_contains(with(scope, 1e-5), "With the transfers the best, cuda/wide, is 9.0× as fast");
  }
}

TEST(Conclusion, AGpuThatIsSlowerIsNotTheBest) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-5),
                      measured_on_gpu("work", "wide", Scope::kernel, 2e-5),
                      measured_on_gpu("work", "wide", Scope::end_to_end, 4e-5)}),
            "No variant beats the naive loop here. With the transfers the best, cuda/wide, is "
            "0.25× as fast as the naive loop and 0.25× as the fastest CPU variant: they take 50 % "
            "of its time, and the CPU wins.");
}

TEST(Conclusion, OneThreadIsSingular) {
  std::vector<Case> cases{measured("work", "serial", "naive", 4e-3),
                          measured("work", "openmp", "naive", 2e-3)};
  cases.back().threads = 1;
  expect_contains(sentence(cases), "on 1 thread.");
}

TEST(Conclusion, NoVariantBeatsThePlainLoop) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-3),
                      measured("work", "openmp", "naive", 2e-3)}),
            "No variant beats the naive loop here.");
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-6),
                      measured("work", "openmp", "naive", 2e-6)}),
            "No variant beats the naive loop here.");
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-6),
                      measured("work", "serial", "simd", 2e-6)}),
            "No variant beats the naive loop here.");
}

/// Some of its samples, fewer than half, took `factor` times as long.
Case unsteady(Case one, double factor = 5) {
  for (std::size_t i = 1; i < one.timing.samples.size(); i += 2) one.timing.samples[i] *= factor;
  return one;
}

/// Others were at work in some of its samples.
Case preempted(Case one, std::size_t samples) {
  one.timing.preempted = samples;
  return one;
}

TEST(Conclusion, AWideIntervalIsToldAsOne) {
  const std::string text = sentence({measured("work", "serial", "naive", 50e-3),
                                     unsteady(measured("work", "openmp", "naive", 1e-3))});
  expect_contains(text, "openmp/naive is between ");
  expect_contains(text, "× as fast as the naive loop on 2 threads.");
}

TEST(Conclusion, WhatTheIntervalDoesNotShowIsNotSaid) {
  expect_contains(sentence({measured("work", "serial", "naive", 3e-3),
                            unsteady(measured("work", "openmp", "naive", 0.9e-3))}),
                  "No difference from the naive loop can be shown: openmp/naive, the fastest");
  expect_contains(sentence({measured("work", "serial", "naive", 3e-3),
                            unsteady(measured("work", "openmp", "naive", 4e-3), 0.2)}),
                  "No variant is shown to beat the naive loop here.");
}

TEST(Conclusion, OnABusyNodeNothingIsConcluded) {
  const Case copy = measured("copy", "openmp", "naive", 0.95e-3);
  const Case best = measured("work", "openmp", "simd", 1e-3);
  const Case plain = measured("work", "serial", "naive", 8e-3);
  expect_contains(sentence({plain, best, copy}), "memory is the limit");
  for (const auto& cases : {std::vector{preempted(plain, 5), best, copy},
                            std::vector{plain, preempted(best, 5), copy}}) {
    const std::string text = sentence(cases);
    expect_contains(text, ", but this node was busy: 5 of 9 samples of ");
    EXPECT_EQ(text.find("limit"), std::string::npos) << text;
  }
}

TEST(Conclusion, OfAGuestThatHadToWaitNothingIsSaid) {
  const Case plain = measured("work", "serial", "naive", 8e-3);
  Case mine = measured("work", "guest", "mine", 4e-3);
  mine.guest = "mine.cpp";
  expect_contains(sentence({plain, mine}),
                  "guest/mine is faster than every variant on the CPU: 2.0×");
  expect_contains(sentence({plain, preempted(mine, 5)}),
                  "Nothing can be said of guest/mine: 5 of its 9 samples waited for a processor.");
}

TEST(Conclusion, FewSamplesBearNone) {
  const auto with = [](std::size_t samples) {
    Case best = measured("work", "openmp", "simd", 1e-3);
    best.timing.samples = samples_around(1e-3, samples);
    return sentence({measured("work", "serial", "naive", 8e-3), best});
  };
  EXPECT_EQ(with(5), "Too few samples (fewer than 6) to draw a conclusion.");
  expect_contains(with(6), "openmp/simd is ");
}

TEST(Conclusion, AnUncertainShareNamesNoLimit) {
  expect_contains(
      sentence({measured("work", "serial", "naive", 8e-3), measured("work", "openmp", "simd", 1e-3),
                unsteady(measured("copy", "openmp", "naive", 0.4e-3))}),
      "of the speed of a plain copy, too wide an interval to name a limit.");
}

TEST(Conclusion, ThePlainLoopAloneNeedsNone) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-3)}), "");
}

TEST(Conclusion, NothingWasMeasured) {
  EXPECT_EQ(sentence({failed("serial", "naive"), failed("openmp", "naive")}),
            "Nothing was measured.");
  EXPECT_EQ(conclusion({}, {}), "Nothing was measured.");
}

TEST(Conclusion, AUserKernelAloneWasMeasured) {
  Case mine = measured("work", "guest", "mine", 4e-3);
  mine.guest = "mine.cpp";
  EXPECT_EQ(sentence({failed("serial", "naive"), mine}).find("Nothing was measured"),
            std::string::npos);
}

TEST(Conclusion, AFailedVariantIsNeverTheBest) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 3e-3), failed("serial", "cheat"),
                      measured("work", "openmp", "naive", 2e-3), failed("openmp", "cheat")}),
            "openmp/naive is 1.50× as fast as the naive loop on 2 threads.");
}

TEST(Conclusion, ALibraryIsNeverTheBest) {
  const std::vector<Case> ours{measured("work", "serial", "naive", 18e-3),
                               measured("work", "openmp", "simd", 1.2e-3),
                               measured_on_gpu("work", "wide", Scope::kernel, 2e-4),
                               measured_on_gpu("work", "wide", Scope::end_to_end, 2e-3)};
  std::vector<Case> all = ours;
  all.push_back(measured_of_library("work", Scope::kernel, 1e-4));
  all.push_back(measured_of_library("work", Scope::end_to_end, 1e-3));
  EXPECT_EQ(sentence(all), sentence(ours));
  expect_contains(sentence(all), "cuda/wide is 90×");
}

TEST(Conclusion, BesideALibraryThePlainLoopAloneNeedsNone) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-3),
                      measured_of_library("work", Scope::kernel, 1e-4)}),
            "");
}

TEST(Conclusion, WithoutABaseline) {
  EXPECT_EQ(sentence({failed("serial", "naive"), measured("work", "openmp", "naive", 2e-3)}),
            "openmp/naive has the lowest median time.");
}

TEST(Conclusion, WithoutABaselineTheLimitIsToldAllTheSame) {
  EXPECT_EQ(
      sentence({measured_on_gpu("work", "wide", Scope::kernel, 1e-3),
                measured_on_gpu("copy", "wide", Scope::kernel, 0.95e-3),
                measured_on_gpu("work", "wide", Scope::end_to_end, 1e-2)}),
      "cuda/wide has the lowest median time; at 95 % of the speed of a plain copy "
      "on the device, memory is the limit. With the transfers cuda/wide has the lowest median "
      "time: they take 90 % of its time.");
}

TEST(Conclusion, WhatIsFastestOnTheCpuNeedsNoTransfers) {
  EXPECT_EQ(sentence({measured("work", "openmp", "simd", 0.1e-3),
                      measured_on_gpu("work", "wide", Scope::kernel, 1e-3),
                      measured_on_gpu("work", "wide", Scope::end_to_end, 1e-2)}),
            "openmp/simd has the lowest median time.");
}

TEST(Conclusion, WithTransfersAloneTheBusIsTheLimit) {
  EXPECT_EQ(sentence({measured_on_gpu("work", "wide", Scope::end_to_end, 1e-2),
                      measured_on_gpu("copy", "wide", Scope::end_to_end, 1e-2)}),
            "With the transfers cuda/wide has the lowest median time: at 100 % of the speed of the "
            "best copy with them, the bus is the limit.");
}

TEST(Conclusion, PythonIsCountedPerElement) {
  EXPECT_EQ(sentence({measured("work", "python", "naive", 2e-3),
                      measured("work", "python", "lists", 1e-3),
                      measured("work", "numba", "njit", 1e-5)}),
            "numba/njit has the lowest median time. "
            "python/lists takes 100.0 µs per element.");
}

}  // namespace
}  // namespace bench::test
