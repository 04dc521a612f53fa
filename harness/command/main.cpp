// The commands. Everything that can fail for the user's reasons ends here, as one line on stderr.

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "harness/base/json.hpp"
#include "harness/base/printable.hpp"
#include "harness/command/cli.hpp"
#include "harness/command/colour.hpp"
#include "harness/command/interrupt.hpp"
#include "harness/command/list.hpp"
#include "harness/command/merge_files.hpp"
#include "harness/command/next_step.hpp"
#include "harness/command/progress.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/terminal.hpp"
#include "harness/cuda/device.hpp"
#include "harness/document/context.hpp"
#include "harness/document/doctor.hpp"
#include "harness/document/find.hpp"
#include "harness/document/report.hpp"
#include "harness/document/resume.hpp"
#include "harness/measure/input_files.hpp"
#include "harness/measure/npy.hpp"
#include "harness/measure/plan.hpp"
#include "harness/measure/rounds.hpp"
#include "harness/measure/runner.hpp"
#include "harness/node/environment.hpp"
#include "harness/node/job.hpp"
#include "harness/node/nodelist.hpp"
#include "harness/nodes/compare.hpp"
#include "harness/nodes/survey.hpp"
#include "harness/tables/render.hpp"
#include "kernels/registry.hpp"

namespace {

using bench::Json;
using bench::print;

enum Exit { fine = 0, wrong = 1, usage = 2 };

/// The node's share of the settings: what the command line does not say.
void complete(bench::Request& request) {
  bench::Settings& settings = request.settings;
  settings.last_level_cache_bytes = bench::last_level_cache_bytes();
  settings.memory_allowance = [] { return bench::memory_allowance(); };
  settings.with_cuda = bench::cuda::built_with_cuda();
  if (!request.inputs.empty()) {
    settings.inputs = std::make_shared<const bench::InputFiles>(request.inputs);
  }
}

std::size_t count_status(const bench::Document& document, bench::Status status) {
  const auto& cases = document.cases;
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(),
                    [&](const bench::CaseRecord& one) { return one.status == status; }));
}

/// What a task says that prints no tables: how much it measured, and what is to be doubted.
std::string one_line(const bench::Document& document, const std::string& file) {
  const std::size_t measured = count_status(document, bench::Status::measured);
  std::string line = fmt::format("{}: {} measured, {} failed", document.context.run.node, measured,
                                 count_status(document, bench::Status::failed));
  const auto skipped = std::find_if(
      document.cases.begin(), document.cases.end(),
      [](const bench::CaseRecord& one) { return one.status == bench::Status::skipped; });
  if (skipped != document.cases.end()) {
    line += fmt::format(", {} skipped ({})", count_status(document, bench::Status::skipped),
                        skipped->reason.value_or("?"));
  }
  line += ", " + file;
  for (const std::string& warning : document.context.run.warnings) line += "; warning: " + warning;
  return line + "\n";
}

/// Text that a person reads: with colours on a terminal, and nothing else that one obeys.
void print_text(const std::string& text, const bench::ColourWords& words) {
  const std::string shown = bench::printable(text, true);
  print(bench::colours_wanted(isatty(STDOUT_FILENO) == 1) ? bench::coloured(shown, words) : shown);
}

/// What a finished run prints: the tables for one task, a line for each of the others.
void print_result(const bench::Request& request, const bench::Report& report,
                  const std::string& program) {
  const bench::Document document = report.document();
  if (request.quiet && request.format == bench::Format::text) return;
  const std::string file = report.path().string();
  if (request.format == bench::Format::json) {
    print(bench::serialised(written(document)) + "\n");
  } else if (bench::task_rank() != 0) {
    print_text(one_line(document, file), {});
  } else {
    bench::TableOptions options = request.table;
    options.width = bench::text_width(STDOUT_FILENO);
    print_text(bench::text_tables(document, options) +
                   fmt::format("\nresult file: {}\nnext: {}\n", file,
                               bench::next_step(document, file, bench::scripts_folder(), program)),
               bench::colour_words(request.table.language));
  }
}

/// True where progress may be shown: by one task, where it does not disturb what is wanted.
bool with_progress(const bench::Request& request) {
  return request.progress && !request.quiet && bench::task_rank() == 0;
}

