#include "harness/document/crossovers.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/document/report.hpp"
#include "harness/document/test/records.hpp"
#include "harness/measure/test/fakes.hpp"
#include "harness/tables/notes.hpp"
#include "harness/tables/render.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// The parts of N, N:BINS or RxC.
struct Parts {
  std::vector<std::size_t> shape;
  std::size_t elements;
  std::size_t bins = 0;
};
Parts parts_of(const std::string& size) {
  const std::size_t mark = size.find_first_of("x:");
  const std::size_t first = std::stoull(size);
  if (mark == std::string::npos) return {{first}, first};
  const std::size_t second = std::stoull(size.substr(mark + 1));
  if (size[mark] == ':') return {{first}, first, second};
  return {{first, second}, first * second};
}

/// The same case of another size.
Case at_size(Case one, const std::string& size) {
  const Parts parts = parts_of(size);
  one.size = size;
  one.shape = parts.shape;
  one.elements = parts.elements;
  if (parts.bins > 0) one.bins = parts.bins;
  return named(one);
}

/// One size: the CPU takes a second, the GPU the inverse of its speedups (0: not measured).
Group group_at(const std::string& size, double kernel, double end_to_end = 0) {
  Group group = group_of({at_size(measured("work", "serial", "naive", 4), size),
                          at_size(measured("work", "openmp", "simd", 1), size)});
  group.size = size;
  if (kernel > 0) {
    group.cases.push_back(
        at_size(measured_on_gpu("work", "slow", Scope::kernel, 2 / kernel), size));
    group.cases.push_back(
        at_size(measured_on_gpu("work", "wide", Scope::kernel, 1 / kernel), size));
  }
  if (end_to_end > 0) {
    group.cases.push_back(
        at_size(measured_on_gpu("work", "wide", Scope::end_to_end, 1 / end_to_end), size));
  }
  return group;
}

using Crossovers = std::vector<CrossoverRecord>;

Crossovers records_of(const std::vector<Group>& groups) {
  return crossovers(document_of_groups(groups).cases);
}
Json crossovers_of(const std::vector<Group>& groups) { return written(records_of(groups)); }

/// A CUDA case with just what crossovers look at.
struct Planted {
  std::string size;
  double ratio;
  double low;
  double high;
  bool disturbed = false;
};

Crossovers records_of(const std::vector<Planted>& planted, const std::string& workload = "work",
                      const std::string& disturbed = "openmp") {
  std::vector<CaseRecord> cases;
  for (const Planted& one : planted) {
    const Parts parts = parts_of(one.size);
    for (const char* backend : {"openmp", "cuda"}) {
      CaseRecord& here = cases.emplace_back();
      here.workload = workload;
      here.backend = backend;
      here.variant = std::string(backend) == "cuda" ? "wide" : "simd";
      here.size = one.size;
      here.elements = parts.elements;
      if (parts.bins > 0) here.bins = parts.bins;
      here.status = Status::measured;
      here.rounds = 9;
      here.seconds.emplace().median = 1 / one.ratio;
      here.seconds->preempted = one.disturbed && backend == disturbed ? 5 : 0;
      here.name = here.name_with({});
    }
    cases.back().over_best_cpu =
        RatioRecord{one.ratio, {one.low, one.high}, cases[cases.size() - 2].name};
  }
  return crossovers(cases);
}
Json crossover_of(const std::vector<Planted>& planted) { return written(records_of(planted)); }

Json single(const Json& entries) {
  EXPECT_EQ(entries.size(), 1U);
  return entries.empty() ? Json() : entries.at(0);
}

