#include "harness/command/python.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/command/commands.hpp"
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
  const auto all = all_commands();
  return std::any_of(all.begin(), all.end(),
                     [&](const CommandFacts& one) { return one.in_python && one.name == name; });
}

bool has_python_packages() {
  const std::string package = python_package();
  return !package.empty() && answer_of({python(), package, "--able", "report"}) == "report";
}

void run_in_python(char** argv) {
  std::string package = python_package();
  if (package.empty()) {
    throw UsageError(
        fmt::format("{}: the Python package bench_hpc is not next to this program; "
                    "cmake --install build --prefix FOLDER installs both",
                    argv[1]));
  }
  std::string program = python();
  const char* const home = std::getenv("PYTHONHOME");
  if (home != nullptr && answer_of({program, "-c", "print(1)"}).empty()) {
    throw UsageError(
        fmt::format("{}: {} does not start with PYTHONHOME={}: unset it", argv[1], program, home));
  }
  setenv("BENCH_BINARY", this_program().c_str(), 0);
  std::vector<char*> words{program.data(), package.data()};
  for (char** word = argv + 1; *word != nullptr; ++word) words.push_back(*word);
  words.push_back(nullptr);
  execvp(program.c_str(), words.data());
  throw UsageError(
      fmt::format("{}: {}: {}; set BENCH_PYTHON to Python 3.9 or newer, or module load python",
                  argv[1], program, std::strerror(errno)));
}

}  // namespace bench