/// The device, if the plan needs one.
std::unique_ptr<bench::cuda::Device> open_device(const std::vector<bench::PlannedGroup>& groups,
                                                 bench::Settings& settings) {
  const bool needed =
      std::any_of(groups.begin(), groups.end(), [](const bench::PlannedGroup& group) {
        return std::any_of(group.cases.begin(), group.cases.end(), [](const auto& planned) {
          return planned.identity.backend == bench::cuda_backend && planned.identity.status.empty();
        });
      });
  if (!needed) return nullptr;
  auto device = std::make_unique<bench::cuda::Device>(bench::local_rank());
  settings.device = device.get();
  bench::cuda::override_configuration(settings.cuda_launch);
  return device;
}

/// What the document says of the GPU, or why there is none.
void add_gpu(Json& machine, const bench::cuda::Device* device) {
  machine["gpu"] = device != nullptr ? device->facts() : Json(nullptr);
  machine["gpu_reason"] = nullptr;
  if (!bench::cuda::built_with_cuda()) {
    machine["gpu_reason"] = "built without CUDA";
  } else if (device == nullptr) {
    machine["gpu_reason"] = "no CUDA variant was asked for";
  } else if (!device->reason().empty()) {
    machine["gpu_reason"] = device->reason();
  }
}

struct Ending {
  bool first;             ///< nobody had concluded the document before
  std::string unwritten;  ///< what to tell the user where its file could not be written
};

/// Concludes the document. Where its file cannot be written any more, it goes to the folder for
/// temporary files.
Ending finish(bench::Report& report, const std::string& ended_by) {
  try {
    return {report.finish(ended_by), {}};
  } catch (const std::runtime_error& error) {
    std::error_code none;
    const auto folder = std::filesystem::temp_directory_path(none);
    try {
      report.move_to(folder);
      return {true,
              fmt::format("{}; the whole document is in {}", error.what(), report.path().string())};
    } catch (const std::runtime_error& again) {
      return {true, fmt::format("{}; {} either", error.what(), again.what())};
    }
  }
}

/// Reads the document that a run shall go on with.
bench::Document read_earlier(const std::string& file) {
  try {
    return bench::read_document(file);
  } catch (const bench::UsageError& error) {
    throw bench::UsageError(fmt::format("--resume: {}", error.what()));
  }
}

/// The first document that this run can go on with since Slurm started its job again, among the
/// file and those beside it that later runs of the step had to take; says why it cannot.
std::optional<std::filesystem::path> begun_before(const std::filesystem::path& path,
                                                  const bench::Context& context) {
  std::filesystem::path candidate = path;
  std::error_code none;  // what is wrong with the name is said when it is written
  for (int number = 2; std::filesystem::exists(candidate, none); ++number) {
    try {
      const bench::Context earlier = bench::read_document(candidate).context;
      if (bench::requeued(earlier, context)) {
        const bool same = earlier.run.argv == context.run.argv;
        const std::string why = same ? bench::obstacle(earlier, context) : "it had other options";
        if (why.empty()) return candidate;
        bench::tell(fmt::format("cannot go on with {}: {}", candidate.string(), why));
      }
    } catch (const std::exception& error) {
      bench::tell(fmt::format("cannot go on: {}", error.what()));
    }
    candidate = bench::numbered(path, number);
  }
  return {};
}

/// Goes on with the document of the report's path; of `groups` stays what it does not hold. Nobody
/// else writes it from before it is read.
void go_on(bench::Report& report, const bench::Context& context,
           std::vector<bench::PlannedGroup>& groups) {
  const std::filesystem::path path = report.path();
  bench::WriteLock lock = bench::lock_document(path);
  const bench::Document earlier = read_earlier(path);
  const std::string why = bench::obstacle(earlier.context, context);
  if (!why.empty()) {
    throw bench::UsageError(fmt::format("--resume {}: {}", path.string(), why));
  }
  const std::size_t all = groups.size();
  std::erase_if(groups, [&](const bench::PlannedGroup& group) {
    return bench::holds(earlier, group, path.string());
  });
  report.go_on(std::move(lock), earlier, all - groups.size());
}

/// Claims the file. `groups` is what shall be measured; in the end, what is left of it.
std::shared_ptr<bench::Report> begin(const bench::Request& request, const bench::Context& context,
                                     std::vector<bench::PlannedGroup>& groups) {
  const bool no_file = request.output == "-";
  const bool given = !request.output.empty() && !no_file;
  std::filesystem::path path;
  if (!request.resume.empty()) {
    path = request.resume;
  } else if (!no_file) {
    path = given ? bench::path_of_task(request.output) : bench::default_result_path();
  }
  bool resumed = !request.resume.empty();
  if (!resumed && !no_file) {
    if (const auto begun = begun_before(path, context)) {
      path = *begun;
      resumed = true;
    }
  }
  // Shared with the thread that waits for signals, which may outlive the run.
  auto report = std::make_shared<bench::Report>(context, path);
  try {
    if (resumed) {
      const std::size_t all = groups.size();
      go_on(*report, context, groups);
      if (bench::task_rank() == 0 && !request.quiet) {
        bench::tell(fmt::format("going on with {}: {} of {} groups are there", path.string(),
                                all - groups.size(), all));
      }
    } else {
      report->create(!given);
    }
  } catch (const std::runtime_error& error) {
    throw bench::UsageError(
        fmt::format("{} (--output FILE for another, - for none)", error.what()));
  }
  return report;
}

