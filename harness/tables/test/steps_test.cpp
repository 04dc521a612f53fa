#include "harness/tables/steps.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>

#include "harness/base/text.hpp"
#include "harness/tables/test/documents.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

TableOptions of_a_lesson(Language language = Language::en) {
  TableOptions options;
  options.preset = Preset::steps;
  options.language = language;
  options.width = 200;
  return options;
}

/// The first line that has this part.
std::string line_with(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(part) != std::string::npos) return line;
  }
  ADD_FAILURE() << "no line has " << part << ":\n" << text;
  return "";
}

Case at_size(Case one, std::size_t elements) {
  one.elements = elements;
  one.shape = {elements};
  one.size = std::to_string(elements);
  return named(std::move(one));
}

Case in_numba(const std::string& variant, double seconds, double first) {
  Case one = measured("work", "numba", variant, seconds);
  one.first_use_s = first;
  return one;
}

/// Pure Python at 10 elements, the others at 1000.
Document lesson() {
  const auto large = [](Case one) { return at_size(std::move(one), 1000); };
  Document document =
      document_of_groups({group_of({measured("work", "python", "comprehension", 1e-3),
                                    in_numba("njit_scalar", 0.5e-3, 0.25)}),
                          group_of({large(in_numba("prange", 2e-3, 1.502)),
                                    large(measured("work", "serial", "naive", 10e-3)),
                                    large(measured("work", "openmp", "simd", 1e-3)),
                                    large(not_measured(measured("work", "cuda", "one_thread", 1),
                                                       Status::skipped, "no CUDA device")),
                                    large(not_measured(measured("work", "cuda", "wide", 1),
                                                       Status::skipped, "no CUDA device"))})});
  document.context.run.input_hash = {{"work", {{"f32/10", "xxh3:1"}, {"f32/1000", "xxh3:2"}}}};
  return document;
}

TEST(Lesson, SaysWhatCompilingTakesWhateverTheSize) {
  expect_contains(wrapped(text_of(lesson(), of_a_lesson()), 10'000, 0),
                  "takes about this much longer: Numba, compiled 0.25 s; "
                  "Numba, CPU parallel 1.5 s.");
}

TEST(Lesson, TimesOfDifferentSizesHaveTheTimeOfAnElementNextToThem) {
  const std::string text = text_of(lesson(), of_a_lesson());
  expect_contains(text, "ns/element");
  expect_contains(line_with(text, "Pure Python"), " 0.001000     100000   1.00\u00D7");
  expect_contains(line_with(text, "C++, one core"), " 0.01000      10000  10.00\u00D7");
}

TEST(Lesson, NothingIsTheFastestThatWasNotMeasured) {
  for (const Language language : {Language::en, Language::pt, Language::es, Language::fr}) {
    const std::string text = text_of(lesson(), of_a_lesson(language));
    const std::string line = line_with(text, "CUDA C++");
    expect_contains(line, "cuda/*");
    EXPECT_EQ(line.find('('), std::string::npos) << line;
    expect_contains(line_with(text, "openmp/simd"), "(");
  }
  TableOptions options = of_a_lesson();
  expect_contains(tables(merge({lesson()}), options, Format::csv), "CUDA C++,cuda/*,1000,");
}

TEST(Lesson, AnUncertainRatioHasTwoDigits) {
  Document document = lesson();
  for (CaseRecord& one : document.cases) {
    if (one.backend == "serial") one.seconds->preempted = one.rounds;
  }
  const std::string line = line_with(text_of(document, of_a_lesson()), "C++, one core");
  expect_contains(line, " ~10\u00D7");
}

TEST(Lesson, OfManyWarningsOneLineIsLeft) {
  Document document = lesson();
  document.context.run.warnings = {"first", "second", "third"};
  const std::string text = text_of(document, of_a_lesson());
  expect_contains(text, "warning: there are 3 about this run");
  EXPECT_EQ(text.find("second"), std::string::npos);
  document.context.run.warnings = {"first"};
  expect_contains(text_of(document, of_a_lesson()), "warning: first");
}

}  // namespace
}  // namespace bench::test
