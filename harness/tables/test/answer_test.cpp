#include "harness/tables/answer.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "harness/base/text.hpp"
#include "harness/tables/test/documents.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

std::vector<Case> ladder_of(const std::string& workload) {
  return {measured(workload, "serial", "naive", 163.2e-3),
          measured(workload, "openmp", "streaming", 1.2e-3),
          measured_on_gpu(workload, "wide", Scope::kernel, 1e-4),
          measured_on_gpu(workload, "wide", Scope::end_to_end, 2e-3)};
}

Case copy_beside(Case copy, const std::string& workload) {
  copy.beside = Beside{workload, "10"};
  return named(copy);
}

/// Two workloads with a copy of each.
Document two(bool with_baseline, bool with_gpu) {
  std::vector<Group> groups;
  for (const char* workload : {"first", "second_one"}) {
    std::vector<Case> cases = ladder_of(workload);
    cases.push_back(copy_beside(measured("copy", "openmp", "naive", 1.1e-3), workload));
    cases.push_back(copy_beside(measured_on_gpu("copy", "wide", Scope::kernel, 0.97e-4), workload));
    std::erase_if(cases, [&](const Case& one) {
      return (!with_gpu && one.backend == "cuda") || (!with_baseline && one.backend == "serial") ||
             (!with_baseline && one.backend == "openmp");
    });
    groups.push_back(group_of(cases));
  }
  Document document = document_of_groups(groups);
  document.context.run.node = "gpu1";
  document.context.run.warnings = {"a warning"};
  return document;
}

/// What follows the last blank line.
std::string last_lines(const std::string& text) { return text.substr(text.rfind("\n\n") + 2); }

TEST(Answer, OfSeveralWorkloadsComesLast) {
  EXPECT_EQ(last_lines(text_of(two(true, false))),
            R"(gpu1 · f32 · 10 · cold cache: fastest variants, speedup over serial/naive
workload    best CPU                          limit
first       136× [136, 136] openmp/streaming  memory: 92 % of copy
second_one  136× [136, 136] openmp/streaming  memory: 92 % of copy
)");
}

TEST(Answer, OfOneWorkloadIsItsSentence) {
  const std::string text = text_of(document_of(ladder_of("work")));
  EXPECT_EQ(text.find("fastest variants"), std::string::npos);
}

TEST(Answer, LeavesOutWhatHasNoRoomAndKeepsTheRest) {
  TableOptions options;
  options.width = 200;
  const std::string wide = last_lines(text_of(two(true, true), options));
  expect_contains(wide, "workload    best CPU                          GPU kernel");
  expect_contains(wide, "  with transfers  ");
  expect_contains(wide, "memory: 97 % of copy\n");
  for (const std::size_t width : {80U, 70U}) {
    options.width = width;
    const std::string narrow = last_lines(text_of(two(true, true), options));
    EXPECT_EQ(narrow.find('['), std::string::npos) << narrow;
    expect_contains(narrow, "136× openmp/streaming");
    expect_contains(narrow, "  with transfers");
    expect_contains(narrow, "memory");
    std::istringstream lines(narrow);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(columns(line), width) << line;
  }
}

TEST(Answer, WithoutABaselineShowsTheShareOfTheCopy) {
  TableOptions options;
  options.width = 120;
  const std::string text = last_lines(text_of(two(false, true), options));
  EXPECT_TRUE(text.starts_with("gpu1 · f32 · 10 · cold cache: fastest variants\n")) << text;
  expect_contains(text, "first       97 % of copy  cuda/wide");
  expect_contains(text, "  memory\n");
  EXPECT_EQ(text.find("best CPU"), std::string::npos);
}

TEST(Answer, IsInTheLanguageOfTheTable) {
  TableOptions options;
  options.language = Language::fr;
  const std::string text = last_lines(text_of(two(true, false), options));
  expect_contains(text, "variantes les plus rapides");
  expect_contains(text, "meilleur CPU");
  expect_contains(text, "mémoire : 92 % de la copie");
}

TEST(Answer, StandsUnderMarkdownTablesToo) {
  std::vector<Document> documents{two(true, false)};
  const std::string text = tables(merge(std::move(documents)), {}, Format::markdown);
  expect_contains(text, "\n**gpu1 · f32 · 10 · cold cache: fastest variants, speedup");
  expect_contains(text, "\n| second\\_one | 136× \\[136, 136\\] openmp/streaming |");
  EXPECT_GT(text.find("fastest variants"), text.find("warning: a warning"));
}

TEST(Answer, NamesNoLibraryAndNoUserKernel) {
  std::vector<Case> cases = ladder_of("work");
  cases.push_back(measured_of_library("work", Scope::kernel, 1e-6));
  Case mine = measured("work", "guest", "mine", 1e-6);
  mine.guest = "mine.cpp";
  cases.push_back(mine);
  const Document document = document_of(cases);
  const Origin origin;
  std::vector<Row> rows;
  for (const CaseRecord& one : document.cases) {
    rows.push_back({&one, &document, &origin, one.over_serial});
  }
  const Answer answer = answer_of(rows);
  EXPECT_EQ(answer.best_cpu->result->rung(), "openmp/streaming");
  EXPECT_EQ(answer.gpu->result->rung(), "cuda/wide");
  EXPECT_EQ(answer.fastest->result->rung(), "cuda/wide");
  EXPECT_FALSE(answer.python);
}

TEST(Answer, OfAPythonImplementationIsItsOwn) {
  Case numba = measured("work", "numba", "njit", 1e-6);
  numba.guest = "guest_numba.py";
  const Document document = document_of({measured("work", "serial", "naive", 1e-3), numba});
  const Origin origin;
  const std::vector<Row> rows{{&document.cases[0], &document, &origin, {}},
                              {&document.cases[1], &document, &origin, {}}};
  const Answer answer = answer_of(rows);
  EXPECT_EQ(answer.python->result->rung(), "numba/njit");
  EXPECT_EQ(answer.best_cpu->result->rung(), "serial/naive");
}

}  // namespace
}  // namespace bench::test