/// What would be measured, a line per group.
int dry_run(const std::vector<bench::PlannedGroup>& groups) {
  for (const bench::PlannedGroup& group : groups) {
    print(fmt::format("{} {} {}: {} cases, {:.3g} MB\n", group.workload, name_of(group.dtype),
                      group.size, group.cases.size(),
                      static_cast<double>(bench::bytes_needed(group)) / 1e6));
  }
  return fine;
}

int run(const bench::Request& request, const std::vector<std::string>& argv) {
  bench::Settings settings = request.settings;
  auto groups = bench::plan(kernels::registry(), settings);
  if (request.dry_run) return dry_run(groups);
  Json machine = bench::machine();
  const std::size_t all = groups.size();
  bench::block_interrupts();  // before the device's driver starts threads
  const auto device = open_device(groups, settings);
  add_gpu(machine, device.get());
  const auto report = begin(request, bench::make_context(settings, argv, machine), groups);
  const auto conclude = [request, report, all, program = argv.front()](const char* ended_by) {
    const bool complete = report->groups() == all;  // it was to be concluded anyway
    const auto [first, unwritten] = finish(*report, complete ? "" : ended_by);
    if (!first) return;
    std::fputs("\n", stderr);  // after a line of progress
    if (!unwritten.empty()) bench::complain(unwritten);
    if (report->groups() > 0 || request.output == "-") print_result(request, *report, program);
    const bool rest = request.output != "-" && !complete;
    bench::tell(fmt::format(
        "ended by {}: {} of {} groups finished{}", ended_by, report->groups(), all,
        rest ? "; go on with: bench --resume " + bench::shell_quoted(report->path().string())
             : ""));
  };
  bench::on_interrupt(conclude);
  const bench::UnlessDone guard([conclude] { conclude("exit()"); });

  bench::ProgressLine line(with_progress(request), bench::expected_shares(groups, settings),
                           all - groups.size());
  for (const bench::PlannedGroup& group : groups) {
    line.next_group();
    const bench::Group result = bench::measure(
        group, settings, [&](const std::string& what, double share) { line.show(what, share); });
    try {
      report->add(result);
    } catch (const std::runtime_error&) {
      // A full disk may have room again later; the result stays in memory until the last write.
    }
  }
  line.clear();
  const std::string unwritten = finish(*report, "").unwritten;
  print_result(request, *report, argv.front());
  if (!unwritten.empty()) throw std::runtime_error(unwritten);
  return count_status(report->document(), bench::Status::failed) > 0 ? wrong : fine;
}

/// The result of a case as a file for NumPy.
void write_result(const std::string& path, const bench::Problem& problem,
                  const bench::Arrays& arrays) {
  const bench::Extent& output = problem.output;
  const auto shape =
      problem.output_shape.empty() ? std::vector<std::size_t>{output.count} : problem.output_shape;
  bench::write_npy(path, output.element, shape, arrays.result);
}

/// --output-npy has room for one result.
void require_one_variant(const std::vector<bench::PlannedGroup>& groups) {
  std::set<std::string> results;
  for (const bench::PlannedGroup& group : groups) {
    for (const bench::PlannedCase& one : group.cases) {
      results.insert(one.identity.name.substr(0, one.identity.name.rfind('/')));  // either scope
    }
  }
  if (results.size() == 1) return;
  throw bench::UsageError(fmt::format(
      "--output-npy: {} results are selected, one can be written; name one variant and one size, "
      "e.g. energy/openmp/simd",
      results.size()));
}

void print_verdict(const bench::Case& one) {
  if (one.status == "verified") {
    print(fmt::format("ok       {}  (error {:.3g} {}, tolerance {:.3g})\n", one.name,
                      one.verdict->max_error, one.verdict->metric, one.verdict->tolerance));
    return;
  }
  const std::string line = fmt::format("{:8} {}: {}", one.status, one.name, one.reason);
  const bool colour = one.status == "failed" && bench::colours_wanted(isatty(STDOUT_FILENO) == 1);
  print((colour ? bench::red(line) : line) + "\n");
}

