#include "harness/command/try.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "harness/base/atomic_file.hpp"
#include "harness/base/printable.hpp"
#include "harness/base/shell_quoted.hpp"
#include "harness/base/suggest.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/streams.hpp"
#include "harness/guests/translate.hpp"

namespace bench {
namespace {

/// What is C serves for C++, too.
std::string starter_kind(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension();
  if (extension == ".cpp" || extension == ".cc" || extension == ".cxx") return ".c";
  return extension;
}

/// A starter for AMD's GPUs from that in CUDA: below its comment, the header that hipcc needs.
std::string in_hip(const std::string& cuda) {
  std::string text = guests::in_words_of_hip(cuda);
  const std::size_t end = text.find("\n\n");
  return text.insert(end + 2, "#include <hip/hip_runtime.h>\n\n");
}

std::string starter(const std::string& workload, const std::string& file, const Suite& suite) {
  std::vector<std::string> workloads;
  for (const Workload* const one : suite.workloads) workloads.emplace_back(one->name);
  bool known = false;
  for (const Starter& one : suite.starters) {
    if (one.workload != workload) continue;
    known = true;
    if (one.extension == starter_kind(file)) return std::string(one.text);
    const bool hip = guests::dialect_of(file) == guests::Dialect::hip && one.extension == ".cu";
    if (hip) return in_hip(std::string(one.text));
  }
  if (known) refuse("--new", file, "must end in .cpp, .c, .cu, .hip or .py");
  refuse("--new", workload,
         fmt::format("is not a workload{}; 'bench list' shows all",
                     did_you_mean(workload, workloads)));
}

/// Before a minute is spent on the others.
void refuse_workloads(const std::vector<std::string>& files, const Suite& suite) {
  std::error_code none;
  for (const std::string& file : files) {
    const bool is_workload = workload_named(suite.workloads, file.substr(0, file.find('/')));
    if (!is_workload || std::filesystem::exists(file, none)) continue;
    throw UsageError(fmt::format(
        "{}: is a workload, not a file; bench try measures the workload that each file computes",
        file));
  }
}

}  // namespace

void add_options(CLI::App& app, TryRequest& request, const Abilities& node) {
  request.run.tries = true;
  begin_group(app, option_group::what);
  add_files(app, "FILE", request.run.wanted.settings.guests,
            "user kernels: .cpp, .c, .cu, .hip, .so, .py or executables");
  add_text(app, "--new", request.new_workload, "write FILE, a starter that computes this workload",
           "WORKLOAD");
  add_measuring(app, request.run, node);
}

int execute(TryRequest request, const Session& session) {
  if (request.new_workload.empty()) {
    refuse_workloads(request.run.wanted.settings.guests, session.suite);
    return execute(std::move(request.run), session);
  }
  const auto& files = request.run.wanted.settings.guests;
  if (files.size() != 1) refuse("--new", request.new_workload, "name one file to be written");
  const std::string& file = files.front();
  const std::string text = starter(request.new_workload, file, session.suite);
  try {
    if (!create_file(file, std::string(text))) {
      refuse("--new", file, "is there already: name another file");
    }
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("--new: {}", error.what()));
  }
  print(fmt::format("{}: a naive {} kernel, ready to edit\nnext: {} try {}\n", printable(file),
                    request.new_workload, session.argv.front(), shell_quoted(file)));
  return Exit::fine;
}

}  // namespace bench
