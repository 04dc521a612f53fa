#include "harness/document/executions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/base/text.hpp"
#include "harness/document/ratios.hpp"
#include "harness/tables/test/documents.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

/// An execution whose variants all take `times` as long as in another.
Document execution(double luck, double fast = 1e-3) {
  Case naive = measured("work", "serial", "naive", 8e-3 * luck);
  Case simd = measured("work", "openmp", "fast", fast * luck);
  simd.timing.in_cache = samples_around(fast * luck / 2);
  Case copy = measured("copy", "openmp", "naive", 0.5e-3 * luck);
  copy.reference = true;
  Document document = document_of({naive, simd, copy});
  document.context.run.finished = true;
  document.context.run.duration_s = 2;
  document.context.run.phases_s = Seconds{{"samples", 0.5}};
  return document;
}

TEST(Executions, OneDocumentHasTheSamplesOfAll) {
  const Document whole = pooled({execution(1), execution(1.1), execution(0.9)});
  EXPECT_EQ(whole.context.run.executions, 3U);
  EXPECT_EQ(whole.context.run.duration_s, 6);
  EXPECT_EQ(whole.context.run.phases_s, (Seconds{{"samples", 1.5}}));
  const TimesRecord& times = *row(whole, "work/openmp/fast").seconds;
  EXPECT_EQ(times.executions.value().samples, std::vector<std::size_t>(3, 9));
  EXPECT_EQ(times.samples.size(), 27U);
  EXPECT_EQ(row(whole, "work/openmp/fast").rounds, 27U);
  // What is written is read again, and agrees with itself.
  const std::string text = serialised(written(whole));
  EXPECT_EQ(serialised(written(parse_document(text, "x"))), text);
}

TEST(Executions, IntervalsHoldOverExecutions) {
  const auto interval = [](const Document& document) {
    return row(document, "work/openmp/fast").seconds->ci95;
  };
  const Document alone = execution(1);
  const Document lucky = pooled({execution(1), execution(1.1), execution(0.9)});
  const Document steady = pooled({alone, alone, alone});
  EXPECT_LT(interval(lucky).low, 0.9e-3);
  EXPECT_GT(interval(lucky).high, 1.1e-3);
  EXPECT_LE(interval(steady).high - interval(steady).low,
            interval(alone).high - interval(alone).low);
}

// All variants of an execution share its luck: ratios do not scatter.
TEST(Executions, RatiosArePairedByExecution) {
  const Document whole = pooled({execution(1), execution(1.2), execution(0.8)});
  const RatioRecord& over = row(whole, "work/openmp/fast").over_serial.value();
  EXPECT_NEAR(over.value, 8, 1e-9);
  EXPECT_NEAR(over.ci95.low, 8, 1e-6);
  EXPECT_NEAR(over.ci95.high, 8, 1e-6);
  const Document other = pooled({execution(1), execution(1, 1.2e-3), execution(1, 0.8e-3)});
  EXPECT_GT(row(other, "work/openmp/fast").over_serial->ci95.high, 9);
}

TEST(Executions, ScatterIsToldByItsLevel) {
  const auto levels = [](const std::vector<Document>& executions) {
    return *row(pooled(executions), "work/openmp/fast").seconds->executions;
  };
  const ExecutionsRecord lucky = levels({execution(1), execution(1.1), execution(0.9)});
  EXPECT_NEAR(lucky.between, 0.1, 0.02);
  const ExecutionsRecord steady = levels({execution(1), execution(1), execution(1)});
  EXPECT_EQ(steady.between, 0);
  EXPECT_NEAR(steady.of_rounds, lucky.of_rounds, 1e-12);
  // (1.96 · √2 · 0.1 / 0.01)² are 768.
  EXPECT_NEAR(static_cast<double>(lucky.for_one_percent), 770, 60);
  EXPECT_EQ(steady.for_one_percent, 2U);
}