int verify(const bench::Request& request) {
  bool all_right = true;
  bench::Settings settings = request.settings;
  auto groups = bench::plan(kernels::registry(), settings);
  for (bench::PlannedGroup& group : groups) {
    // Nothing is compared here: only what the filter selects is checked.
    std::erase_if(group.cases, [](const auto& planned) { return planned.identity.reference; });
  }
  if (!request.output_npy.empty()) require_one_variant(groups);
  const auto device = open_device(groups, settings);
  bench::ProgressLine line(with_progress(request), bench::expected_shares(groups, settings));
  for (const bench::PlannedGroup& group : groups) {
    line.next_group();
    std::map<std::string, std::string> shown;
    const bench::Group result = bench::verify(
        group, settings,
        [&](const bench::Case& one, const bench::Problem& problem, const bench::Arrays& arrays) {
          shown[one.name] = problem.show(arrays, request.show);
          if (!request.output_npy.empty()) write_result(request.output_npy, problem, arrays);
        },
        [&](const std::string& what, double share) { line.show(what, share); });
    line.clear();
    for (const bench::Case& one : result.cases) {
      print_verdict(one);
      print(shown[one.name]);
      all_right = all_right && one.status != "failed";
    }
  }
  return all_right ? fine : wrong;
}

void print_tables(const bench::Request& request) {
  bench::TableOptions options = request.table;
  options.width = bench::text_width(STDOUT_FILENO);
  const std::string text =
      bench::tables(bench::read_for_tables(request.files, options), options, request.format);
  if (request.format != bench::Format::text) return print(text);
  print_text(text, bench::colour_words(request.table.language));
}

/// The nodes that should have left documents in these files' folders: jobs/submit writes them into
/// a file `nodelist`.
std::vector<std::string> nodes_of_folders(const std::vector<std::filesystem::path>& files,
                                          std::vector<std::string>& unreadable) {
  std::set<std::filesystem::path> lists;
  for (const std::filesystem::path& file : files) lists.insert(file.parent_path() / "nodelist");
  std::vector<std::string> nodes;
  for (const std::filesystem::path& list : lists) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(list, none)) continue;
    std::ifstream in(list);
    std::string text;
    std::getline(in, text);
    const std::vector<std::string> some = bench::expand_nodelist(text);
    if (some.empty()) unreadable.push_back(list.string() + ": is no list of nodes");
    nodes.insert(nodes.end(), some.begin(), some.end());
  }
  return nodes;
}

/// The documents of many nodes, read side by side. What cannot be read is named, unless the user
/// has named it.
bench::SurveyInput read_nodes(const bench::Request& request) {
  bench::SurveyInput input;
  const auto files = bench::find_documents(request.files, bench::Folders::with_surveys);
  std::vector<std::optional<bench::NodeRun>> runs(files.size());
  std::vector<std::string> reasons(files.size());
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      runs[i] = bench::node_run(bench::read_document(files[i], bench::Keep::no_samples),
                                files[i].string(), request.variants);
    } catch (const std::exception& error) {
      reasons[i] = error.what();
    }
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (runs[i]) {
      input.runs.push_back(std::move(*runs[i]));
      continue;
    }
    const auto& named = request.files;
    const bool wanted = std::find(named.begin(), named.end(), files[i].string()) != named.end();
    if (wanted) throw bench::UsageError(reasons[i]);
    input.unreadable.push_back(reasons[i]);
  }
  if (input.runs.empty()) throw bench::UsageError(reasons.at(0));
  if (request.nodes.empty()) input.nodes = nodes_of_folders(files, input.unreadable);
  return input;
}

int compare_nodes(const bench::Request& request) {
  bench::SurveyInput input = read_nodes(request);
  input.threshold = request.threshold;
  if (!request.nodes.empty()) input.nodes = bench::expand_nodelist(request.nodes);
  if (input.nodes.empty() && !request.nodes.empty()) {
    throw bench::UsageError(fmt::format(
        "--nodes {}: must be nodes as Slurm lists them, e.g. 'n[001-200],gpu1'", request.nodes));
  }
  input.with_expected = !request.expected.empty();
  if (input.with_expected) {
    for (const auto& file : bench::find_documents(request.expected)) {
      input.recorded.push_back(bench::node_run(bench::read_document(file, bench::Keep::no_samples),
                                               file.string(), request.variants));
    }
  }
  const bench::Survey survey = bench::survey(std::move(input));
  switch (request.format) {
    case bench::Format::text:
      print_text(bench::survey_text(survey), {});
      break;
    case bench::Format::csv:
      print(bench::survey_csv(survey));
      break;
    case bench::Format::json:
      print(bench::serialised(bench::survey_json(survey, request.force)) + "\n");
      break;
    default:  // no other one is accepted
      break;
  }
  return bench::exit_code(survey, request.force);
}

