#include "harness/command/run.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/exit.hpp"
#include "harness/command/command.hpp"
#include "harness/command/executions.hpp"
#include "harness/command/measuring.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/profile.hpp"
#include "harness/command/shown.hpp"

namespace bench {
namespace {

/// `bench --lang fr doctor`: a command is taken for a filter there.
void refuse_commands(const std::vector<std::string>& filters) {
  for (const std::string& filter : filters) {
    if (command_named(filter) == nullptr) continue;
    throw UsageError(fmt::format("{0}: a command comes first: bench {0} …", filter));
  }
}

/// A result file is JSON, whatever it is called.
void refuse_table_file(const std::string& output) {
  const Choices<const char*> formats{
      {".csv", "csv"}, {".md", "markdown"}, {".tex", "latex"}, {".html", "html"}, {".txt", "text"}};
  const std::string kind = std::filesystem::path(output).extension();
  for (const auto& [extension, format] : formats) {
    if (kind != extension) continue;
    refuse(
        "--output", output,
        fmt::format("a result file is JSON; for a table of it: bench table FILE.json --format {}",
                    format));
  }
}

/// Options that contradict each other.
void check(RunRequest& request, bool min_time_given) {
  if (!request.profile.empty()) request.wanted.settings.filters = {request.profile};
  if (!request.tries) check(request.wanted);  // each file names its workload
  Settings& settings = request.wanted.settings;
  if (settings.min_seconds > settings.max_seconds) {
    if (min_time_given) {
      throw UsageError(
          fmt::format("--min-time {}: is longer than --max-time; give both", settings.min_seconds));
    }
    settings.min_seconds = settings.max_seconds;
  }
  if (settings.graded && settings.cache == CacheMode::hot) {
    throw UsageError(
        "--graded: needs --cache cold; in hot caches a file could keep the answer of its last run");
  }
  if (request.output == "-") request.format = Format::json;
  refuse_table_file(request.output);
  refuse_commands(settings.filters);
}

}  // namespace

void add_options(CLI::App& app, RunRequest& request, const Abilities& node) {
  begin_group(app, option_group::what);
  add_filters(app, request.wanted.settings);
  const auto filters = options_of(app);
  add_guests(app, request.wanted.settings);
  add_measuring(app, request, node);
  begin_group(app, option_group::gpu);
  auto* const devices =
      add_choice(app, "--devices", request.wanted.settings.all_devices, {{"all", true}},
                 "each GPU in turn, then all at once, in one result file", "all");
  exclude(devices, options_of(app, {"--device", "--budget", "--executions", "--with", "--peers",
                                    "--resume"}));
  begin_group(app, option_group::advanced);
  auto* const sockets = add_choice(
      app, "--sockets", request.wanted.settings.all_sockets, {{"all", true}},
      "each socket of the node in turn, then all at once, in one result file; without a GPU",
      "all");
  exclude(sockets, options_of(app, {"--device", "--devices", "--budget", "--executions", "--with",
                                    "--peers", "--resume"}));
  auto* const profile =
      add_text(app, "--profile", request.profile,
               "run this variant once to warm up and then again, for ncu, nsys or perf", "GLOB");
  exclude(profile, filters);
  exclude(profile, options_of(app, {"--samples", "--min-time", "--max-time", "--cache", "--energy",
                                    "--counters", "--devices", "--sockets", "--executions",
                                    "--output", "--resume", "--format", "--dry-run", "--with",
                                    "--peers", "--lang", "--quiet"}));
}

void add_timing(CLI::App& app, RunRequest& request, const Abilities& node) {
  Settings& settings = request.wanted.settings;
  add_selection(app, request.wanted, node, option_group::what);
  begin_group(app, option_group::how_long);
  add_count(app, "--samples", settings.max_samples, {1, Settings::most_samples},
            "at most N samples per variant", "100");
  const auto* min_time =
      add_number(app, "--min-time", settings.min_seconds, "seconds",
                 "measure each group (one workload, type and size) for at least SECONDS", "0.5");
  add_number(app, "--max-time", settings.max_seconds, "seconds",
             "stop a group after SECONDS if it has at least 9 samples (6 of variants "
             "slower than 25 ms)",
             "4");
  add_choice(app, "--cache", settings.cache, all_choices<CacheMode>(),
             "cold: caches are emptied before each sample; or hot", "MODE", "cold");
  finally(app, [&request, min_time] { check(request, given(min_time)); });
}

void add_measuring(CLI::App& app, RunRequest& request, const Abilities& node) {
  add_timing(app, request, node);
  Settings& settings = request.wanted.settings;
  add_count(app, "--executions", request.executions, {2, most_executions},
            "run the program N times; intervals then include run-to-run variation", "once");
  auto* const budget = add_duration(
      app, "--budget", [&settings](double seconds) { settings.budget = Budget{seconds}; },
      "end the run within TIME (20s, 5m, 1h): groups that would not fit are skipped");
  begin_group(app, option_group::also);
  add_flag(
      app, "--energy", settings.energy,
      "also report joules per run, if available (see bench doctor); adds about 0.5 s per case");
  add_flag(app, "--counters", settings.counters,
           "also report cycles, instructions and cache misses, if perf events are allowed");
  begin_group(app, option_group::output);
  add_text(app, "--output", request.output,
           "the result file (JSON); none: write no file; -: print JSON instead", "FILE",
           "results/TIME-NODE.json");
  // The result file says all of these. The options after this one say what is shown here and now.
  auto of_document = options_of(app);
  std::erase(of_document, budget);  // it is of this run only
  exclude(
      add_text(app, "--resume", request.resume,
               "continue an unfinished result file, with the options it was begun with", "FILE"),
      of_document);
  add_format(app, request.format, "what to print: text or json");
  add_language(app, request.language);
  add_flag(app, "--quiet", request.quiet, "print nothing but errors");
  add_no_progress(app, request.progress);
  // Known before --threads and --isa are read.
  add_flag(
      app, "--dry-run", [&request] { request.dry_run = request.wanted.elsewhere = true; },
      "list what would be measured and exit");
}

int execute(RunRequest request, const Session& session) {
  if (!request.profile.empty()) return profile(std::move(request), session);
  Prepared prepared = prepare(std::move(request), session);
  if (prepared.request.dry_run) {
    print_plan(prepared, session);
    return Exit::fine;
  }
  const auto print = [program = session.argv.front()](const RunRequest& asked,
                                                      const Report& report) {
    print_result(asked, report, program);
    return std::optional<int>();
  };
  return measure_and_print(std::move(prepared), session, print);
}

}  // namespace bench
