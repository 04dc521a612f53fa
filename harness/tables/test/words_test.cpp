#include "harness/tables/words.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// The sentence about the cases of the first one's workload, with common blanks.
std::string sentence(const std::vector<Case>& cases) {
  const Tables tables = tables_of(group_of(cases));
  std::vector<Row> rows;
  for (std::size_t i = 0; i < tables.cases.size(); ++i) {
    if (tables.cases.at(i).at("workload") != cases.front().workload) continue;
    rows.push_back({tables.cases.at(i), tables.speedups.at(i)});
  }
  return with_plain_blanks(conclusion(rows));
}

Case failed(const std::string& backend, const std::string& variant) {
  Case result = measured("work", backend, variant, 1);
  result.status = "failed";
  result.reason = "wrong";
  result.timing = {};
  return result;
}

Case without_flops(Case result) {
  result.flops = 0;
  return result;
}

TEST(Conclusion, MemoryIsTheLimit) {
  EXPECT_EQ(
      sentence({measured("work", "serial", "naive", 8e-3), measured("work", "openmp", "simd", 1e-3),
                measured("copy", "openmp", "naive", 0.95e-3)}),
      "openmp/simd is 8.0× as fast as the plain loop on 2 threads; at 95 % of the speed of a "
      "plain copy, memory is the limit.");
}

TEST(Conclusion, ComputingIsTheLimit) {
  EXPECT_EQ(
      sentence({measured("work", "serial", "naive", 8e-3), measured("work", "serial", "simd", 2e-3),
                measured("copy", "serial", "naive", 0.5e-3)}),
      "serial/simd is 4.0× as fast as the plain loop; it moves its data at 25 % of the speed "
      "of a plain copy: the rest goes to computing, and memory would allow another 4.0×.");
}

TEST(Conclusion, TheOrderOfAccessIsTheLimitWhereNothingIsComputed) {
  EXPECT_EQ(
      sentence({without_flops(measured("work", "serial", "naive", 8e-3)),
                without_flops(measured("work", "serial", "tiled", 2e-3)),
                measured("copy", "serial", "naive", 1e-3)}),
      "serial/tiled is 4.0× as fast as the plain loop; it moves its data at 50 % of the speed "
      "of a plain copy: the rest goes to the order of access, and memory would allow another "
      "2.0×.");
}

TEST(Conclusion, WhatMostlyReadsIsFasterThanACopy) {
  EXPECT_EQ(
      sentence({measured("work", "serial", "naive", 8e-3),
                measured("work", "serial", "private_bins", 1e-3),
                measured("copy", "serial", "naive", 2e-3)}),
      "serial/private_bins is 8.0× as fast as the plain loop; it takes less time than copying "
      "as many bytes would: its data are mostly read.");
}

TEST(Conclusion, WithoutACopyNothingIsSaidOfMemory) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 3e-3),
                      measured("work", "openmp", "naive", 2e-3)}),
            "openmp/naive is 1.50× as fast as the plain loop on 2 threads.");
}

TEST(Conclusion, TheYardstickItselfSaysWhatTheColumnMeans) {
  const std::vector<Case> copies{copy_alone("serial", "naive", 4e-3),
                                 copy_alone("serial", "stream", 2e-3)};
  EXPECT_EQ(sentence(copies),
            "serial/stream is 2.0× as fast as the plain loop: 2.0 GB/s is what “of copy” means "
            "for serial in this table.");
}

TEST(Conclusion, AGpuIsComparedWithTheCpuAtItsBestAndWithTransfers) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 18e-3),
                      measured("work", "openmp", "simd", 1.2e-3),
                      measured_on_gpu("work", "grid_stride", Scope::kernel, 2e-4),
                      measured_on_gpu("work", "wide", Scope::kernel, 1e-4),
                      measured_on_gpu("work", "grid_stride", Scope::end_to_end, 2.5e-3),
                      measured_on_gpu("work", "wide", Scope::end_to_end, 2e-3),
                      measured_on_gpu("copy", "wide", Scope::kernel, 0.95e-4)}),
            "cuda/wide is 180× as fast as the plain loop and 12× as the fastest CPU variant; at 95 "
            "% of the speed of a plain copy on the device, memory is the limit. With the transfers "
            "the best, cuda/wide, is 9.0× as fast as the plain loop and 0.60× as the fastest CPU "
            "variant: they take 95 % of its time, and the CPU wins unless the data are on the "
            "device already.");
}

