#include "harness/command/result_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "harness/base/error.hpp"
#include "harness/command/streams.hpp"
#include "harness/document/executions.hpp"
#include "harness/document/resume.hpp"
#include "harness/node/host.hpp"
#include "harness/node/job.hpp"

namespace bench {
namespace {

/// True where Slurm has started the job again: it may find what it had begun.
bool started_again() { return Host().env("SLURM_RESTART_COUNT") != nullptr; }

/// Reads the result file that a run continues.
Document read_earlier(const std::string& file) {
  try {
    return read_document(file);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--resume: {}", error.what()));
  }
}

/// The first result file that this run can continue since Slurm started its job again, among the
/// file and those next to it that later runs of the step had to take; says why it cannot.
std::optional<std::filesystem::path> begun_before(const std::filesystem::path& path,
                                                  const Context& context) {
  std::filesystem::path candidate = path;
  std::error_code none;  // what is wrong with the name is said when it is written
  for (int number = 2; std::filesystem::exists(candidate, none); ++number) {
    try {
      const Context earlier = read_document(candidate).context;
      if (requeued(earlier, context)) {
        const std::string why = obstacle(earlier, context);
        if (why.empty()) return candidate;
        tell(fmt::format("cannot continue {}: {}", candidate.string(), why));
      }
    } catch (const std::exception& error) {
      tell(fmt::format("cannot continue: {}", error.what()));
    }
    candidate = numbered(path, number);
  }
  return {};
}

/// Goes on with the result file of the report's path; of `groups` stays what it does not hold. One
/// that lacks nothing stays as it is. No other process writes it from before it is read.
void go_on(Report& report, const Context& context, std::vector<PlannedGroup>& groups) {
  const std::filesystem::path path = report.path();
  WriteLock lock = lock_document(path);
  Document earlier = read_earlier(path);
  take_out_ended(earlier);
  const std::string why = obstacle(earlier.context, context);
  if (!why.empty()) throw UsageError(fmt::format("--resume {}: {}", path.string(), why));
  const std::size_t all = groups.size();
  std::erase_if(groups,
                [&](const PlannedGroup& group) { return holds(earlier, group, path.string()); });
  if (groups.empty() && earlier.context.run.finished) {
    report.keep(std::move(lock), earlier, all);
  } else {
    report.go_on(std::move(lock), earlier, all - groups.size());
  }
}

std::filesystem::path path_of(const RunRequest& request) {
  if (!request.resume.empty()) return request.resume;
  if (!request.writes_file()) return {};
  return request.output.empty() ? default_result_path() : path_of_task(request.output);
}

template <class F>
void claiming(F claim) {
  try {
    claim();
  } catch (const std::runtime_error& error) {
    throw FileRefused(error.what());
  }
}

}  // namespace

FileRefused::FileRefused(const std::string& what)
    : UsageError(fmt::format("{} (--output FILE for another, - for none)", what)), why(what) {}

void expect_new_file(const RunRequest& request) {
  if (!request.resume.empty() || request.output.empty() || !request.writes_file()) return;
  if (started_again()) return;
  std::error_code none;
  const std::filesystem::path path = path_of(request);
  if (std::filesystem::exists(path, none)) throw FileRefused(exists_already(path));
}

void restore(RunRequest& request, const Abilities& node) {
  const std::string name = "--resume " + request.resume;
  const RunRecord run = read_earlier(request.resume).context.run;
  restore(request.wanted, run, name, node);
  if (run.finished || !run.executions) return;
  if (!run.executions_wanted)
    throw UsageError(name + ": does not say how many executions it wants");
  if (request.wanted.settings.budget) {
    throw UsageError(name + ": holds several executions, whose --budget cannot be changed");
  }
  request.executions = *run.executions_wanted;
  request.words = run.argv;
}

void restore(Wanted& wanted, const RunRecord& run, const std::string& name, const Abilities& node) {
  if (!run.selection) {
    throw UsageError(name + ": does not say what was to be measured");
  }
  Settings& settings = wanted.settings;
  static_cast<Selection&>(settings) = *run.selection;
  settings.seed = run.seed;
  settings.max_samples = run.max_samples;
  settings.min_seconds = run.min_time_s;
  settings.max_seconds = run.max_time_s;
  settings.cache = run.cache;
  const auto isa = value_named<simd::Isa>(run.isa);
  // One that is not here is found to differ.
  if (isa && node.has(*isa)) choose_isa(settings, *isa, node);
  for (const InputFile& file : run.input_files) wanted.inputs.push_back(file.path);
}

std::shared_ptr<Report> begin(const RunRequest& request, const Context& context) {
  auto report = std::make_shared<Report>(context, path_of(request));
  // What a job had begun and cannot continue stays, and it begins again next to it.
  claiming([&] { report->create(request.output.empty() || started_again()); });
  return report;
}

std::shared_ptr<Report> begin(const RunRequest& request, const Context& context,
                              std::vector<PlannedGroup>& groups) {
  std::filesystem::path path = path_of(request);
  if (request.resume.empty()) {
    const auto begun = path.empty() ? std::nullopt : begun_before(path, context);
    if (!begun) return begin(request, context);
    path = *begun;
  }
  auto report = std::make_shared<Report>(context, path);
  const std::size_t all = groups.size();
  claiming([&] { go_on(*report, context, groups); });
  if (task_rank() == 0 && !request.quiet) {
    tell(fmt::format("continuing {}: {} of {} groups are there", path.string(), all - groups.size(),
                     all));
  }
  return report;
}

std::shared_ptr<Report> begin(const RunRequest& request, Context context,
                              std::vector<Document>& executions) {
  context.run.executions = 0;
  context.run.executions_wanted = request.executions;
  if (request.resume.empty()) return begin(request, context);
  std::shared_ptr<Report> report;
  claiming([&] {
    WriteLock lock = lock_document(request.resume);
    const Document earlier = read_earlier(request.resume);
    executions = apart(earlier);
    report =
        std::make_shared<Report>(executions.empty() ? context : earlier.context, request.resume);
    report->go_on(std::move(lock), earlier, executions.size());
    const std::size_t there = earlier.context.run.executions.value_or(0);
    if (task_rank() == 0 && !request.quiet) {
      tell(fmt::format("continuing {}: {} of {} executions are there", request.resume, there,
                       request.executions));
    }
  });
  return report;
}

Ending finish(Report& report, const std::string& ended_by) {
  try {
    return {report.finish(ended_by), {}};
  } catch (const std::runtime_error& error) {
    std::error_code none;
    const auto folder = std::filesystem::temp_directory_path(none);
    try {
      report.move_to(folder);
      return {true, fmt::format("{}; the whole result file is in {}", error.what(),
                                report.path().string())};
    } catch (const std::runtime_error& again) {
      return {true, fmt::format("{}; {} either", error.what(), again.what())};
    }
  }
}

}  // namespace bench
