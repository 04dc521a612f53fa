#include "harness/command/python.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "harness/base/error.hpp"
#include "harness/command/command.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/guests/compilation.hpp"
#include "harness/node/own_environment.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

/// build/bench is in the source tree, PREFIX/bin/bench in an installation.
fs::path prefix() { return this_program().parent_path().parent_path(); }

/// The one that the user names, that of the virtual environment of this program, or the shell's.
std::string python() {
  const char* const named = std::getenv("BENCH_PYTHON");
  if (named != nullptr && *named != '\0') return named;
  std::error_code none;
  return fs::exists(prefix() / "pyvenv.cfg", none) ? prefix() / "bin" / "python3" : "python3";
}

/// The last line that it prints; nothing where it cannot start, or fails.
std::string answer_of(const std::vector<std::string>& command) {
  try {
    return guests::output_of(command);
  } catch (const std::runtime_error&) {
    return "";
  }
}

}  // namespace

fs::path python_package() {
  for (const char* const folder : {"scripts/bench_hpc", "share/bench/python/bench_hpc"}) {
    std::error_code none;
    if (fs::exists(prefix() / folder, none)) return prefix() / folder;
  }
  return {};
}

bool is_python_command(const std::string& name) {
  const Command* const one = command_named(name);
  return one != nullptr && one->declare == declared<PythonRequest>;
}

bool has_python_packages() {
  const std::string package = python_package();
  return !package.empty() && answer_of({python(), package, "--able", "report"}) == "report";
}

void add_options(CLI::App& app, PythonRequest& request) { add_files(app, "FILE", request.unread); }

int execute(const PythonRequest& /*request*/, const Session& session) {
  std::vector<std::string> words = session.argv;
  const std::string command = words.at(1);
  const std::string package = python_package();
  if (package.empty()) {
    throw UsageError(
        fmt::format("{}: the Python package bench_hpc is not next to this program; "
                    "cmake --install build --prefix FOLDER installs both",
                    command));
  }
  const std::string program = python();
  const char* const home = std::getenv("PYTHONHOME");
  if (home != nullptr && answer_of({program, "-c", "print(1)"}).empty()) {
    throw UsageError(
        fmt::format("{}: {} does not start with PYTHONHOME={}: unset it", command, program, home));
  }
  setenv("BENCH_BINARY", this_program().c_str(), 0);
  words.front() = package;
  words.insert(words.begin(), program);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(program.c_str(), argv.data());
  throw UsageError(
      fmt::format("{}: {}: {}; set BENCH_PYTHON to Python 3.9 or newer, or module load python",
                  command, program, std::strerror(errno)));
}

}  // namespace bench
