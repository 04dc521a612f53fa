#include "harness/command/command_line.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/json.hpp"
#include "harness/command/aa.hpp"
#include "harness/command/command.hpp"
#include "harness/command/compare.hpp"
#include "harness/command/doctor.hpp"
#include "harness/command/help.hpp"
#include "harness/command/list.hpp"
#include "harness/command/merge.hpp"
#include "harness/command/run.hpp"
#include "harness/command/table.hpp"
#include "harness/command/topics.hpp"
#include "harness/command/verify.hpp"
#include "harness/tables/columns.hpp"
#include "harness/test/support.hpp"

namespace bench::test {
namespace {

using Arguments = std::vector<std::string>;

Abilities node() {
  return {.job_threads = 4,
          .allowed_cpus = 8,
          .isas = {simd::Isa::baseline, simd::Isa::avx2},
          .in_job = true};
}

/// The request, which must be one of this command.
template <class R>
R read(const Arguments& words) {
  return *std::any_cast<std::shared_ptr<R>>(parse(words, node()).request);
}

RunRequest run(const Arguments& words) { return read<RunRequest>(words); }
Settings settings(const Arguments& words) { return run(words).wanted.settings; }

/// The message for words that must be refused: always one line.
std::string refusal(const Arguments& words) {
  std::string text = message_of<UsageError>([&] { parse(words, node()); });
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  EXPECT_LE(text.size(), 200U) << text;
  return text;
}

TEST(CommandLine, NothingMeansMeasureEverything) {
  const RunRequest request = run({});
  EXPECT_EQ(request.format, Format::text);
  EXPECT_EQ(request.output, "");
  EXPECT_FALSE(request.quiet);
  EXPECT_TRUE(request.progress);
  const Settings& settings = request.wanted.settings;
  EXPECT_TRUE(settings.filters.empty());
  EXPECT_EQ(settings.sizes, Arguments{"default"});
  EXPECT_TRUE(settings.dtypes.empty());
  EXPECT_TRUE(settings.bins.empty());
  EXPECT_TRUE(settings.threads.empty());
  EXPECT_EQ(settings.job_threads, 4);
  EXPECT_EQ(settings.seed, 42U);
  EXPECT_EQ(settings.max_samples, 100U);
  EXPECT_EQ(settings.min_seconds, 0.5);
  EXPECT_EQ(settings.max_seconds, 4);
  EXPECT_EQ(settings.cache, CacheMode::cold);
  EXPECT_EQ(settings.isa, simd::Isa::avx2) << "the widest";
  EXPECT_FALSE(settings.isa_given);
}

TEST(CommandLine, ADryRunIsForAnotherNode) {
  const RunRequest request = run({"--dry-run", "--threads", "128", "--isa", "avx512"});
  EXPECT_TRUE(request.dry_run);
  EXPECT_EQ(request.wanted.settings.threads, std::vector<int>{128});
  EXPECT_EQ(request.wanted.settings.isa, simd::Isa::avx2) << "what is here";
  EXPECT_EQ(refusal({"--dry-run", "--isa", "neon"}),
            "--isa neon: must be one of baseline, avx2, avx512, sve");
  EXPECT_FALSE(run({}).dry_run);
}

TEST(CommandLine, BackendsAreKnown) {
  EXPECT_EQ(settings({"--backend", "openmp,cuda"}).backends, (Arguments{"openmp", "cuda"}));
  EXPECT_EQ(
      refusal({"--backend", "gpu"}),
      "--backend gpu: must be one of serial, openmp, stdpar, cuda, target (did you mean cuda?)");
}

TEST(CommandLine, TheWordRunMayBeLeftOut) {
  for (const Arguments& words :
       {Arguments{"run", "energy", "--quiet"}, Arguments{"energy", "--quiet"},
        Arguments{"--quiet", "energy"}, Arguments{"run", "--quiet", "energy"}}) {
    const RunRequest request = run(words);
    EXPECT_EQ(request.wanted.settings.filters, Arguments{"energy"});
    EXPECT_TRUE(request.quiet);
  }
}

TEST(CommandLine, KnowsItsCommands) {
  EXPECT_NO_THROW(read<ListRequest>({"list"}));
  EXPECT_NO_THROW(read<VerifyRequest>({"verify"}));
  EXPECT_NO_THROW(read<DoctorRequest>({"doctor"}));
  EXPECT_NO_THROW(read<TableRequest>({"table", "a.json"}));
  EXPECT_NO_THROW(read<MergeRequest>({"merge", "a.json"}));
}

TEST(CommandLine, FiltersMayBeMany) {
  EXPECT_EQ(settings({"energy", "transpose/openmp*", "--size", "tiny", "*/serial"}).filters,
            (Arguments{"energy", "transpose/openmp*", "*/serial"}));
}

TEST(CommandLine, WhatIsMeasuredBesideTimeIsAskedFor) {
  EXPECT_FALSE(settings({}).energy);
  EXPECT_FALSE(settings({}).counters);
  EXPECT_TRUE(settings({"--energy"}).energy);
  EXPECT_TRUE(settings({"--counters"}).counters);
  expect_contains(refusal({"--profile", "energy/serial/naive", "--energy"}), "--energy");
  expect_contains(refusal({"--resume", "a.json", "--counters"}), "--counters");
}

TEST(CommandLine, ListsAreSplitAtCommas) {
  EXPECT_EQ(settings({"--size", "tiny,1e6,3x5"}).sizes, (Arguments{"tiny", "1e6", "3x5"}));
  EXPECT_EQ(settings({"--size", "tiny", "--size", "7"}).sizes, (Arguments{"tiny", "7"}));
  EXPECT_EQ(settings({"--size=tiny,7"}).sizes, (Arguments{"tiny", "7"}));
  EXPECT_EQ(settings({"--dtype", "f64,f32"}).dtypes, (std::vector<Dtype>{Dtype::f32, Dtype::f64}));
  EXPECT_EQ(settings({"--dtype", "f64"}).dtypes, std::vector<Dtype>{Dtype::f64});
  EXPECT_EQ(settings({"--bins", "256,10,1e2,10"}).bins, (std::vector<std::size_t>{10, 100, 256}));
  EXPECT_EQ(settings({"--threads", "8,1,2,2"}).threads, (std::vector<int>{1, 2, 8}));
}

TEST(CommandLine, AFilterAfterAListIsAFilter) {
  const Settings read = settings({"--dtype", "f64", "energy"});
  EXPECT_EQ(read.dtypes, std::vector<Dtype>{Dtype::f64});
  EXPECT_EQ(read.filters, Arguments{"energy"});
  const Settings sizes = settings({"--size", "tiny,7", "energy"});
  EXPECT_EQ(sizes.sizes, (Arguments{"tiny", "7"}));
  EXPECT_EQ(sizes.filters, Arguments{"energy"});
}

TEST(CommandLine, Numbers) {
  EXPECT_EQ(settings({"--seed", "0"}).seed, 0U);
  EXPECT_EQ(settings({"--seed", "4294967295"}).seed, 4294967295U);
  EXPECT_EQ(settings({"--samples", "1"}).max_samples, 1U);
  EXPECT_EQ(settings({"--samples", "1e2"}).max_samples, 100U);
  EXPECT_EQ(settings({"--max-time", "0.25"}).max_seconds, 0.25);
  EXPECT_EQ(settings({"--max-time", "0.25"}).min_seconds, 0.25) << "never more than the most";
  EXPECT_EQ(settings({"--max-time", "0"}).max_seconds, 0);
  EXPECT_EQ(settings({"--min-time", "2"}).min_seconds, 2);
  EXPECT_EQ(settings({"--min-time", "9", "--max-time", "9"}).min_seconds, 9);
  EXPECT_EQ(read<VerifyRequest>({"verify", "--show", "10"}).show, 10U);
}

TEST(CommandLine, Choices) {
  EXPECT_EQ(settings({"--cache", "hot"}).cache, CacheMode::hot);
  EXPECT_EQ(settings({"--cache", "cold"}).cache, CacheMode::cold);
  EXPECT_EQ(settings({"--isa", "baseline"}).isa, simd::Isa::baseline);
  EXPECT_TRUE(settings({"--isa", "baseline"}).isa_given);
  EXPECT_FALSE(settings({"--isa", "avx2"}).isa_given) << "the default needs no name";
  EXPECT_EQ(run({"--format", "json"}).format, Format::json);
  EXPECT_EQ(read<TableRequest>({"table", "x.json", "--format", "json"}).format, Format::json);
  EXPECT_FALSE(run({"--no-progress"}).progress);
  EXPECT_FALSE(read<VerifyRequest>({"verify", "--no-progress"}).progress);
}

TEST(CommandLine, Output) {
  EXPECT_EQ(run({"--output", "a/b.json"}).output, "a/b.json");
  EXPECT_EQ(run({"--output", "-"}).output, "-");
  EXPECT_EQ(run({"--output", "-"}).format, Format::json) << "the document is the output";
}

TEST(CommandLine, ASweepIsDecadesAndItsEnd) {
  EXPECT_EQ(settings({"--sweep", "1e3:1e5"}).sizes, (Arguments{"1000", "10000", "100000"}));
  EXPECT_EQ(settings({"--sweep", "5:600"}).sizes, (Arguments{"5", "50", "500", "600"}));
  EXPECT_EQ(settings({"--sweep", "7:7"}).sizes, (Arguments{"7"}));
}

TEST(CommandLine, NodesAreComparedWithTheirOwnOptions) {
  const auto request = read<CompareRequest>({"compare", "results", "--variant", "energy/*,hypot",
                                             "--expected", "reference", "--nodes", "n[1-4]",
                                             "--format", "csv", "--threshold", "3"});
  EXPECT_EQ(request.files, Arguments{"results"});
  EXPECT_EQ(request.variants, (Arguments{"energy/*", "hypot"}));
  EXPECT_EQ(request.expected, Arguments{"reference"});
  EXPECT_EQ(request.nodes, "n[1-4]");
  EXPECT_EQ(request.format, Format::csv);
  EXPECT_EQ(request.threshold_percent, 3);
}

TEST(CommandLine, WhatIsShownNowMayAccompanyResume) {
  const RunRequest request = run({"--resume", "a.json", "--quiet", "--no-progress"});
  EXPECT_EQ(request.resume, "a.json");
  EXPECT_TRUE(request.quiet);
}

TEST(CommandLine, TablesNeedFiles) {
  EXPECT_EQ(read<TableRequest>({"table", "a.json", "b.json"}).files,
            (Arguments{"a.json", "b.json"}));
  expect_contains(refusal({"table"}), "name result files or folders");
}

struct Bad {
  Arguments words;
  const char* message;
};

TEST(CommandLine, EachMistakeIsOneLineThatNamesTheOptionAndTheRemedy) {
  const std::vector<Bad> mistakes{
      {{"--dtype", "f8"}, "--dtype f8: must be one of f32, f64"},
      {{"--dtype", "f32,x"}, "--dtype x: must be one of f32, f64"},
      {{"--cache", "warm"}, "--cache warm: must be one of cold, hot"},
      {{"--isa", "avx512"}, "--isa avx512: must be one of baseline, avx2 (did you mean avx2?)"},
      {{"--format", "xml"}, "--format xml: must be one of text, json"},
      {{"--threads", "0"}, "--threads 0: must be between 1 and 2147483647"},
      {{"--threads", "9"},
       "--threads 9: this process may use 8 cpus only; ask for more with srun --cpus-per-task"},
      {{"--threads", "two"}, "--threads: 'two' is not a number; write for example 1000000 or 1e6"},
      {{"--bins", "0"}, "--bins 0: must be between 1 and 18446744073709551615"},
      {{"--bins", "1.5"}, "--bins: '1.5' is not a whole number"},
      {{"--block", "0"}, "--block 0: must be between 1 and 1024"},
      {{"--block", "4096"}, "--block 4096: must be between 1 and 1024"},
      {{"--grid", "2147483648"}, "--grid 2147483648: must be between 1 and 2147483647"},
      {{"--grid", "many"}, "--grid: 'many' is not a number; write for example 1000000 or 1e6"},
      {{"--samples", "0"}, "--samples 0: must be between 1 and 100"},
      {{"--samples", "101"}, "--samples 101: must be between 1 and 100"},
      {{"--samples", "nan"}, "--samples: 'nan' is not a number; write for example 1000000 or 1e6"},
      {{"--seed", "4294967296"}, "--seed 4294967296: must be between 0 and 4294967295"},
      {{"--seed=-1"}, "--seed: '-1' is negative; give a positive number"},
      {{"--max-time", ""}, "--max-time needs a value: SECONDS"},
      {{"--output="}, "--output needs a value: FILE"},
      {{"--size", "1,,2"}, "--size 1,,2: there is nothing between two commas, or at an end"},
      {{"--size=1,"}, "--size 1,: there is nothing between two commas, or at an end"},
      {{"--threads", ",2"}, "--threads ,2: there is nothing between two commas, or at an end"},
      {{"energy", "--input", "a.npy", "--size", "5"}, "--size and --input exclude each other"},
      {{"energy", "--input", "a.npy", "--dtype", "f32"}, "--dtype and --input exclude each other"},
      {{"--input", "a.npy"}, "--input: name the workload that uses it"},
      {{"--sweep", "1e3"}, "--sweep 1e3: must be FROM:TO, e.g. 1e3:1e9"},
      {{"--sweep", "1e3:1e2"}, "--sweep 1e3:1e2: the first size is the smaller one"},
      {{"--sweep", "0:1e2"}, "--sweep 0: must be between 1 and 1000000000000"},
      {{"--sweep", "1:x"}, "--sweep: 'x' is not a number"},
      {{"--sweep", "1:10", "--size", "5"}, "--size and --sweep exclude each other: leave one out"},
      {{"table", "a", "--preset", "course", "--columns", "time"}, "--columns and --preset exclude"},
      {{"--resume", "a.json", "--size", "5"}, "--size and --resume exclude each other"},
      {{"--resume", "a.json", "energy"}, "FILTER and --resume exclude each other"},
      {{"--resume", "a.json", "--sweep", "1:10"}, "--sweep and --resume exclude each other"},
      {{"--resume", "a.json", "--output", "b"}, "--output and --resume exclude each other"},
      {{"compare", "a", "--format", "latex"}, "--format latex: must be one of text, json, csv"},
      {{"--format", "csv"}, "--format csv: must be one of text, json"},
      {{"--max-time", "soon"}, "--max-time soon: must be a number of seconds, 0 or more"},
      {{"--max-time=-1"}, "--max-time -1: must be a number of seconds, 0 or more"},
      {{"--max-time", "inf"}, "--max-time inf: must be a number of seconds, 0 or more"},
      {{"--min-time", "nan"}, "--min-time nan: must be a number of seconds, 0 or more"},
      {{"--min-time", "1s"}, "--min-time 1s: must be a number of seconds, 0 or more"},
      {{"--min-time", "6"}, "--min-time 6: is longer than --max-time; give both"},
      {{"doctor", "what"}, "unexpected word 'what'; 'bench doctor --help' shows all"},
      {{"table"}, "table: name result files or folders, e.g. bench table results/"},
      {{"compare"}, "compare: name two result files or a folder"},
      {{"energy", "--size"}, "--size needs a value: SIZE"},
      {{"--seed", "1", "--seed", "2"}, "--seed: is there twice; give it once"},
      {{"hypot", "--input", "a.npy", "b.npy"},
       "--input a.npy b.npy: two files are separated by a comma: --input a.npy,b.npy"},
      {{"table", "a.json", "--filter", "energy", "copy"},
       "copy: no such file; the parts of a list are separated by commas: energy,copy"},
      {{"--sise", "7"},
       "unknown option '--sise' (did you mean --size?); 'bench run --help' shows all"},
      {{"--sise=7"},
       "unknown option '--sise' (did you mean --size?); 'bench run --help' shows all"},
      {{"energy", "--columns", "bound"},
       "bench run has no --columns (bench table has it); 'bench run --help' shows all"},
      {{"--lang", "fr", "doctor"}, "doctor: a command comes first: bench doctor …"},
      {{"--zzzzzz"}, "unknown option '--zzzzzz'; 'bench run --help' shows all"},
      {{"verify", "--samples", "3"},
       "bench verify has no --samples (bench run, try, course, aa have it)"},
      {{"try", "a.cpp", "--backend", "serial"},
       "bench try has no --backend (bench run, aa, list, verify have it)"},
      {{"verify", "--no-baseline"},
       "bench verify has no --no-baseline (bench run, try, aa, ab have it)"},
      {{"course", "--sweep", "1:9"},
       "bench course has no --sweep (bench run, try, aa, ab, verify have"},
      {{"aa", "--graded"}, "bench aa has no --graded (bench run, try, verify have it)"},
      {{"--resume"}, "--resume needs a value: FILE"},
      {{"--gpu", "0"}, "unknown option '--gpu' (did you mean --backend cuda, or --device N?)"},
      {{"--cuda"}, "unknown option '--cuda' (did you mean --backend cuda?)"},
      {{"--openmp"}, "unknown option '--openmp' (did you mean --backend openmp?)"},
      {{"--no-gpu"}, "unknown option '--no-gpu' (did you mean --backend serial,openmp?)"},
      {{"--repeat", "5"},
       "unknown option '--repeat' (did you mean --samples N, or --executions N?)"},
      {{"--runs=5"}, "unknown option '--runs' (did you mean --samples N, or --executions N?)"},
      {{"--time", "1"}, "unknown option '--time' (did you mean --max-time SECONDS?)"},
      {{"--list"}, "unknown option '--list' (did you mean bench list?)"},
      {{"--doctr"}, "unknown option '--doctr'; 'bench run --help' shows all"},
      {{"-n", "10"}, "unknown option '-n' (did you mean --samples N?)"},
      {{"-j", "4"}, "unknown option '-j' (did you mean --threads N?)"},
      {{"-v"}, "unknown option '-v' (did you mean bench --version?)"},
      {{"--precision", "double"}, "unknown option '--precision' (did you mean --dtype TYPE?)"},
      {{"table", "a.json", "--gpu"}, "unknown option '--gpu'; 'bench table --help' shows all"},
      {{"--dtype", "float32"},
       "--dtype float32: must be one of f32, f64, u32, i16, f16 (did you mean f32?)"},
      {{"--dtype", "double"},
       "--dtype double: must be one of f32, f64, u32, i16, f16 (did you mean f64?)"},
      {{"--backend", "omp"},
       "--backend omp: must be one of serial, openmp, stdpar, cuda, target (did you mean openmp?)"},
      {{"--lang", "de"}, "--lang de: must be one of en, pt, es, fr"},
      {{"--lang", "de-AT"}, "--lang de-AT: must be one of en, pt, es, fr"},
      {{"table", "energy"}, "energy: is not a file; to filter: --filter energy"},
      {{"--output", "x.csv"},
       "--output x.csv: a result file is JSON; for a table of it: bench table FILE.json --format "
       "csv"},
      {{"try", "a.cpp", "--output", "x.md"}, "--output x.md: a result file is JSON"},
      {{"--max-slow-elements", "0"}, "--max-slow-elements 0: must be between 1"},
      {{"--most", "0"}, "--max-slow-elements 0: must be between 1"},
      {{"--timeout", "x"}, "--timeout x: must be a number of seconds"},
      {{"--timeout"}, "--timeout needs a value: SECONDS"},
      {{"help", "nosuch"}, "help: 'nosuch' is not a topic or a command; topics: columns, sizes"},
      {{"help", "scope"}, "help: 'scope' is not a topic or a command (did you mean scopes?)"},
      {{"help", "tabel"}, "help: 'tabel' is not a topic or a command (did you mean table?)"},
      {{"-x"}, "unknown option '-x'"},
  };
  for (const auto& [words, message] : mistakes) {
    EXPECT_EQ(refusal(words).rfind(message, 0), 0U) << message << "\n" << refusal(words);
  }
}

TEST(CommandLine, TheLaunchIsTheVariantsUnlessTheUserSaysSo) {
  EXPECT_TRUE(settings({"energy"}).blocks.empty());
  const Settings given = settings({"energy", "--block", "128,32,128", "--grid", "1e3"});
  EXPECT_EQ(given.blocks, (std::vector<unsigned>{32, 128}));
  EXPECT_EQ(given.grids, std::vector<unsigned>{1000});
}

TEST(CommandLine, AnOptionWithoutItsValueIsRefused) {
  for (const char* option :
       {"--size", "--dtype", "--bins", "--threads", "--seed", "--isa", "--samples", "--min-time",
        "--max-time", "--cache", "--output", "--format", "--block", "--grid"}) {
    expect_contains(refusal({option}), option);
    expect_contains(refusal({"energy", option}), option);
  }
}

TEST(CommandLine, AFlagTakesNoValueAndASingleOptionNoTwo) {
  EXPECT_THROW(run({"--quiet=maybe"}), UsageError);
  expect_contains(refusal({"--seed", "1", "--seed", "2"}), "--seed");
}

TEST(CommandLine, OldAndLongSpellingsAreTheSame) {
  EXPECT_EQ(settings({"--most", "7"}).most_elements, 7U);
  EXPECT_EQ(settings({"--max-slow-elements", "7"}).most_elements, 7U);
  EXPECT_EQ(settings({"--patience", "7"}).patience, 7);
  EXPECT_EQ(settings({"--timeout", "7"}).patience, 7);
  EXPECT_EQ(settings({"--with", "a.cpp"}).guests, Arguments{"a.cpp"});
  EXPECT_EQ(settings({"--kernel", "a.cpp,b.py"}).guests, (Arguments{"a.cpp", "b.py"}));
  EXPECT_EQ(read<AaRequest>({"aa", "--executions", "9"}).run.executions, 9U);
  EXPECT_EQ(read<AaRequest>({"false-alarms", "--executions", "9"}).run.executions, 9U);
}

TEST(CommandLine, ARegionOfALanguageDoesNotMatter) {
  const std::map<Language, Arguments> spellings{
      {Language::en, {"EN", "en_GB", "C", "c", "C.UTF-8", "POSIX"}},
      {Language::pt, {"pt-BR", "PT-br", "pt_BR", "pt_BR.UTF-8"}},
      {Language::es, {"es-MX", "es_ES@euro"}},
      {Language::fr, {"fr_CA", "fr_CA.UTF-8", "Fr"}}};
  for (const auto& [language, all] : spellings) {
    for (const std::string& text : all) {
      EXPECT_EQ(run({"--lang", text}).language, language) << text;
    }
  }
  for (const std::string other : {"xx-YY", "-pt", "portuguese", "cz"}) {
    EXPECT_EQ(refusal({"--lang", other}), "--lang " + other + ": must be one of en, pt, es, fr");
  }
}

TEST(CommandLine, OutsideOfAJobNobodyIsSentToSlurm) {
  Abilities laptop = node();
  laptop.in_job = false;
  EXPECT_EQ(message_of<UsageError>([&] {
              parse({"--threads", "9"}, laptop);
            }),
            "--threads 9: this process may use 8 cpus only");
}

TEST(CommandLine, EveryOptionIsInOneOfTheGroupsOfTheHelp) {
  for (const Command& one : all_commands()) {
    const std::string& name = one.facts.name;
    const std::string text = read<HelpRequest>({name, "--help"}).text;
    EXPECT_EQ(text.rfind("Usage: bench ", 0), 0U) << name;
    expect_contains(text, "-h, --help");
    EXPECT_EQ(text.find("Excludes"), std::string::npos) << name;
    EXPECT_EQ(text.find("REQUIRED"), std::string::npos) << name;
  }
  const std::string text = read<HelpRequest>({"run", "--help"}).text;
  for (const char* const group : {"What to measure:", "How long:", "GPU:", "User kernels:",
                                  "Also measure:", "Output:", "Advanced:"}) {
    expect_contains(text, std::string("\n") + group + "\n");
  }
  expect_contains(text, "(default: 100)");
}

TEST(CommandLine, TopicsAreExplained) {
  for (const std::string& topic : names_of_topics()) {
    EXPECT_GT(read<HelpRequest>({"help", topic}).text.size(), 200U) << topic;
  }
  expect_contains(read<HelpRequest>({"help", "columns"}).text, "speedup over serial/naive");
  EXPECT_EQ(read<HelpRequest>({"help"}).text, read<HelpRequest>({"--help"}).text);
  EXPECT_EQ(read<HelpRequest>({"help", "false-alarms"}).text,
            read<HelpRequest>({"aa", "--help"}).text);
}

TEST(CommandLine, HelpForProgramsHasAllOfIt) {
  const Json all = Json::parse(read<HelpRequest>({"help", "--format", "json"}).text);
  EXPECT_EQ(all["commands"].size(), all_commands().size());
  EXPECT_EQ(all["commands"][0]["name"], "run");
  EXPECT_EQ(all["commands"][0]["groups"][0]["title"], "What to measure");
  EXPECT_EQ(all["topics"].size(), pages().size());
  EXPECT_EQ(all["columns"].size(), all_columns().size());
  for (const Json& column : all["columns"]) {
    EXPECT_FALSE(column["meaning"].get<std::string>().empty()) << column["key"];
  }
}

TEST(Topics, MarksOfMarkdownAreNotShown) {
  const char* const page =
      "# Title\n\nOne `word` and **two**,\nand a [link](x.md).\n\n- an item\n  goes on\n- "
      "another\n\n| a | b | c |\n|---|---|---|\n| `x` | first | second |\n";
  EXPECT_EQ(for_terminal(page, 60),
            "Title:\n\nOne word and two, and a link.\n\n- an item goes on\n- another\n\n"
            "  x  first; c: second\n");
}

TEST(CommandLine, HelpIsNoError) {
  for (const Arguments& words : {Arguments{"--help"}, Arguments{"-h"}, Arguments{"run", "--help"},
                                 Arguments{"energy", "--help"}, Arguments{"table", "--help"}}) {
    const std::string text = read<HelpRequest>(words).text;
    expect_contains(text, "--help");
    EXPECT_EQ(text.back(), '\n');
  }
  expect_contains(read<HelpRequest>({"--help"}).text, "verify");
  expect_contains(read<HelpRequest>({"run", "--help"}).text, "--max-time");
  EXPECT_EQ(read<HelpRequest>({"help", "list"}).text, read<HelpRequest>({"list", "--help"}).text);
}

TEST(CommandLine, Version) {
  EXPECT_EQ(read<HelpRequest>({"--version"}).text.rfind("bench ", 0), 0U);
}

TEST(CommandLine, LongAndOddWordsDoNotHarm) {
  EXPECT_THROW(run({"--" + std::string(100'000, 'a')}), UsageError);
  EXPECT_THROW(run({"--samples", std::string(100'000, '9')}), UsageError);
  EXPECT_EQ(settings({""}).filters, Arguments{""});
  EXPECT_EQ(settings({"--size", "a\nb"}).sizes, Arguments{"a\nb"});
}

}  // namespace
}  // namespace bench::test