TEST(Conclusion, AGpuThatIsSlowerIsNotTheBest) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-5),
                      measured_on_gpu("work", "wide", Scope::kernel, 2e-5),
                      measured_on_gpu("work", "wide", Scope::end_to_end, 4e-5)}),
            "No variant beats the plain loop here. With the transfers the best, cuda/wide, is "
            "0.25× as fast as the plain loop and 0.25× as the fastest CPU variant: they take 50 % "
            "of its time, and the CPU wins unless the data are on the device already.");
}

TEST(Conclusion, ASmallKernelIsMostlyLaunching) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-4),
                      measured_on_gpu("work", "wide", Scope::kernel, 1e-5),
                      measured_on_gpu("copy", "wide", Scope::kernel, 5e-6)}),
            "cuda/wide is 10× as fast as the plain loop and 10× as the fastest CPU variant; it "
            "moves its data at 50 % of the speed of a plain copy: the rest goes to launching the "
            "kernel, and memory would allow another 2.0×.");
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
            "No variant beats the plain loop here.");
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-6),
                      measured("work", "openmp", "naive", 2e-6)}),
            "No variant beats the plain loop: so little work is done before threads have started.");
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-6),
                      measured("work", "serial", "simd", 2e-6)}),
            "No variant beats the plain loop here.");
}

TEST(Conclusion, ThePlainLoopAloneNeedsNone) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 1e-3)}), "");
}

TEST(Conclusion, NothingWasMeasured) {
  EXPECT_EQ(sentence({failed("serial", "naive"), failed("openmp", "naive")}),
            "Nothing was measured.");
  EXPECT_EQ(conclusion({}), "Nothing was measured.");
}

TEST(Conclusion, AFailedVariantIsNeverTheBest) {
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 3e-3), failed("serial", "cheat"),
                      measured("work", "openmp", "naive", 2e-3), failed("openmp", "cheat")}),
            "openmp/naive is 1.50× as fast as the plain loop on 2 threads.");
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
            "openmp/naive has no baseline to compare with.");
  Case too_fast = measured("work", "openmp", "naive", 1);
  too_fast.timing.samples.assign(9, 0.0);
  EXPECT_EQ(sentence({measured("work", "serial", "naive", 3e-3), too_fast}),
            "openmp/naive has no baseline to compare with.");
}

TEST(Conclusion, PythonIsCountedPerElement) {
  EXPECT_EQ(sentence({measured("work", "python", "naive", 2e-3),
                      measured("work", "python", "lists", 1e-3),
                      measured("work", "numba", "njit", 1e-5)}),
            "numba/njit has no baseline to compare with. python/lists takes 100.0 µs per element.");
}

TEST(Words, ColumnsCountCharactersNotBytes) {
  EXPECT_EQ(columns(""), 0U);
  EXPECT_EQ(columns("abc"), 3U);
  EXPECT_EQ(columns("µs × – ·"), 8U);
}

TEST(Words, WrapsAtBlanks) {
  EXPECT_EQ(wrapped("", 10, 2), "");
  EXPECT_EQ(wrapped("aa bb", 10, 2), "aa bb");
  EXPECT_EQ(wrapped("aaaa bbbb c", 9, 2), "aaaa bbbb\n  c");
  EXPECT_EQ(wrapped("aaaa bbbb c d", 6, 1), "aaaa\n bbbb\n c d");
  EXPECT_EQ(wrapped("averylongword x", 4, 0), "averylongword\nx");
  EXPECT_EQ(wrapped("µµµ µµµ", 7, 0), "µµµ µµµ");
  EXPECT_EQ(wrapped("aa bb cc dd", 10, 4, 6), "aa\n    bb cc\n    dd")
      << "the first line begins late";
}

TEST(Wrapped, CutsWhatHasNoRoomAtASlashOrComma) {
  EXPECT_EQ(wrapped("most: copy/numba/parallel/f32/10000000/kernel,beside=energy:1", 30, 2),
            "most:\n  copy/numba/parallel/f32/\n  10000000/kernel,\n  beside=energy:1");
  EXPECT_EQ(wrapped("a aaaaaaaaaaaaaaaaaaaa b", 10, 2), "a\n  aaaaaaaaaaaaaaaaaaaa\n  b");
  EXPECT_EQ(wrapped("/,/,/,/,/,/", 4, 0), "/,/,\n/,/,\n/,/");
  EXPECT_EQ(wrapped("at 95\u00A0% of it", 7, 0), "at 95\u00A0%\nof it");
}

}  // namespace
}  // namespace bench::test