int compare(const bench::Request& request) {
  const bool folders = std::any_of(request.files.begin(), request.files.end(),
                                   [](const std::filesystem::path& path) {
                                     std::error_code none;
                                     return std::filesystem::is_directory(path, none);
                                   });
  const bool many_nodes = !request.nodes.empty() || !request.expected.empty();
  if (folders || many_nodes || request.files.size() > 2) return compare_nodes(request);
  if (request.files.size() < 2) {
    bench::read_document(
        request.files.at(0));  // what is wrong with it, rather than with the number
    throw bench::UsageError(
        "compare takes two documents, BEFORE.json AFTER.json, or a folder with one per node; or "
        "--expected with one of the same hardware");
  }
  if (request.format != bench::Format::text || !request.variants.empty()) {
    throw bench::UsageError(
        "--format and --variant are for many nodes: name a folder, more than two documents, or "
        "--nodes");
  }
  const bench::Document first = bench::read_document(request.files[0]);
  const bench::Document second = bench::read_document(request.files[1]);
  const bench::Comparisons comparisons = bench::compare(first, second, request.threshold);
  print_text(bench::text(comparisons, request.threshold), {});
  return bench::exit_code(comparisons, request.force);
}

/// What a measurement would find here, without one.
int doctor(const bench::Request& request, const std::vector<std::string>& argv) {
  Json machine = bench::machine();
  std::unique_ptr<bench::cuda::Device> device;
  if (bench::cuda::built_with_cuda())
    device = std::make_unique<bench::cuda::Device>(bench::local_rank());
  add_gpu(machine, device.get());
  bench::ColourWords words;
  words.warning = "doubt:";
  print_text(bench::doctor_report(written(bench::make_context(request.settings, argv, machine))),
             words);
  return fine;
}

int dispatch(const std::vector<std::string>& argv) {
  const std::string obstacle = bench::openmp_obstacle();
  if (!obstacle.empty()) throw bench::UsageError(obstacle);
  bench::Abilities abilities;
  abilities.job_threads = bench::job_threads();
  abilities.allowed_cpus = std::max(1, static_cast<int>(bench::allowed_cpus().size()));
  abilities.isas = bench::simd::available();
  bench::Request request = bench::parse({argv.begin() + 1, argv.end()}, abilities);
  if (!request.resume.empty()) {
    // The options are those of the run that is resumed; what is shown here and now is ours.
    const bench::Document earlier = read_earlier(request.resume);
    const bench::Request now = std::move(request);
    abilities.another_node = now.dry_run;
    request = bench::parse(bench::arguments_of(earlier, now.resume), abilities);
    if (request.command != bench::Command::run || !request.resume.empty()) {
      throw bench::UsageError(fmt::format("--resume {}: is no document of a run", now.resume));
    }
    request.resume = now.resume;
    request.output.clear();
    request.format = now.format;
    request.table = now.table;
    request.quiet = now.quiet;
    request.dry_run = now.dry_run;
    request.progress = now.progress;
  }
  omp_set_num_threads(abilities.job_threads);
  switch (request.command) {
    case bench::Command::help:
      print(request.help);
      return fine;
    case bench::Command::list:
      request.settings.with_cuda = bench::cuda::built_with_cuda();
      print(bench::list(kernels::registry(), request.settings, bench::text_width(STDOUT_FILENO)));
      return fine;
    case bench::Command::table:
      print_tables(request);
      return fine;
    case bench::Command::merge:
      print(bench::merge_files(request.files, request.output, request.format));
      return fine;
    case bench::Command::compare:
      return compare(request);
    case bench::Command::doctor:
    case bench::Command::verify:
    case bench::Command::run:
      break;
  }
  complete(request);
  if (request.command == bench::Command::doctor) return doctor(request, argv);
  return request.command == bench::Command::verify ? verify(request) : run(request, argv);
}

}  // namespace

int main(int argc, char** argv) {
  bench::ignore_engine_variables(argv);
  bench::open_standard_streams();
  try {
    const int code = dispatch({argv, argv + argc});
    print("");  // whatever is still in the buffer
    return code;
  } catch (const std::invalid_argument& error) {  // bench::UsageError among them
    bench::complain(error.what());
    return usage;
  } catch (const std::exception& error) {
    bench::complain(error.what());
    return wrong;
  }
}
