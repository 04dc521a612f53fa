#include "harness/tables/user_kernels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/document/merge.hpp"
#include "harness/document/test/records.hpp"
#include "harness/tables/render.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

GuestFile file_of_mine() {
  GuestFile file;
  file.path = "mine.cpp";
  return file;
}

/// A kernel of 4 ms, a naive loop of 8 ms, and a variant of 1 ms.
Document document_with(Case mine, const GuestFile& file) {
  mine.guest = "mine.cpp";
  mine.threads = 2;
  Case best = measured("work", "openmp", "simd", 1e-3);
  best.idea = "vectors and threads";
  Document document = document_of({measured("work", "serial", "naive", 8e-3), best, mine});
  document.context.run.guests = {file};
  return document;
}

struct Said {
  std::string compiler;
  std::string why;
};

/// What is said below a table of these.
Said said(const Document& document) {
  const Origin origin;
  std::vector<Row> rows;
  for (const CaseRecord& one : document.cases) rows.push_back({&one, &document, &origin, {}});
  return {with_plain_blanks(compiler_text(rows)), with_plain_blanks(why_slow_text(rows))};
}

Said said(const GuestFile& file, double processor_seconds) {
  Case mine = measured("work", "guest", "mine", 4e-3);
  mine.timing.processor_seconds = processor_seconds;
  return said(document_with(mine, file));
}

TEST(WhySlow, NamesThreadsLoopAndTheNextVariant) {
  const double all = 9 * 4e-3;  // seconds of all samples
  GuestFile file = file_of_mine();
  EXPECT_EQ(said(file, 2 * all).why,
            "guest/mine: Next: openmp/simd: vectors and threads "
            "(kernels/work/openmp.cpp). More: bench help why-slow.");
  expect_contains(said(file, all).why, " It used 1 of 2 threads. Next: ");
  file.scalar_loop = ScalarLoop{4, {}};
  expect_contains(said(file, 2 * all).why,
                  " The compiler did not vectorise the loop in line 4. Next: ");
  file.scalar_loop->calls = "sinf";
  expect_contains(said(file, 2 * all).why, " the loop in line 4, which calls sinf. Next: ");
}

TEST(WhySlow, NamesWhatTheTextShowsAlsoOnABusyNode) {
  GuestFile file = file_of_mine();
  file.slow_lines = {{Slows::computes_in_double, 4}, {Slows::waits_in_loop, 6}};
  expect_contains(said(file, 0).why, "Why guest/mine is slower: It used");
  expect_contains(said(file, 0).why,
                  " Line 4 computes in double: 50.0 is a double, 50.0f is a float. Line 6 makes "
                  "threads wait for each other in a loop. Next: ");
  Case mine = measured("work", "guest", "mine", 4e-3);
  mine.timing.preempted = mine.timing.samples.size();
  EXPECT_EQ(
      said(document_with(mine, file)).why,
      "What may slow guest/mine down: Line 4 computes in double: 50.0 is a double, 50.0f is "
      "a float. Line 6 makes threads wait for each other in a loop. More: bench help why-slow.");
  EXPECT_EQ(said(document_with(mine, file_of_mine())).why, "");
}

TEST(Unchecked, IsSaidBelowTheTableAndToPrograms) {
  Case mine = measured("work", "guest", "mine", 4e-3);
  mine.unchecked = "not checked for races: no time";
  const Document document = document_with(mine, file_of_mine());
  expect_contains(
      with_plain_blanks(tables(merge({document}, {"a.json"}), TableOptions(), Format::text)),
      "guest/mine: not checked for races: no time.");
  const Json all = Json::parse(tables(merge({document}, {"a.json"}), TableOptions(), Format::json));
  const Json row = find_row(all.at("tables").at(0).at("rows"), "work/guest/mine");
  EXPECT_EQ(row.at("unchecked"), mine.unchecked.text);
}

TEST(WhySlow, SaysWhetherMemoryIsTheLimit) {
  const auto why = [](double share) {
    Case mine = measured("work", "guest", "mine", 4e-3);
    mine.timing.in_cache.assign(mine.timing.samples.size(), share * 4e-3);
    return said(document_with(mine, file_of_mine())).why;
  };
  expect_contains(why(0.99), "On cached data it takes as long, because its limit is");
  expect_contains(why(0.4), "On cached data it takes 40 % of this time, because memory is slower.");
}

TEST(WhySlow, IsInTheTableForPrograms) {
  GuestFile file = file_of_mine();
  file.warning = "line 5: what";
  const Document document = document_with(measured("work", "guest", "mine", 4e-3), file);
  const Json all = Json::parse(tables(merge({document}, {"a.json"}), TableOptions(), Format::json));
  const Json mine = find_row(all.at("tables").at(0).at("rows"), "work/guest/mine");
  EXPECT_EQ(mine.at("why").size(), 1);
  expect_contains(mine.at("why").back().get<std::string>(), "Next: openmp/simd");
  EXPECT_EQ(mine.at("compiler"), "guest/mine: the compiler warns: line 5: what.");
}

TEST(CompilerText, SaysTheFirstWarning) {
  GuestFile file = file_of_mine();
  EXPECT_EQ(said(file, 0).compiler, "");
  file.warning = "line 5: what";
  EXPECT_EQ(said(file, 0).compiler, "guest/mine: the compiler warns: line 5: what.");
}

TEST(Bound, IsNotShownOfAKernelThatWasNotRunInCache) {
  Case mine = measured("work", "guest", "mine", 4e-3);
  mine.guest = "mine.cpp";
  const Document document = document_of_groups({group_of(
      {measured("work", "serial", "naive", 8e-3), mine, measured("copy", "serial", "naive", 1e-3),
       measured("copy", "openmp", "naive", 1e-3)})});
  for (const CaseRecord& one : document.cases) {
    if (one.workload != "work") continue;
    EXPECT_EQ(one.bound.has_value(), !one.guest) << one.name;
  }
}

}  // namespace
}  // namespace bench::test
