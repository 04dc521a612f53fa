#include "harness/command/execution.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/signals.hpp"
#include "harness/guests/child.hpp"
#include "harness/guests/folder.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/own_environment.hpp"

namespace bench {
namespace {

/// Its value is as long as chance will have it: the stack begins below the environment.
constexpr const char* variable = "BENCH_EXECUTION";

class WithVariable {
 public:
  WithVariable() {
    constexpr unsigned most = 4096;
    setenv(variable, std::string(1 + std::random_device()() % most, '.').c_str(), 1);
  }
  ~WithVariable() { unsetenv(variable); }
  WithVariable(const WithVariable&) = delete;
  WithVariable& operator=(const WithVariable&) = delete;
};

pid_t start(std::vector<std::string> argv, const std::string& output, const std::string& messages) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  constexpr int writing = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), writing, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, messages.c_str(), writing, 0600);
  posix_spawnattr_t with;
  posix_spawnattr_init(&with);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setflags(&with, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&with, &none);
  std::vector<char*> words;
  for (std::string& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  std::error_code missing;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", missing);
  pid_t child = -1;
  const WithVariable with_variable;
  give_up_own_places();
  const Unbound unbound;
  const int why = posix_spawn(&child, program.c_str(), &files, &with, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&with);
  if (why == 0) return child;
  throw std::runtime_error(
      fmt::format("cannot start {} again: {}", argv.front(), std::generic_category().message(why)));
}

/// Sleeps until the child has ended. What should end this process ends the child, which writes what
/// it has; the signal is returned.
std::optional<int> wait_for(pid_t child) {
  sigset_t awaited = ending_signals();
  sigaddset(&awaited, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
  std::optional<int> ending;
  while (waitpid(child, nullptr, WNOHANG) == 0) {
    int signal = 0;
    if (sigwait(&awaited, &signal) != 0 || signal == SIGCHLD) continue;
    ending = signal;
    kill(child, signal);
  }
  return ending;
}

std::string text_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

bool one_of_several() { return std::getenv(variable) != nullptr; }

RunRequest of_execution(RunRequest request) {
  unsetenv(variable);  // whoever is started from here is no execution
  Settings& settings = request.wanted.settings;
  const std::size_t each =
      std::max(Settings::min_samples, Settings::most_samples / request.executions);
  settings.max_samples = std::min(settings.max_samples, each);
  request.executions = 1;
  request.output = "-";
  request.format = Format::json;
  request.progress = false;
  request.judge = nullptr;
  return request;
}

Execution execute_again(const std::vector<std::string>& argv) {
  const guests::Folder folder("no further execution");
  const std::string output = folder.path / "document.json";
  const std::string messages = folder.path / "messages";
  const auto signal = wait_for(start(argv, output, messages));
  try {
    return {read_document(output), signal};
  } catch (const UsageError&) {
    if (signal) return {std::nullopt, signal};
    const std::string last = guests::last_line(text_of(messages));
    throw std::runtime_error("an execution left no document: " + (last.empty() ? "?" : last));
  }
}

}  // namespace bench
