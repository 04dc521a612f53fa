#include "harness/command/ab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/base/exit.hpp"
#include "harness/base/printable.hpp"
#include "harness/base/text.hpp"
#include "harness/command/measuring.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/timed_commands.hpp"
#include "harness/compare/versions.hpp"
#include "harness/document/doubt.hpp"
#include "harness/document/imported.hpp"
#include "harness/document/report.hpp"
#include "harness/guests/source.hpp"
#include "harness/node/job.hpp"
#include "harness/words/numbers.hpp"

namespace bench {
namespace {

using Versions = std::vector<VersionComparison>;

std::string percents(double ratio) { return fmt::format("{:+.1f} %", 100 * (ratio - 1)); }

std::string verdict_in_words(const VersionComparison& one) {
  const char* const by = one.clock == Clock::processor ? " (by processor time)" : "";
  switch (one.change) {
    case Change::slower:
      return fmt::format("SLOWER{}", by);
    case Change::faster:
      return fmt::format("faster{}", by);
    case Change::same:
      return "same";
    case Change::unclear:
      break;
  }
  return one.more_seconds
             ? fmt::format("cannot be told; about {} more would", rough_duration(*one.more_seconds))
             : "cannot be told here";
}

/// What equal versions differ by: the end of that interval that is further from 1.
std::string apart(const VersionComparison& one) {
  const auto [low, high] = one.itself.ci95;
  return fmt::format("{:.1f} %", 100 * std::max(std::abs(low - 1), std::abs(high - 1)));
}

std::string row_of(const VersionComparison& one, const std::string& name, const char* format) {
  const auto [low, high] = one.ratio.ci95;
  return fmt::format(fmt::runtime(format), name, duration(one.base_seconds, Language::en),
                     duration(one.head_seconds, Language::en), percents(one.ratio.value),
                     percents(low), percents(high), apart(one), verdict_in_words(one));
}

/// A name in a cell of Markdown, as code.
std::string as_code(const std::string& name) {
  std::string text;
  for (const char one : printable(name)) {
    if (one == '|') text += '\\';
    text += one == '`' ? '\'' : one;
  }
  return "`" + text + "`";
}

std::string markdown_of(const Versions& all) {
  std::string text =
      "| measured | base | head | change | 95 % interval | equal versions differ by | verdict |\n"
      "|---|--:|--:|--:|---|--:|---|\n";
  for (const VersionComparison& one : all) {
    text += row_of(one, as_code(one.name), "| {} | {} | {} | {} | {} to {} | {} | {} |\n");
  }
  return text;
}

std::string text_of(const Versions& all) {
  std::string text;
  for (const VersionComparison& one : all) {
    text += row_of(one, printable(one.name),
                   "{}\n  base {}, head {}: {}, 95 % interval {} to {}\n"
                   "  equal versions differ by up to {} here\n  {}\n");
  }
  return text;
}

Json json_of(const Versions& all) {
  Json list = Json::array();
  for (const VersionComparison& one : all) {
    list.push_back({{"name", one.name},
                    {"base_seconds", one.base_seconds},
                    {"head_seconds", one.head_seconds},
                    {"ratio", written(one.ratio)},
                    {"base_over_base", written(one.itself)},
                    {"by_processor_time", one.clock == Clock::processor},
                    {"verdict", written(one.change)},
                    {"more_seconds", written(one.more_seconds)}});
  }
  return list;
}

int conclude(const Versions& all, Format format) {
  print(format == Format::json       ? serialised(json_of(all)) + "\n"
        : format == Format::markdown ? markdown_of(all)
                                     : text_of(all));
  return exit_code(all);
}

int compare_commands(const AbRequest& request) {
  const std::string& base = request.versions[0];
  const std::string& head = request.versions[1];
  const double threshold = request.threshold_percent / 100;
  const double most = request.run.wanted.settings.max_seconds;
  const Stopwatch watch;
  const auto compared = [&](const std::vector<VersionTimes>& times) {
    return compare_versions(head, times[0], times[1], times[2], threshold, watch.seconds());
  };
  // A verdict that is looked for after each round would be found by chance sometimes: rounds
  // double.
  std::size_t next = 12;
  const auto enough = [&](const std::vector<VersionTimes>& times) {
    const std::size_t rounds = times[0].seconds.size();
    if (watch.seconds() > most && rounds >= least_samples) return true;
    if (rounds >= most_samples_of_case) return true;
    if (rounds < next) return false;
    next *= 2;
    return compared(times).change != Change::unclear;
  };
  const auto times = timed_commands({base, base, head}, enough);
  if (request.run.writes_file() && !request.run.output.empty()) {
    ForeignRun run;
    run.started = utc_now();
    const char* const names[] = {"base", "base again", "head"};
    for (std::size_t i = 0; i < times.size(); ++i) {
      case_named(run, "ab", names[i]).seconds = times[i].seconds;
    }
    std::filesystem::path path = request.run.output;
    create_document(path, serialised(written(document_of({"bench_ab", run}))) + "\n", false);
  }
  return conclude({compared(times)}, request.run.format);
}

VersionTimes times_of(const CaseRecord& one) {
  return {one.seconds->samples, one.seconds->busiest.value_or(std::vector<double>{}), busy(one)};
}

/// How many processes measure a version.
constexpr std::size_t copies = 4;

/// The same file in other words, each of which is compiled and measured.
std::vector<std::string> spelled(const std::filesystem::path& file, std::size_t first) {
  std::filesystem::path folder = file.parent_path();
  for (std::size_t i = 0; i < first; ++i) folder /= ".";
  std::vector<std::string> all;
  for (std::size_t i = 0; i < copies; ++i, folder /= ".") {
    all.push_back((folder / file.filename()).string());
  }
  return all;
}

int compare_kernels(AbRequest request, const Session& session) {
  const std::filesystem::path base = request.versions[0];
  const std::filesystem::path head = request.versions[1];
  const bool same = base.lexically_normal() == head.lexically_normal();
  const std::vector<std::string> of_base = spelled(base, 0);
  const std::vector<std::string> of_head = spelled(head, same ? 2 * copies : 0);
  RunRequest& run = request.run;
  run.tries = run.only_guests = true;
  run.wanted.settings.guests = of_base;
  run.wanted.settings.guests.insert(run.wanted.settings.guests.end(), of_head.begin(),
                                    of_head.end());
  run.wanted.settings.graded = run.wanted.settings.cache == CacheMode::cold;
  run.wanted.settings.for_their_author = true;
  const Stopwatch watch;
  const auto print_verdicts = [=](const RunRequest& asked, const Report& report) {
    const Document document = report.document();
    const auto of = [&](const std::vector<std::string>& files, const CaseRecord& like) {
      std::vector<VersionTimes> all;
      for (const CaseRecord& one : document.cases) {
        const bool own =
            one.guest && std::find(files.begin(), files.end(), *one.guest) != files.end();
        if (own && one.measured() && one.scope == like.scope && one.workload == like.workload &&
            one.parameters == like.parameters && rounds_of(one) == rounds_of(like))
          all.push_back(times_of(one));
      }
      return all;
    };
    Versions all;
    bool wrong = false;
    bool incomplete = false;
    std::set<std::string> said;
    for (const CaseRecord& one : document.cases) {
      wrong = wrong || (one.guest && one.status == Status::failed);
      if (one.guest && !one.measured() && said.insert(one.reason->text).second) {
        complain(one.name + ": " + one.reason->text);
      }
      if (one.guest != of_base[0] || !one.measured()) continue;
      const auto base_times = of(of_base, one);
      const auto head_times = of(of_head, one);
      if (std::min(base_times.size(), head_times.size()) < 2) {
        incomplete = true;
        continue;
      }
      all.push_back(compare_processes(
          fmt::format("{} {} {}", one.workload, name_of(one.dtype), one.size), base_times,
          head_times, request.threshold_percent / 100, watch.seconds()));
    }
    int code = conclude(all, asked.format);
    if (incomplete && code == Exit::fine) code = Exit::unclear;
    return std::optional(wrong ? static_cast<int>(Exit::wrong) : code);
  };
  return measure_and_print(prepare(run, session), session, print_verdicts);
}

/// True where the name is that of a kernel's file: anything else is a command.
bool is_kernel(const std::string& version) {
  std::error_code none;
  return guests::ends_like_a_kernel(version) && std::filesystem::is_regular_file(version, none);
}

}  // namespace

void add_options(CLI::App& app, AbRequest& request, const Abilities& node) {
  request.run.output = "none";
  request.run.wanted.settings.max_samples = most_samples_of_case;
  request.run.wanted.settings.min_seconds = 4;
  request.run.wanted.settings.max_seconds = 60;
  begin_group(app, option_group::what);
  add_files(app, "VERSION", request.versions,
            "base and head: two user kernels of one workload, or two commands in quotes");
  const auto versions = options_of(app);
  add_timing(app, request.run, node);
  leave_out(app, {"--graded", "--samples"});  // user kernels are graded here, and time is the limit
  auto of_kernels = options_of(app);
  of_kernels.erase(of_kernels.begin(),
                   of_kernels.begin() + static_cast<std::ptrdiff_t>(versions.size()));
  std::erase(of_kernels, options_of(app, {"--max-time"}).front());
  show_default(app, "--min-time", "4");
  show_default(app, "--max-time", "60");
  begin_group(app, option_group::output);
  add_number(app, "--threshold", request.threshold_percent, "percent",
             "smallest change that matters", "5");
  add_choice(app, "--format", request.run.format,
             {{"text", Format::text}, {"markdown", Format::markdown}, {"json", Format::json}},
             "text, markdown or json", "FORMAT", "text");
  add_text(app, "--output", request.run.output, "a result file with all samples (JSON)", "FILE",
           "none");
  add_no_progress(app, request.run.progress);
  finally(app, [&request, of_kernels] {
    if (request.versions.size() != 2) {
      throw UsageError(
          "ab needs two versions, base and head: bench ab old/energy.c new/energy.c, "
          "or two commands in quotes");
    }
    for (const std::string& version : request.versions) {
      if (version.find_first_not_of(" \t\n") == std::string::npos) {
        throw UsageError("ab: a version is empty: name two user kernels, or two commands");
      }
      if (guests::ends_like_a_kernel(version) && !is_kernel(version) &&
          version.find(' ') == std::string::npos) {
        throw UsageError(fmt::format("{}: does not exist, or is not a file", version));
      }
    }
    const bool kernels = is_kernel(request.versions[0]);
    if (kernels != is_kernel(request.versions[1])) {
      throw UsageError(fmt::format("{} is a kernel, {} is not: name two files, or two commands",
                                   request.versions[kernels ? 0 : 1],
                                   request.versions[kernels ? 1 : 0]));
    }
    if (!kernels && std::any_of(of_kernels.begin(), of_kernels.end(), given)) {
      throw UsageError(
          "ab of two commands has --max-time and --threshold; the other options of measuring are "
          "for user kernels");
    }
    const std::filesystem::path output = request.run.output;
    std::error_code none;
    if (!kernels && request.run.writes_file() && std::filesystem::exists(output, none)) {
      throw UsageError(exists_already(output));
    }
  });
}

int execute(AbRequest request, const Session& session) {
  return is_kernel(request.versions[0]) ? compare_kernels(std::move(request), session)
                                        : compare_commands(request);
}

}  // namespace bench
