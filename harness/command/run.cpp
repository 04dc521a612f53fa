#include "harness/command/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <stdexcept>

#include "harness/base/shell_quoted.hpp"
#include "harness/base/signals.hpp"
#include "harness/base/text.hpp"
#include "harness/command/command.hpp"
#include "harness/command/devices.hpp"
#include "harness/command/effect.hpp"
#include "harness/command/execution.hpp"
#include "harness/command/executions.hpp"
#include "harness/command/guests.hpp"
#include "harness/command/interrupt.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/profile.hpp"
#include "harness/command/progress.hpp"
#include "harness/command/result_file.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/document/context.hpp"
#include "harness/measure/runner.hpp"
#include "harness/measure/time_needed.hpp"
#include "harness/node/environment.hpp"
#include "harness/node/job.hpp"
#include "harness/plan/memory_room.hpp"

namespace bench {
namespace {

std::string name_of(const PlannedGroup& group) {
  return fmt::format("{} {} {}", group.workload, name_of(group.dtype), group.size);
}

/// Where neither the size nor a slow variant makes a group long, --max-time says how long it takes.
bool may_take_long(const PlannedGroup& group, const Settings& settings) {
  constexpr std::size_t many = 50'000'000;
  constexpr std::size_t many_of_slow_ones = 1'000'000;
  const bool slow_ones = settings.most_elements > 0 || !settings.guest_variants.empty();
  return group.cases.front().identity.elements >= (slow_ones ? many_of_slow_ones : many);
}

/// What would be measured, a line per group.
void print_plan(const std::vector<PlannedGroup>& groups, const Settings& settings,
                const Session& session) {
  const Rehearsal rehearsal(session.suite.workloads, settings);
  double all = 0;
  for (const PlannedGroup& group : groups) {
    const double seconds = may_take_long(group, settings) ? rehearsal.time_needed(group).expected
                                                          : settings.max_seconds;
    all += seconds;
    print(fmt::format("{}: {} cases, {}, about {}\n", name_of(group), group.cases.size(),
                      bytes_text(bytes_needed(group)), rough_duration(seconds)));
  }
  if (groups.size() > 1) print(fmt::format("in all about {} on this node\n", rough_duration(all)));
}

/// Measures group after group, as long as there is time.
class Measuring {
 public:
  Measuring(const Settings& settings, const Session& session, std::size_t groups, bool tells)
      : settings_(settings),
        rehearsal_(session.suite.workloads, settings),
        left_(groups),
        tells_(tells) {}

  Group next(const PlannedGroup& group, const Progress& progress) {
    constexpr double margin = 1.25;
    Settings settings = settings_;
    const auto& budget = settings.budget;
    if (budget && budget->left() <= 0) return skipped(group, budget->used_up());
    if (budget || may_take_long(group, settings)) {
      const TimeNeeded needed = rehearsal_.time_needed(group);
      if (budget && margin * needed.least > budget->left()) {
        --left_;
        return skipped(group, budget->too_small(needed.least));
      }
      if (budget) share(settings, needed);
      if (!budget) warn(group, needed.expected);
    }
    --left_;
    return measure(group, settings, progress);
  }

 private:
  /// Each of those that are left gets as much time as the others.
  void share(Settings& settings, const TimeNeeded& needed) const {
    const double time = settings.budget->left() / static_cast<double>(left_);
    const double before_and_after = needed.least - needed.least_rounds;
    settings.max_seconds = std::clamp(time - before_and_after, 0.0, settings.max_seconds);
    settings.min_seconds = std::min(settings.min_seconds, settings.max_seconds);
  }

  void warn(const PlannedGroup& group, double seconds) const {
    constexpr double long_time = 60;
    if (!tells_ || seconds < long_time + settings_.max_seconds) return;
    tell(fmt::format("{}: about {}; --budget 1m, or a smaller --size, takes less", name_of(group),
                     rough_duration(seconds)));
  }

