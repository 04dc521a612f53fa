#include "harness/tables/render.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/reasons.hpp"
#include "harness/tables/test/documents.hpp"
#include "harness/test/support.hpp"
#include "harness/words/translated.hpp"

namespace bench::test {
namespace {

std::vector<Case> ladder() {
  return {measured("work", "serial", "naive", 163.2e-3),
          measured("work", "openmp", "simd", 1.25e-3),
          not_measured(measured("work", "cuda", "*", 1), Status::skipped,
                       said<reasons::built_without_cuda>())};
}

std::string render(const std::vector<Document>& documents, const TableOptions& options = {},
                   Format format = Format::text) {
  return tables(merge(documents, {"a.json", "b.json", "c.json"}), options, format);
}

TableOptions with(void (*change)(TableOptions&)) {
  TableOptions options;
  change(options);
  return options;
}

TEST(Course, HasExactlyItsThreeColumns) {
  const std::vector<std::pair<Language, std::string>> expected{
      {Language::en, "| Version | Time (s) | Speedup |"},
      {Language::pt, "| Versão | Tempo (s) | Speedup |"},
      {Language::es, "| Versión | Tiempo (s) | Aceleración |"},
      {Language::fr, "| Version | Temps (s) | Accélération |"}};
  for (const auto& [language, heading] : expected) {
    TableOptions options;
    options.preset = Preset::course;
    options.language = language;
    const std::string text = render({document_of(ladder())}, options, Format::markdown);
    expect_contains(text, "\n" + heading + "\n| :--- | ---: | ---: |\n");
    const bool comma = language != Language::en;
    expect_contains(text, comma ? "| serial/naive | 0,1632 | 1,00 |" : "| 0.1632 | 1.00 |");
    expect_contains(text, comma ? "| openmp/simd | 0,001250 | 131 |" : "| 0.001250 | 131 |");
    expect_contains(text, "| cuda/\\* | ");
    expect_contains(text,
                    ": " + translated(said<reasons::built_without_cuda>(), language) + " | – |\n");
    EXPECT_EQ(text.find("interval"), std::string::npos) << "nothing below the table";
  }
}

TEST(Course, IsTheSameInEveryFormat) {
  const TableOptions options = with([](TableOptions& to) {
    to.preset = Preset::course;
    to.language = Language::pt;
    to.statuses = {"measured"};
  });
  const std::vector<Document> documents{document_of(ladder())};
  EXPECT_EQ(render(documents, options, Format::csv),
            "Versão,Tempo (s),Speedup\nserial/naive,0.1632,1.0\nopenmp/simd,0.00125,130.56\n");
  expect_contains(render(documents, options, Format::latex),
                  "Versão & Tempo (s) & Speedup \\\\\n\\midrule\nserial/naive & 0,1632 & 1,00 "
                  "\\\\\nopenmp/simd & 0,001250 & 131 \\\\\n\\bottomrule");
  expect_contains(render(documents, options, Format::html),
                  "<tr><td>serial/naive</td><td style=\"text-align:right\">0,1632</td>");
  expect_contains(render(documents, options),
                  "  Versão       Tempo (s) Speedup\n  serial/naive    0,1632    1,00\n");
}

TEST(Tables, ShowTheColumnsInTheOrderThatWasAsked) {
  const std::string text = render({document_of(ladder())}, with([](TableOptions& to) {
                                    to.columns = {"best", "variant", "time"};
                                  }));
  expect_contains(text, "  × best  variant           time\n   0.008  serial/naive  163.2 ms\n");
}

TEST(Tables, AreSortedByColumns) {
  const std::vector<Document> documents{document_of(ladder())};
  const auto csv = [&](const char* key) {
    TableOptions options;
    options.columns = {"variant"};
    options.sort = {key};
    const std::string text = render(documents, options, Format::csv);
    return text.substr(text.find('\n') + 1);
  };
  EXPECT_EQ(csv("time"), "openmp,simd,kernel\nserial,naive,kernel\ncuda,*,kernel\n");
  EXPECT_EQ(csv("-time"), "serial,naive,kernel\nopenmp,simd,kernel\ncuda,*,kernel\n");
  EXPECT_EQ(csv("variant"), "cuda,*,kernel\nopenmp,simd,kernel\nserial,naive,kernel\n");
}

TEST(Tables, AreFiltered) {
  TableOptions options;
  options.filters = {"work/openmp", "*/cuda/*"};
  const std::string text = render({document_of(ladder())}, options);
  expect_contains(text, "openmp/simd");
  expect_contains(text, "cuda/*");
  EXPECT_EQ(text.find("  serial/naive"), std::string::npos);
  EXPECT_EQ(text.find("as fast as the naive loop"), std::string::npos)
      << "a sentence is about a whole ladder";
  options.statuses = {"measured"};
  EXPECT_EQ(render({document_of(ladder())}, options).find("cuda"), std::string::npos);
}

TEST(Tables, WhatIsNotThereIsNamed) {
  const std::vector<Document> documents{document_of(ladder())};
  const auto refused = [&](void (*change)(TableOptions&)) {
    return message_of<UsageError>([&] { render(documents, with(change)); });
  };
  EXPECT_EQ(refused([](TableOptions& to) { to.dtypes = {"f64"}; }),
            "--dtype f64: not in these result files; there is f32");
  EXPECT_EQ(refused([](TableOptions& to) { to.nodes = {"n[0-9]"}; }),
            "--node n[0-9]: not in these result files; there is gpu1");
  EXPECT_EQ(refused([](TableOptions& to) { to.baseline = "openmp/naive"; }),
            "--baseline openmp/naive: not measured in these result files; there are openmp/simd, "
            "serial/naive");
  EXPECT_EQ(refused([](TableOptions& to) { to.columns = {"tiem"}; }),
            "--columns tiem: no such column (did you mean time?)");
  expect_contains(refused([](TableOptions& to) { to.columns = {"zzzzzz"}; }),
                  "--columns zzzzzz: no such column; there are variant, ");
  expect_contains(refused([](TableOptions& to) { to.sort = {"-tiem"}; }), "--sort tiem: no such");
  expect_contains(refused([](TableOptions& to) { to.filters = {"work/openmp/sims"}; }),
                  "--filter work/openmp/sims: not in these result files (did you mean "
                  "work/openmp/simd?); there are work/cuda/*, work/openmp/simd, ");
  expect_contains(refused([](TableOptions& to) { to.filters = {"wrk"}; }),
                  "--filter wrk: not in these result files (did you mean work?); there is work");
  expect_contains(refused([](TableOptions& to) { to.sizes = {"1e7"}; }), "there is 10");
  TableOptions ten;
  ten.sizes = {"1e1"};
  expect_contains(render({document_of(ladder())}, ten), "serial/naive");
}

TEST(Tables, SpeedupIsOverAnyVariant) {
  TableOptions options;
  options.baseline = "openmp/simd";
  const std::string text = render({document_of(ladder())}, options);
  expect_contains(text, " Speedup  × best\n");
  expect_contains(text, "   0.008   0.008\n");
  expect_contains(text, "Speedup: how many times faster than openmp/simd.");
  options.columns = {"variant", "speedup", "speedup_interval"};
  expect_contains(render({document_of(ladder())}, options, Format::csv),
                  "openmp,simd,kernel,1.0,1.0,1.0,work/openmp/simd/f32/10/kernel\n");
}

TEST(Tables, AllRowsAreOverOneCaseOfTheBaseline) {
  Case one = measured("work", "openmp", "simd", 2e-3);
  one.parameters["threads"] = "1";
  one.threads = 1;
  one = named(one);
  Case most = measured("work", "openmp", "simd", 1e-3);
  TableOptions options;
  options.baseline = "openmp/simd";
  options.columns = {"variant", "speedup"};
  expect_contains(
      render({document_of({measured("work", "serial", "naive", 4e-3), one, most})}, options), R"(
  variant        Speedup
  serial/naive      0.25
  openmp/simd ×1    0.50
  openmp/simd       1.00
)");
  // End to end is compared with the kernel alone too: a column has one denominator.
  options.baseline = "cuda/wide";
  expect_contains(render({document_of({measured("work", "serial", "naive", 4e-3),
                                       measured_on_gpu("work", "wide", Scope::kernel, 1e-4),
                                       measured_on_gpu("work", "wide", Scope::end_to_end, 1e-3)})},
                         options),
                  "cuda/wide       1.00\n  cuda/wide ⇄     0.10\n");
}

TEST(Tables, SizesAreSortedAsNumbers) {
  std::vector<Case> cases;
  for (const auto& [size, elements] :
       {std::pair{"20", 20U}, std::pair{"3", 3U}, std::pair{"100:8", 100U}}) {
    Case one = measured("work", "serial", "naive", 1e-3);
    one.size = size;
    one.elements = elements;
    cases.push_back(named(one));
  }
  TableOptions options;
  options.columns = {"size"};
  options.sort = {"size"};
  EXPECT_EQ(render({document_of(cases)}, options, Format::csv), "size\n3\n20\n100:8\n");
}

// However many runs there are, a title has one period.
TEST(Tables, SayFromWhenToWhenTheirRunsBegan) {
  Document first = document_of({measured("work", "serial", "naive", 4e-3)});
  Document last = document_of({measured("work", "openmp", "naive", 2e-3)});
  first.context.engine["date"] = "2026-01-31T09:30:00+00:00";
  const auto title = [&](const char* date) {
    last.context.engine["date"] = date;
    const std::string text = render({last, first}, {}, Format::text);
    return text.substr(0, text.find("\n\n"));
  };
  EXPECT_TRUE(title("2026-01-31T09:30:40+00:00").ends_with("· 2026-01-31 09:30"));
  expect_contains(title("2026-01-31T11:05:00+00:00"), "2026-01-31 09:30–11:05");
  expect_contains(title("2026-02-02T08:00:00+00:00"), "2026-01-31 – 2026-02-02");
}

TEST(Tables, SayOfWhichRunsTheyAre) {
  Document ours = document_of({measured("work", "serial", "naive", 4e-3)});
  ours.context.build.revision = "1111111222";
  Document theirs = document_of({measured("work", "numba", "njit", 2e-3)});
  theirs.context.engine["date"] = "2026-02-01T12:00:00+00:00";
  theirs.context.build.revision = "3333333444";
  theirs.context.build.dirty = true;
  const std::string both = render({ours, theirs}, {}, Format::markdown);
  expect_contains(both,
                  "2026-01-31, 2026-02-01 · revision 1111111, "
                  "3333333-dirty**");
  TableOptions options;
  options.filters = {"work/numba"};
  expect_contains(render({ours, theirs}, options, Format::markdown),
                  "avx2 · 2026-02-01 · revision 3333333-dirty**");
}

TEST(Tables, SayInEveryFormatThatFilesOfOthersWereGraded) {
  Case mine = measured("work", "guest", "mine", 2e-3);
  mine.guest = "mine.cpp";
  Document document = document_of({measured("work", "serial", "naive", 4e-3), mine});
  for (const bool graded : {false, true}) {
    document.context.run.selection.emplace().graded = graded;
    for (const Format format : {Format::text, Format::markdown, Format::latex, Format::html}) {
      const std::string text = render({document}, {}, format);
      const std::string dot = format == Format::latex ? " $\\cdot$ " : " · ";
      EXPECT_EQ(text.find(dot + "graded" + dot) != std::string::npos, graded) << text;
      EXPECT_EQ(text.find("graded: times of submitted files") != std::string::npos, graded) << text;
    }
  }
}

TEST(Tables, SayThatARunWasInterrupted) {
  Document document = document_of(ladder());
  document.context.run.finished = false;
  document.context.run.ended_by = "SIGTERM";
  expect_contains(render({document}), "\nwarning: a.json: the run was ended by SIGTERM; what");
  expect_contains(render({document}, {}, Format::json), "the run was ended by SIGTERM");
  document.context.run.ended_by.reset();
  expect_contains(render({document}), "\nwarning: a.json: the run had not finished");
}

TEST(Tables, ReasonsHaveRoom) {
  TableOptions options;
  options.columns = {"variant", "idea", "time"};
  std::vector<Case> cases = ladder();
  for (Case& one : cases) one.idea = "an idea that needs quite a few words to be told to anybody";
  expect_contains(render({document_of(cases)}, options), "\n    skipped: built without CUDA\n");
}

TEST(Latex, TakesNoMoreRowsThanAPage) {
  std::vector<Case> cases;
  for (int i = 0; i < 90; ++i) {
    cases.push_back(measured("work", "serial", "v" + std::to_string(i), 1e-3));
  }
  const std::string text = render({document_of(cases)}, {}, Format::latex);
  std::size_t tables = 0;
  for (std::size_t at = text.find("\\toprule"); at != std::string::npos;
       at = text.find("\\toprule", at + 1)) {
    ++tables;
  }
  EXPECT_EQ(tables, 3U);
  expect_contains(text, "serial/v89 &");
}

TEST(Tables, NeverDivideTwoSizesOrPrecisions) {
  Case larger = measured("work", "openmp", "simd", 1e-3);
  larger.size = "20";
  Case wider = measured("work", "openmp", "simd", 1e-3);
  wider.dtype = Dtype::f64;
  wider.name += "64";
  TableOptions options;
  options.columns = {"size", "dtype", "variant", "speedup"};
  options.baseline = "openmp/simd";
  const std::string text =
      render({document_of({measured("work", "serial", "naive", 4e-3),
                           measured("work", "openmp", "simd", 2e-3), larger, wider})},
             options, Format::csv);
  expect_contains(text, "10,f32,serial,naive,kernel,0.5,");
  expect_contains(text, "20,f32,openmp,simd,kernel,1.0,");
  expect_contains(text, "10,f64,openmp,simd,kernel,1.0,");
}

TEST(Tables, AColumnJoinsWhatItTellsApart) {
  const std::vector<Document> documents{document_of(ladder(), "n1"), document_of(ladder(), "n2")};
  EXPECT_EQ(render(documents).find("\nwork · f32"), render(documents).find("\nwork"));
  TableOptions options;
  options.columns = {"node", "variant", "time"};
  options.statuses = {"measured"};
  expect_contains(render(documents, options), R"(
work · f32 · 10 · cold cache
  node  variant           time
  n1    serial/naive  163.2 ms
  n1    openmp/simd   1.250 ms
  n2    serial/naive  163.2 ms
  n2    openmp/simd   1.250 ms
)");
  // What distinguishes tables comes first where there is one list for all.
  options.columns = {"time"};
  expect_contains(render(documents, options, Format::csv), "node,seconds\nn1,0.1632\n");
}

TEST(Tables, OfOneNodeAloneWhereAsked) {
  TableOptions options;
  options.nodes = {"n2"};
  const std::string text =
      render({document_of(ladder(), "n1"), document_of(ladder(), "n2")}, options);
  EXPECT_EQ(text.find("n1 ·"), std::string::npos);
  EXPECT_TRUE(text.starts_with("n2 · Some Processor"));
}

TEST(Csv, IsTidy) {
  const std::string text = render({document_of(ladder())}, {}, Format::csv);
  EXPECT_TRUE(text.starts_with(
      "node,workload,dtype,size,cache,backend,variant,scope,threads,isa,status,reason,seconds,"
      "seconds_low,seconds_high,gb_per_s,share,share_low,share_high,share_of,over_serial,"));
  expect_contains(text, "\ngpu1,work,f32,10,cold,openmp,simd,kernel,2,");
  expect_contains(text, ",skipped,built without CUDA,,,,,,,,copy,,,,,,,,");
}

TEST(Json, HasFiguresAndText) {
  const Json all = Json::parse(render({document_of(ladder())}, {}, Format::json));
  EXPECT_EQ(all.at("schema"), "bench-tables/1");
  EXPECT_EQ(all.at("runs").at(0).at("files"), Json({"a.json"}));
  const Json& table = all.at("tables").at(0);
  EXPECT_EQ(table.at("title"), "work · f32 · 10 · cold cache");
  EXPECT_EQ(table.at("columns").at(1),
            Json({{"key", "time"}, {"heading", "time"}, {"align", "right"}}));
  const Json& row = table.at("rows").at(1);
  EXPECT_EQ(row.at("cells").at(0), "openmp/simd");
  EXPECT_EQ(row.at("values").at("time"), 0.00125);
  EXPECT_EQ(row.at("values").at("interval").size(), 2U);
  const Json& absent = table.at("rows").at(2);
  EXPECT_EQ(absent.at("instead"), "skipped: built without CUDA");
  EXPECT_TRUE(absent.at("values").at("time").is_null());
  expect_contains(table.at("conclusion"), "openmp/simd is 131× as fast");
}

TEST(Json, HasTheAnswerWithoutWords) {
  std::vector<Case> cases = ladder();
  cases.push_back(measured_on_gpu("work", "wide", Scope::kernel, 1e-3));
  cases.push_back(measured_on_gpu("work", "wide", Scope::end_to_end, 2e-3));
  cases.push_back(measured_of_library("work", Scope::kernel, 1e-4));
  cases.push_back(measured_on_gpu("copy", "wide", Scope::kernel, 0.95e-3));
  cases.push_back(measured("work", "numba", "njit", 2e-3));
  const Json all = Json::parse(render({document_of(cases)}, {}, Format::json));
  ASSERT_EQ(all.at("answer").size(), 1U);
  const Json& answer = all.at("answer").at(0);
  EXPECT_EQ(answer.at("node"), "gpu1");
  EXPECT_EQ(answer.at("workload"), "work");
  EXPECT_EQ(answer.at("elements"), 10);
  EXPECT_EQ(answer.at("baseline"), Json({{"variant", "serial/naive"}, {"seconds", 163.2e-3}}));
  const Json& cpu = answer.at("best_cpu");
  EXPECT_EQ(cpu.at("variant"), "openmp/simd");
  EXPECT_EQ(cpu.at("seconds"), 1.25e-3);
  EXPECT_NEAR(cpu.at("over_baseline").at("value").get<double>(), 131, 1);
  EXPECT_TRUE(cpu.at("share_of_copy").is_null()) << "no copy ran on the CPU";
  EXPECT_EQ(answer.at("gpu").at("name"), "work/cuda/wide/f32/10/kernel");
  EXPECT_EQ(answer.at("gpu").at("share_of"), "copy");
  EXPECT_NEAR(answer.at("gpu").at("over_best_cpu").at("value").get<double>(), 1.25, 0.01);
  EXPECT_EQ(answer.at("gpu_with_transfers").at("seconds"), 2e-3);
  EXPECT_EQ(answer.at("python").at("variant"), "numba/njit");
  EXPECT_EQ(answer.at("limit").at("by"), "memory");
  EXPECT_EQ(answer.at("limit").at("of"), "copy");
  EXPECT_NEAR(answer.at("limit").at("share").get<double>(), 0.95, 0.01);
  EXPECT_FALSE(cpu.at("doubtful"));
  EXPECT_EQ(answer.at("sentence"), all.at("tables").at(0).at("conclusion"));
}

TEST(Json, HasNoAnswerFromAPartOfTheVariants) {
  TableOptions options;
  options.filters = {"*/openmp/*"};
  const std::string text = render({document_of(ladder())}, options, Format::json);
  EXPECT_EQ(Json::parse(text).at("answer"), Json::array());
}

TEST(Json, AnswersWithTheBaselineThatTheUserChose) {
  TableOptions options;
  options.baseline = "openmp/simd";
  const Json all = Json::parse(render({document_of(ladder())}, options, Format::json));
  const Json& answer = all.at("answer").at(0);
  EXPECT_EQ(answer.at("baseline").at("variant"), "openmp/simd");
  EXPECT_EQ(answer.at("best_cpu").at("over_baseline").at("value"), 1);
}

TEST(Languages, EveryColumnAndLegendIsTranslated) {
  TableOptions options;
  for (const TableColumn& one : all_columns()) options.columns.emplace_back(one.key);
  for (const Language language : {Language::pt, Language::es, Language::fr}) {
    options.language = language;
    const std::string text = render({document_of(ladder())}, options, Format::html);
    for (const char* english : {"95 % interval", "median of", "skipped", "cold"}) {
      EXPECT_EQ(text.find(english), std::string::npos) << english << " in " << name_of(language);
    }
  }
}

TEST(Formats, HostileNamesStayText) {
  std::vector<Case> cases = ladder();
  cases.push_back(not_measured(measured("work", "openmp", hostile, 1), Status::failed, hostile));
  Document document = document_of(cases, hostile);
  document.context.run.warnings = {hostile};
  document.context.machine.cpu_model = "=2+2";
  const std::string html = render({document}, {}, Format::html);
  EXPECT_EQ(html.find("<c>"), std::string::npos);
  expect_contains(html, "openmp/a_b &amp; &lt;c&gt;,&quot;=1+1");
  const std::string latex = render({document}, {}, Format::latex);
  EXPECT_EQ(latex.find("a_b"), std::string::npos);
  const std::string markdown = render({document}, {}, Format::markdown);
  EXPECT_EQ(markdown.find("<c>"), std::string::npos);
  const std::string csv = render({document}, {}, Format::csv);
  expect_contains(csv, "\n\"a_b & <c>,\"\"=1+1\",work,");
  expect_contains(csv, ",'=2+2,");
}

}  // namespace
}  // namespace bench::test