TEST(Crossovers, LieOnTheLineBetweenTheLogarithms) {
  const Json entry = single(
      crossover_of({{"100", 0.1, 0.05, 0.2}, {"10000", 10, 5, 20}, {"1000000", 90, 80, 100}}));
  EXPECT_EQ(entry.at("verdict"), "from");
  EXPECT_EQ(entry.at("size"), 1000) << "half way between 0.1 and 10";
  // The upper ends cross 1 at log(5)/log(100) of the way, the lower ones as far from the other end.
  const double way = std::log(5) / std::log(100);
  EXPECT_EQ(entry.at("ci95").at(0), std::round(100 * std::pow(100, way)));
  EXPECT_EQ(entry.at("ci95").at(1), std::round(10'000 / std::pow(100, way)));
}

TEST(Crossovers, AnEntrySaysWhatWasCompared) {
  const Json entries = crossovers_of({group_at("100", 0.1), group_at("10000", 10)});
  const Json entry = single(entries);
  EXPECT_EQ(entry.at("name"), "work/f32/kernel");
  EXPECT_EQ(entry.at("workload"), "work");
  EXPECT_EQ(entry.at("dtype"), "f32");
  EXPECT_TRUE(entry.at("bins").is_null());
  EXPECT_EQ(entry.at("scope"), "kernel");
  EXPECT_EQ(entry.at("cache"), "cold");
  ASSERT_EQ(entry.at("points").size(), 2U);
  const Json& point = entry.at("points").at(1);
  EXPECT_EQ(point.at("size"), "10000");
  EXPECT_EQ(point.at("elements"), 10'000);
  EXPECT_EQ(point.at("cpu"), "openmp/simd") << "the best one, not the naive loop";
  EXPECT_EQ(point.at("gpu"), "cuda/wide");
  EXPECT_DOUBLE_EQ(point.at("ratio").at("value").get<double>(), 10);
  EXPECT_EQ(entry.at("verdict"), "from");
  EXPECT_NEAR(entry.at("size").get<double>(), 1000, 1);
}

TEST(Crossovers, BothScopesHaveTheirOwn) {
  const Json entries = crossovers_of(
      {group_at("100", 2, 0.01), group_at("10000", 30, 0.1), group_at("1000000", 90, 10)});
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries.at(0).at("scope"), "kernel");
  EXPECT_EQ(entries.at(0).at("verdict"), "always");
  EXPECT_EQ(entries.at(1).at("scope"), "end_to_end");
  EXPECT_NEAR(entries.at(1).at("size").get<double>(), 100'000, 100);
}

TEST(Crossovers, AlwaysIsBoundedByTheSmallestSize) {
  Json entry = single(crossover_of({{"100", 2, 1.5, 3}, {"10000", 9, 8, 10}}));
  EXPECT_EQ(entry.at("verdict"), "always");
  EXPECT_TRUE(entry.at("size").is_null());
  EXPECT_EQ(entry.at("ci95").dump(), "[null,100]");

  entry = single(crossover_of({{"100", 2, 0.1, 3}, {"10000", 20, 10, 30}}));
  EXPECT_EQ(entry.at("verdict"), "from") << "not sure at the smallest size";
  EXPECT_TRUE(entry.at("size").is_null()) << "it may be smaller than all that were measured";
  EXPECT_EQ(entry.at("ci95").dump(), "[null,1000]");

  entry = single(crossover_of({{"100", 2, 1.5, 3}, {"10000", 2, 0.9, 30}}));
  EXPECT_EQ(entry.at("verdict"), "unclear") << "not sure at the largest one";
  EXPECT_EQ(entry.at("ci95").dump(), "[null,null]");
}

TEST(Crossovers, NeverIsBoundedByTheLargestSize) {
  Json entry = single(crossover_of({{"100", 0.1, 0.1, 0.2}, {"10000", 0.9, 0.8, 0.95}}));
  EXPECT_EQ(entry.at("verdict"), "never");
  EXPECT_TRUE(entry.at("size").is_null());
  EXPECT_EQ(entry.at("ci95").dump(), "[10000,null]");

  entry = single(crossover_of({{"100", 0.05, 0.04, 0.1}, {"10000", 0.9, 0.8, 10}}));
  EXPECT_EQ(entry.at("verdict"), "unclear") << "not sure at the largest size";
  EXPECT_EQ(entry.at("ci95").dump(), "[1000,null]");

  entry = single(crossover_of({{"100", 1, 1, 1}, {"10000", 1, 1, 1}}));
  EXPECT_EQ(entry.at("verdict"), "never") << "a draw is no victory";
}

TEST(Crossovers, TheLastOneCounts) {
  const Json entry = single(crossover_of(
      {{"10", 3, 2, 4}, {"100", 0.1, 0.09, 0.11}, {"10000", 10, 9, 11}, {"1000000", 90, 80, 100}}));
  EXPECT_EQ(entry.at("verdict"), "from");
  EXPECT_EQ(entry.at("size"), 1000);

  const Json lost = single(crossover_of({{"10", 3, 2, 4}, {"100", 0.5, 0.4, 0.6}}));
  EXPECT_EQ(lost.at("verdict"), "never") << "not at the largest size";
}

TEST(Crossovers, AnEndWithoutAMeasuredSizeBeyondIsNull) {
  const Json entry = single(crossover_of({{"100", 0.5, 0.1, 2}, {"10000", 2, 0.9, 9}}));
  EXPECT_EQ(entry.at("verdict"), "unclear");
  EXPECT_TRUE(entry.at("size").is_null());
  EXPECT_EQ(entry.at("ci95").dump(), "[null,null]");
}

TEST(Crossovers, TheIntervalContainsTheSize) {
  const Json entry = single(crossover_of({{"100", 0.5, 0.6, 0.7}, {"10000", 2, 2.1, 2.2}}));
  EXPECT_LE(entry.at("ci95").at(0), entry.at("size"));
  EXPECT_GE(entry.at("ci95").at(1), entry.at("size"));
}

TEST(Crossovers, OfWhatWaitedForAProcessorNothingIsKnown) {
  for (const char* const backend : {"openmp", "cuda"}) {
    const auto of = [&](const std::vector<Planted>& planted) {
      return single(written(records_of(planted, "work", backend)));
    };
    const Json between =
        of({{"100", 0.1, 0.09, 0.11}, {"10000", 10, 9, 11, true}, {"1000000", 90, 80, 100}});
    EXPECT_EQ(between.at("size"), 1000);
    EXPECT_EQ(between.at("ci95").dump(), "[100,1000000]");
    EXPECT_EQ(of({{"100", 2, 1.5, 3, true}, {"10000", 9, 8, 10}}).at("ci95").dump(),
              "[null,10000]");
    EXPECT_EQ(of({{"100", 2, 1.5, 3}, {"10000", 9, 8, 10, true}}).at("verdict"), "unclear");
    EXPECT_EQ(of({{"100", 0.1, 0.1, 0.2}, {"10000", 0.9, 0.8, 0.95, true}}).at("verdict"),
              "unclear");
  }
}

TEST(Crossovers, OfFewSamplesNothingIsKnown) {
  std::vector<Group> groups{group_at("100", 0.1), group_at("10000", 10)};
  EXPECT_EQ(single(crossovers_of(groups)).at("verdict"), "from");
  for (Case& one : groups.back().cases) one.timing.samples.resize(5);
  EXPECT_EQ(single(crossovers_of(groups)).at("verdict"), "unclear");
}

TEST(Crossovers, NeedTwoNumbersOfElements) {
  EXPECT_TRUE(crossovers_of({group_at("100", 2)}).empty());
  EXPECT_TRUE(crossover_of({{"10x100", 2, 2, 2}, {"100x10", 0.5, 0.5, 0.5}}).empty());
  EXPECT_TRUE(crossovers({}).empty());
}

TEST(Crossovers, OfEquallyManyElementsAllMustBeWon) {
  const Json entry = single(
      crossover_of({{"10x10", 0.5, 0.5, 0.5}, {"10x1000", 0.1, 0.1, 0.1}, {"100x100", 5, 5, 5}}));
  EXPECT_EQ(entry.at("verdict"), "never");
  EXPECT_EQ(entry.at("points").back().at("size"), "10x1000");
  const Json won = single(
      crossover_of({{"10x1000", 0.1, 0.1, 0.1}, {"100x100", 5, 5, 5}, {"1000x1000", 10, 10, 10}}));
  EXPECT_EQ(won.at("size"), 100'000);
}

TEST(Crossovers, SizesAreOrderedAsNumbers) {
  const Json entry =
      single(crossover_of({{"1000000", 90, 80, 99}, {"100", 0.1, 0.1, 0.1}, {"10000", 10, 9, 11}}));
  EXPECT_EQ(entry.at("size"), 1000);
}

TEST(Crossovers, EachNumberOfBinsAndParameterHasItsOwn) {
  const Json entries = crossover_of({{"100:10", 0.1, 0.1, 0.1},
                                     {"100:256", 2, 2, 2},
                                     {"10000:10", 10, 10, 10},
                                     {"10000:256", 4, 4, 4}});
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries.at(0).at("name"), "work/f32/kernel,bins=10");
  EXPECT_EQ(entries.at(0).at("bins"), 10);
  EXPECT_EQ(entries.at(0).at("size"), 1000);
  EXPECT_EQ(entries.at(1).at("bins"), 256);
  EXPECT_EQ(entries.at(1).at("verdict"), "always");

  std::vector<Group> groups{group_at("100", 0.1), group_at("10000", 10)};
  for (Case& one : groups.back().cases) {
    one.parameters["seed"] = "7";
    one = named(one);
  }
  EXPECT_TRUE(crossovers_of(groups).empty());
}

TEST(Crossovers, OnlyWhatWasMeasuredCounts) {
  EXPECT_TRUE(crossovers_of({group_at("100", 0), group_at("10000", 0)}).empty()) << "no GPU";

  std::vector<Group> groups{group_at("100", 0.1), group_at("1000", 5), group_at("10000", 10)};
  for (Case& one : groups.at(1).cases) {
    if (one.backend != "cuda") continue;
    one.status = Status::failed;
    one.reason = "wrong";
    one.timing = {};
  }
  EXPECT_EQ(single(crossovers_of(groups)).at("points").size(), 2U);

  // The fastest variant failed: the next one counts.
  groups.at(1) = group_at("1000", 5);
  groups.at(1).cases.back().status = Status::failed;
  groups.at(1).cases.back().reason = "wrong";
  const Json entry = single(crossovers_of(groups));
  EXPECT_EQ(entry.at("points").at(1).at("gpu"), "cuda/slow");

  // No CPU variant at all.
  for (Case& one : groups.at(0).cases) {
    if (one.backend != "cuda") one.status = Status::skipped;
  }
  EXPECT_EQ(single(crossovers_of(groups)).at("points").size(), 2U);
}

TEST(Crossovers, ReferencesCountAndReferencesBesideDoNot) {
  std::vector<Group> groups{group_at("100", 0.1), group_at("10000", 10)};
  for (Group& group : groups) {
    for (Case& one : group.cases) one.reference = true;
    Case copy = at_size(measured_on_gpu("copy", "wide", Scope::kernel, 0.1), group.size);
    copy.beside = Beside{"work", group.size};
    Case plain = at_size(measured("copy", "serial", "naive", 1), group.size);
    plain.beside = copy.beside;
    group.cases.insert(group.cases.end(), {named(copy), named(plain)});
  }
  EXPECT_EQ(single(crossovers_of(groups)).at("workload"), "work");
}

TEST(Crossovers, ALibraryDoesNotCount) {
  const auto faster = [](const char* size) {
    return at_size(measured_of_library("work", Scope::kernel, 1e-6), size);
  };
  std::vector<Group> groups{group_at("100", 0.1), group_at("10000", 10)};
  const Json without = crossovers_of(groups);
  groups[0].cases.push_back(faster("100"));
  groups[1].cases.push_back(faster("10000"));
  EXPECT_EQ(crossovers_of(groups), without);
  EXPECT_EQ(
      crossovers_of(
          {group_of({at_size(measured("work", "serial", "naive", 1), "100"), faster("100")}),
           group_of({at_size(measured("work", "serial", "naive", 1), "10000"), faster("10000")})}),
      Json::array());
}

TEST(Crossovers, WhatHasNoLogarithmIsLeftOut) {
  const std::vector<Planted> good{{"100", 0.1, 0.1, 0.1}, {"10000", 10, 10, 10}};
  for (const double odd : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    for (int which = 0; which < 3; ++which) {
      std::vector<Planted> planted = good;
      planted.push_back({"1000", which == 0 ? odd : 5, which == 1 ? odd : 5, which == 2 ? odd : 5});
      EXPECT_EQ(single(crossover_of(planted)).at("points").size(), 2U) << odd << which;
    }
  }
  std::vector<Planted> planted = good;
  planted.push_back({"0", 5, 5, 5});
  EXPECT_EQ(single(crossover_of(planted)).at("points").size(), 2U) << "nothing to compute";
}

TEST(Crossovers, AreOfAllGroupsAlsoThoseBeforeAnInterruption) {
  const TemporaryFolder folder;
  {
    Report first(context(), folder / "x.json");
    first.create(false);
    first.add(group_at("100", 0.1));
    EXPECT_TRUE(first.document().crossovers.empty());
    first.finish("SIGTERM");
  }
  const Document earlier = read_document(folder / "x.json");
  Report second(context(), folder / "x.json");
  second.go_on(lock_document(folder / "x.json"), earlier, 1);
  second.add(group_at("10000", 10));
  const Json resumed = written(read_document(folder / "x.json").crossovers);
  EXPECT_EQ(resumed, crossovers_of({group_at("100", 0.1), group_at("10000", 10)}));
  EXPECT_EQ(single(resumed).at("points").size(), 2U);
}

TEST(Crossovers, AreWhatTheCasesSayWhateverTheDocumentSays) {
  const Document good = document_of_groups({group_at("100", 0.1), group_at("10000", 10)});
  Json edited = written(good);
  edited["crossovers"][0]["verdict"] = "never";
  EXPECT_EQ(written(parse_document(edited.dump(), "x.json")), written(good));
}

// In the texts below every no-break space is a plain one.
std::string plain(std::string text) {
  const std::string no_break = "\u00A0";
  for (auto at = text.find(no_break); at != std::string::npos; at = text.find(no_break)) {
    text.replace(at, no_break.size(), " ");
  }
  return text;
}

/// The one line about the first entry's workload.
std::string line(const Crossovers& entries) {
  CaseRecord of;
  of.workload = entries.at(0).workload;
  const auto lines = crossover_texts(entries, of);
  EXPECT_EQ(lines.size(), 1U);
  return plain(lines.at(0));
}

std::string line(const std::vector<Planted>& planted, const std::string& workload = "work") {
  return line(records_of(planted, workload));
}

TEST(CrossoverText, SaysFromWhichSizeOn) {
  EXPECT_EQ(line({{"10000", 0.1, 0.07, 0.12}, {"1000000", 10, 8, 12}}),
            "work f32: the GPU wins from 100 000 elements on (83 000 … 130 000)");
  EXPECT_EQ(line({{"1000000", 0.5, 0.45, 0.55}, {"10000000", 2, 1.9, 2.1}}),
            "work f32: the GPU wins from 3.2 million elements on (2.8 … 3.6)");
  EXPECT_EQ(line({{"100000", 0.1, 0.05, 0.2}, {"10000000", 10, 5, 20}}),
            "work f32: the GPU wins from 1 million elements on (500 000 … 2 million)");
  EXPECT_EQ(line({{"1000", 0.9, 0.5, 1.1}, {"1000000000", 1.1, 0.9, 1.2}}),
            "work f32: the GPU is not shown to win, up to 10⁹ elements");
  EXPECT_EQ(line({{"100:10", 0.1, 0.1, 0.1}, {"10000:10", 10, 10, 10}}),
            "work f32, 10 bins: the GPU wins from 1 000 elements on (1 000 … 1 000)");
}

TEST(CrossoverText, SaysAlwaysAndNever) {
  EXPECT_EQ(line({{"1000", 2, 1.5, 3}, {"1000000", 9, 8, 10}}),
            "work f32: the GPU wins at every measured size, from 1 000 elements on");
  EXPECT_EQ(line({{"1000", 2, 0.1, 3}, {"100000", 20, 10, 30}}),
            "work f32: the GPU wins from 10 000 elements on at the latest");
  EXPECT_EQ(line({{"1000", 0.1, 0.1, 0.2}, {"1000000000", 0.9, 0.8, 0.95}}),
            "work f32: the GPU never wins, up to 10⁹ elements");
  EXPECT_EQ(line({{"1000", 0.05, 0.05, 0.1}, {"100000", 0.9, 0.8, 10}}),
            "work f32: the GPU is not shown to win, up to 100 000 elements");
}

TEST(CrossoverText, SaysBothScopesInOneLine) {
  const auto both = [](const std::vector<Group>& groups) { return line(records_of(groups)); };
  expect_contains(both({group_at("1000", 0.1, 0.01), group_at("100000", 10, 0.9)}),
                  "from 10 000 elements on (");
  expect_contains(both({group_at("1000", 0.1, 0.01), group_at("100000", 10, 0.9)}),
                  "), with the transfers never, up to 100 000 elements");
  expect_contains(both({group_at("1000", 0.1, 0.01), group_at("100000", 10, 100)}),
                  "), with the transfers from 10 000 on (");
  EXPECT_EQ(both({group_at("1000", 3, 2), group_at("100000", 10, 4)}),
            "work f32: the GPU wins at every measured size, from 1 000 elements on, with the "
            "transfers too");
  EXPECT_EQ(both({group_at("256", 0.1, 0.1), group_at("65536", 0.9, 0.8)}),
            "work f32: the GPU never wins, up to 65 536 elements, nor with the transfers");
  EXPECT_EQ(both({group_at("1000", 0, 2), group_at("100000", 0, 4)}),
            "work f32: with the transfers the GPU wins at every measured size, from 1 000 "
            "elements on");
}

TEST(CrossoverText, StandsOnceUnderTheLastTableOfItsWorkload) {
  std::vector<Group> groups{group_at("100", 0.1, 0.01), group_at("10000", 10, 0.9)};
  Group other = group_of({measured("other", "serial", "naive", 1)});
  other.workload = "other";
  groups.push_back(other);
  const std::string text = plain(unstyled(text_tables(document_of_groups(groups))));
  const std::size_t line = text.find("\n  work f32: the GPU wins from 1 000 elements on (");
  ASSERT_NE(line, std::string::npos) << text;
  EXPECT_GT(line, text.find("work · f32 · 10000 ·"));
  EXPECT_LT(line, text.find("other · f32 · 10 ·"));
  EXPECT_EQ(text.find("work f32: the GPU", line + 10), std::string::npos) << "once";
  expect_contains(text, "in brackets the 95 % interval of that size");

  const std::string without = unstyled(text_tables(document_of_groups({group_at("100", 2)})));
  EXPECT_EQ(without.find("the GPU wins"), std::string::npos) << without;
}

TEST(ElementsText, HasTwoDigitsAndAUnit) {
  const std::vector<std::pair<double, std::string>> expected{{1, "1"},
                                                             {42, "42"},
                                                             {420, "420"},
                                                             {1000, "1 000"},
                                                             {1234, "1 200"},
                                                             {41'873, "42 000"},
                                                             {994e3, "990 000"},
                                                             {999'999, "1 million"},
                                                             {1e6, "1 million"},
                                                             {3.14e6, "3.1 million"},
                                                             {42e6, "42 million"},
                                                             {1e8, "100 million"},
                                                             {999'950'884, "10⁹"},
                                                             {1e9, "10⁹"},
                                                             {2.5e9, "2.5·10⁹"},
                                                             {1e12, "1000·10⁹"}};
  for (const auto& [elements, text] : expected) EXPECT_EQ(plain(elements_text(elements)), text);
}

}  // namespace
}  // namespace bench::test
