#include "harness/command/verify.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "harness/base/error.hpp"
#include "harness/base/text.hpp"
#include "harness/command/colour.hpp"
#include "harness/command/effect.hpp"
#include "harness/command/guests.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/progress.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/document/report.hpp"
#include "harness/measure/runner.hpp"
#include "harness/node/job.hpp"
#include "harness/plan/npy.hpp"
#include "harness/tables/columns.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

/// A folder's name ends with a slash.
bool names_folder(const std::filesystem::path& path) { return !path.has_filename(); }

/// Before anything is computed: nothing is overwritten.
void expect_new(std::filesystem::path path) {
  constexpr const char* option = "--output-npy";
  std::error_code none;
  if (names_folder(path)) path = path.parent_path();
  if (std::filesystem::exists(path, none)) throw UsageError(exists_already(path, option));
  const auto folder = std::filesystem::absolute(path).parent_path() / ".";
  if (access(folder.c_str(), W_OK) == 0) return;
  throw UsageError(
      fmt::format("{} {}: cannot be written: {}", option, path.string(), std::strerror(errno)));
}

/// The result of a case as a file for NumPy, or in a new folder, together with the inputs.
void write_arrays(std::filesystem::path path, const Case& one, const Problem& problem,
                  const Arrays& arrays) {
  const ArraySpec& output = problem.output;
  const auto shape =
      problem.output_shape.empty() ? std::vector<std::size_t>{output.count} : problem.output_shape;
  if (names_folder(path)) {
    std::filesystem::create_directory(path);
    for (std::size_t i = 0; i < arrays.inputs.size(); ++i) {
      write_npy(path / fmt::format("input_{}.npy", i + 1), problem.inputs[i].element,
                problem.shape_of_input(i, one.shape), arrays.inputs[i]);
    }
    path /= "result.npy";
  }
  write_npy(path, output.element, shape, arrays.result);
}

/// --output-npy has room for one result.
void require_one_variant(const std::vector<PlannedGroup>& groups) {
  std::set<std::string> results;
  for (const PlannedGroup& group : groups) {
    for (const PlannedCase& one : group.cases) {
      const Case& of = one.identity;
      results.insert(case_name(of.workload, of.backend, of.variant, of.dtype, of.size,
                               Scope::kernel,  // whatever the scope
                               of.parameters, of.beside));
    }
  }
  if (results.size() == 1) return;
  throw UsageError(
      fmt::format("--output-npy: {} results are selected, one can be written; name one variant and "
                  "one size, e.g. energy/openmp/simd",
                  results.size()));
}

void print_verdict(const Case& one, Language language) {
  if (!one.status) {
    const std::string error =
        fmt::format("{} {}", figure(one.verdict->max_error, 3), one.verdict->metric);
    print(fmt::format("ok       {}  ({}){}\n", one.name,
                      say(language, phrases::error_and_tolerance, localised(error, language),
                          localised(figure(one.verdict->tolerance, 3), language)),
                      one.unchecked.empty() ? "" : ": " + translated(one.unchecked, language)));
    return;
  }
  const std::string line = fmt::format("{:8} {}: {}", status_text(*one.status, language), one.name,
                                       translated(one.reason, language));
  const bool colour = one.status == Status::failed && colours_wanted(isatty(STDOUT_FILENO) == 1);
  print((colour ? red(line) : line) + "\n");
}

}  // namespace

void add_options(CLI::App& app, VerifyRequest& request, const Abilities& node) {
  begin_group(app, option_group::checked);
  add_filters(app, request.wanted.settings);
  add_guests(app, request.wanted.settings);
  add_selection(app, request.wanted, node, option_group::checked);
  leave_out(app, {"--no-baseline"});  // nothing is compared
  begin_group(app, option_group::output);
  add_count(app, "--show", request.show, {0, 1'000'000'000},
            "print the first N results of each variant", "0");
  add_text(app, "--output-npy", request.output_npy,
           "write the result of the one selected variant, to load it in NumPy; to FOLDER/, with "
           "its inputs",
           "FILE");
  add_language(app, request.language);
  add_no_progress(app, request.progress);
  finally(app, [&request] { check(request.wanted); });
}

int execute(VerifyRequest request, const Session& session) {
  Settings& settings = request.wanted.settings;
  if (!request.output_npy.empty()) expect_new(request.output_npy);
  complete(settings, request.wanted.inputs);
  bool all_right =
      invite_guests(settings, session.suite, false, request.progress && task_rank() == 0);
  auto groups = plan(session.suite.workloads, settings);
  refuse_without_effect(settings, session.suite);
  // Planned without a device: the caches, which larger arrays leave, do not matter here.
  const auto device = open_device(groups, settings);
  for (PlannedGroup& group : groups) {
    // Nothing is compared here: only what the filter selects is checked.
    std::erase_if(group.cases, [](const auto& planned) { return planned.identity.reference; });
  }
  if (!request.output_npy.empty()) require_one_variant(groups);
  ProgressLine line(request.progress && task_rank() == 0, expected_shares(groups, settings));
  for (const PlannedGroup& group : groups) {
    line.next_group();
    std::map<std::string, std::string> shown;
    const Group result = verify(
        group, settings,
        [&](const Case& one, const Problem& problem, const Arrays& arrays) {
          shown[one.name] = problem.show(arrays, request.show);
          if (!request.output_npy.empty()) write_arrays(request.output_npy, one, problem, arrays);
        },
        [&](const std::string& what, double share) { line.show(what, share); });
    line.clear();
    for (const Case& one : result.cases) {
      print_verdict(one, request.language);
      print(shown[one.name]);
      all_right = all_right && one.status != Status::failed;
    }
  }
  return all_right ? Exit::fine : Exit::wrong;
}

}  // namespace bench