  Settings settings_;
  Rehearsal rehearsal_;
  std::size_t left_;
  bool tells_;
};

/// Nothing has no rate and no share.
void refuse_empty(const PlannedGroup& group) {
  if (group.cases.front().identity.elements > 0) return;
  throw UsageError(
      fmt::format("{} {}: {} has nothing to measure there; choose a larger one, or bench verify, "
                  "which takes it",
                  group.inputs ? "--input: size" : "--size", group.size, group.workload));
}

void drop_what_is_for_comparison(PlannedGroup& group) {
  std::erase_if(group.cases, [](const PlannedCase& one) { return one.identity.reference; });
}

std::vector<PlannedGroup> groups_of(const RunRequest& request, const Session& session) {
  auto groups = plan(session.suite.workloads, request.wanted.settings);
  std::for_each(groups.begin(), groups.end(), refuse_empty);
  if (request.only) std::erase_if(groups, std::not_fn(request.only));
  if (!request.compares) std::for_each(groups.begin(), groups.end(), drop_what_is_for_comparison);
  return groups;
}

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

/// What the words, the node and the user kernels say is to be measured. False where a user kernel
/// cannot be used.
bool ask(RunRequest& request, const Session& session) {
  complete(request.wanted.settings, request.wanted.inputs);
  if (!request.dry_run) expect_new_file(request);
  const bool all_usable = invite_guests(request.wanted.settings, session.suite, request.tries);
  if (request.choose) request.choose(request.wanted.settings);
  return all_usable;
}

/// Where a signal, or a call of exit(), ends a run before its last group.
struct EarlyEnd {
  void conclude(const char* ended_by) const {
    const bool complete = report->groups() == all;  // it was to be concluded anyway
    const auto [first, unwritten] = finish(*report, complete ? "" : ended_by);
    if (!first) return;
    if (!request.before) std::fputs("\n", stderr);  // after a line of progress
    if (!unwritten.empty()) complain(unwritten);
    const bool told = report->groups() > 0 || request.output == "-" || request.before;
    if (told) print_result(request, *report, program);
    if (request.before) return;
    const bool rest = request.writes_file() && !complete;
    tell(fmt::format(
        "ended by {}: {} of {} groups finished{}", ended_by, report->groups(), all,
        rest ? "; continue with: bench --resume " + shell_quoted(report->path().string()) : ""));
  }

  int by(int signal) const {
    conclude(name_of_signal(signal));
    const bool in_time = request.before && signal == SIGALRM;
    return in_time ? request.judge(report->document()).exit_code : Exit::by(signal);
  }

  RunRequest request;
  std::shared_ptr<Report> report;
  std::size_t all;  ///< groups
  std::string program;
};

/// `all`: groups, with those of an earlier run.
void measure_all(const std::vector<PlannedGroup>& groups, const RunRequest& request,
                 const Session& session, Report& report, std::size_t all) {
  const bool tells = !request.quiet && task_rank() == 0;
  const Settings& settings = request.wanted.settings;
  Measuring measuring(settings, session, groups.size(), tells);
  ProgressLine line(request.progress && tells, expected_shares(groups, settings),
                    all - groups.size());
  for (const PlannedGroup& group : groups) {
    line.next_group();
    const Group result = measuring.next(
        group, [&](const std::string& what, double share) { line.show(what, share); });
    try {
      report.add(result);
    } catch (const std::runtime_error&) {
      // A full disk may have room again later; the result stays in memory until the last write.
    }
  }
  line.clear();
}

int conclude(const RunRequest& request, const Session& session, Report& report, bool all_usable) {
  const std::string unwritten = finish(report, "").unwritten;
  print_result(request, report, session.argv.front());
  if (!unwritten.empty() && !request.before) throw std::runtime_error(unwritten);
  if (!unwritten.empty()) complain(unwritten);
  if (request.judge) return request.judge(report.document()).exit_code;
  const int code = complained(exit_code(report.document()));
  return all_usable ? code : Exit::wrong;
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
  if (!request.profile.empty()) return profile(request, session);
  Settings& settings = request.wanted.settings;
  const bool in_parts = settings.all_devices || settings.all_sockets;
  const bool several = (request.executions > 1 || in_parts) && !request.dry_run;
  const bool one_of_them = several && one_of_several();
  if (one_of_them) request = of_execution(std::move(request));
  if (!request.resume.empty()) restore(request, abilities());
  if (request.executions > 1 && !request.dry_run) return execute_several(request, session);

  const bool all_usable = ask(request, session);
  auto groups = groups_of(request, session);
  if (request.resume.empty()) refuse_without_effect(settings, session.suite);
  if (request.dry_run) {
    print_plan(groups, settings, session);
    return Exit::fine;
  }
  block_interrupts();  // before OpenMP and the device's driver start threads
  if (settings.all_devices && !one_of_them && settings.with_cuda && need_device(groups)) {
    const std::size_t devices = cuda::device_count();
    if (devices > 1) return execute_on_devices(request, session, devices);
  }
  if (settings.all_sockets && !one_of_them) {
    const auto sockets = own_sockets();
    if (sockets.size() > 1) return execute_on_sockets(request, session, sockets);
    if (!request.quiet) {
      tell("--sockets all: the cpus of this process are not of several sockets: an ordinary run");
    }
    settings.all_sockets = false;
  }

  Machine facts = machine_facts(settings);
  const auto device = open_device(groups, settings);
  if (device) groups = groups_of(request, session);  // the default size depends on it
  add_gpu(facts, device.get());
  const Context context = make_context(settings, session.argv, facts);
  if (const auto prevented = request.before ? request.before(context) : std::nullopt) {
    return *prevented;
  }

  const std::size_t all = groups.size();
  const auto report = begin(request, context, groups);
  EarlyEnd early{request, report, all, session.argv.front()};
  // User kernels end with the groups, not with the thread that waits for signals.
  early.request.wanted.settings.guest_variants.clear();
  on_interrupt([early](int signal) { return early.by(signal); });
  const UnlessDone guard([early] { early.conclude("exit()"); });
  measure_all(groups, request, session, *report, all);
  return conclude(request, session, *report, all_usable);
}

}  // namespace bench