TEST(Executions, WhatFailedInOneHasFailed) {
  Document bad = execution(1);
  CaseRecord& one = bad.cases[1];
  const CaseRecord failed = document_of({not_measured(measured("work", "openmp", "fast", 1),
                                                      Status::failed, "wrote nothing")})
                                .cases.front();
  one = failed;
  const Document whole = pooled({execution(1), bad, execution(1)});
  EXPECT_EQ(row(whole, "work/openmp/fast").status, Status::failed);
  EXPECT_EQ(row(whole, "work/openmp/fast").reason, "wrote nothing");
  EXPECT_TRUE(row(whole, "work/serial/naive").measured());
  EXPECT_EQ(row(whole, "work/serial/naive").over_best_cpu->baseline,
            "work/serial/naive/f32/10/kernel");
}

TEST(Executions, WhatIsNotInAllIsNamed) {
  Document less = execution(1);
  less.cases.pop_back();
  const Document whole = pooled({execution(1), less});
  EXPECT_EQ(whole.cases.size(), 2U);
  EXPECT_EQ(whole.context.run.warnings,
            std::vector<Reason>{"left out, since not every execution has it: "
                                "copy/openmp/naive/f32/10/kernel,beside=work:10"});
}

TEST(Executions, TheBoundIsThatOfAll) {
  const Document whole = pooled({execution(1), execution(1.1), execution(0.9)});
  const BoundRecord& bound = row(whole, "work/openmp/fast").bound.value();
  EXPECT_NEAR(bound.in_cache_seconds.value(), 0.5e-3, 1e-5);
  EXPECT_NEAR(bound.memory_seconds.value(), 0.5e-3, 1e-5);
}

TEST(Executions, TablesNameTheFilesOfWhichThatIsTrue) {
  Document once = execution(1);
  once.context.run.node = "gpu2";
  const auto text = [&](const std::vector<Document>& documents) {
    const auto all = merge(documents, {"once.json", "thrice.json"});
    return wrapped(tables(all, {}, Format::text), 10'000, 0);
  };
  const Document thrice = pooled({execution(1), execution(1.1), execution(0.9)});
  expect_contains(text({once, thrice}),
                  "in the same unit. In thrice.json the interval is over 3 executions of");
  EXPECT_EQ(text({once, execution(1)}).find("executions"), std::string::npos);
}

// Two runs of several executions each are distinguished by those, not by their many samples.
TEST(Executions, SeparateRunsAreComparedByExecutions) {
  const Document before = pooled({execution(1), execution(1.1), execution(0.9)});
  const Document after = pooled({execution(1.05), execution(1.12), execution(0.98)});
  const auto times = [](const Document& document) {
    return *row(document, "work/openmp/fast").seconds;
  };
  const Estimate ratio = ratio_of_runs(times(after), times(before));
  EXPECT_NEAR(ratio.value, 1.05, 1e-9);
  EXPECT_LT(ratio.ci95.low, 0.9);
  EXPECT_GT(ratio.ci95.high, 1.2);
}

TEST(Executions, TablesSayWhatTheirIntervalsAreOver) {
  const std::string text = text_of(pooled({execution(1), execution(1.1), execution(0.9)}));
  expect_contains(text, "over 3 executions of the");
  expect_contains(text, "3 executions. serial/naive varies most: ");
}

// What scatters among executions may need fewer of them than what scatters within each.
TEST(Executions, TheRowThatNeedsMostIsNamed) {
  Document whole = pooled({execution(1), execution(1.1), execution(0.9)});
  for (CaseRecord& one : whole.cases) {
    const bool naive = one.rung() == "serial/naive";
    one.seconds->executions->between = naive ? 0.045 : 0;
    one.seconds->executions->for_one_percent = naive ? 669 : 4000;
  }
  expect_contains(
      wrapped(text_of(whole), 10'000, 0),
      "openmp/fast varies most: between executions its median varies by 0.0 % more than "
      "within one. Detecting a 1 % difference would take 4 000 executions.");
}

TEST(Executions, OtherSamplesThanThereAreAreRefused) {
  Document whole = pooled({execution(1), execution(1)});
  whole.cases[0].seconds->executions->samples = {9, 8};
  const std::string text = serialised(written(whole));
  expect_contains(message_of<std::exception>([&] { parse_document(text, "x.json"); }),
                  "/cases/0/seconds/executions/samples are not all samples, by execution");
}

}  // namespace
}  // namespace bench::test
