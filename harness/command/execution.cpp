#include "harness/command/execution.hpp"

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "harness/base/clock.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/signals.hpp"
#include "harness/command/session.hpp"
#include "harness/command/streams.hpp"
#include "harness/guests/child.hpp"
#include "harness/guests/folder.hpp"
#include "harness/node/own_environment.hpp"
#include "harness/node/spawn.hpp"

namespace bench {
namespace {

/// Its value begins with the process that started it, and is as long as chance will have it: the
/// stack begins below the environment.
constexpr const char* variable = "BENCH_EXECUTION";
/// The part of the node that an execution measures: `device 2/8` is the one on the third of eight
/// at the same time.
constexpr const char* part_variable = "BENCH_ON_PART";

class WithVariables {
 public:
  explicit WithVariables(const std::optional<Part>& part) {
    constexpr unsigned most = 4096;
    const std::string padding(1 + std::random_device()() % most, '.');
    setenv(variable, (std::to_string(getpid()) + padding).c_str(), 1);
    if (!part) return;
    const auto text = fmt::format("{} {}/{}", part->kind, part->number, part->together);
    setenv(part_variable, text.c_str(), 1);
  }
  ~WithVariables() {
    unsetenv(variable);
    unsetenv(part_variable);
  }
  WithVariables(const WithVariables&) = delete;
  WithVariables& operator=(const WithVariables&) = delete;
};

/// What the process that started this one has said; it is said only once.
std::optional<Part> taken_part() {
  const char* const text = std::getenv(part_variable);
  if (text == nullptr) return {};
  Part part;
  std::istringstream stream(text);
  char slash = 0;
  stream >> part.kind >> part.number >> slash >> part.together;
  unsetenv(part_variable);
  return part;
}

pid_t start(const std::vector<std::string>& argv, const std::optional<Part>& part,
            const std::string& output, const std::string& messages) {
  const WithVariables with_variables(part);
  // It touches its memory first, which is then that of its socket.
  return spawn(this_program(), argv, output, messages, part ? part->cpus : std::vector<int>());
}

/// Throws what an execution has said last as UsageError, and says what it has said before.
[[noreturn]] void refuse_as(const std::string& messages) {
  constexpr std::string_view name = "bench: ";
  std::istringstream stream(messages);
  std::string last;
  for (std::string line; std::getline(stream, line); last = std::move(line)) {
    if (!last.empty()) complain(last);
    if (line.starts_with(name)) line.erase(0, name.size());
  }
  throw UsageError(last);
}

/// A process whose files go with it.
class Running {
 public:
  Running(const std::vector<std::string>& argv, const std::optional<Part>& part)
      : process_(start(argv, part, output_, messages_)) {}

  bool ended() {
    ended_ = ended_ || waitpid(process_, &status_, WNOHANG) != 0;
    return ended_;
  }
  void send(int signal) {
    if (!ended()) kill(process_, signal);
  }

  std::string printed() const { return whole_file(output_); }

  /// The result of one that has ended. `signal`: what ended it, if anything.
  Execution result(std::optional<int> signal) const {
    try {
      return {read_document(output_), signal};
    } catch (const UsageError&) {
      if (signal) return {std::nullopt, signal};
      const bool refused = WIFEXITED(status_) && WEXITSTATUS(status_) == Exit::usage;
      if (refused) refuse_as(whole_file(messages_));
      const std::string last = guests::last_line(whole_file(messages_));
      throw std::runtime_error("an execution left no result file: " + (last.empty() ? "?" : last));
    }
  }

 private:
  guests::Folder folder_{"no further execution"};
  std::string output_ = folder_.path / "document.json";
  std::string messages_ = folder_.path / "messages";
  pid_t process_;
  bool ended_ = false;
  int status_ = 0;
};

using AllRunning = std::vector<std::unique_ptr<Running>>;

/// Sleeps until all have ended. What should end this process ends them, which write what they have;
/// the signal is returned.
std::optional<int> wait_for(const AllRunning& all) {
  sigset_t awaited = ending_signals();
  sigaddset(&awaited, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
  std::optional<int> ending;
  const auto ended = [](const auto& one) { return one->ended(); };
  while (!std::all_of(all.begin(), all.end(), ended)) {
    // Another thread of this process, which ignores it, may get the SIGCHLD that we wait for.
    constexpr timespec for_a_moment{0, 100'000'000};
    const int signal = sigtimedwait(&awaited, nullptr, &for_a_moment);
    if (signal < 0 || signal == SIGCHLD) continue;
    ending = signal;
    for (const auto& one : all) one->send(signal);
  }
  return ending;
}

}  // namespace

bool one_of_several() { return std::getenv(variable) != nullptr; }

void end_with_parent() {
  const char* const parent = std::getenv(variable);
  if (parent == nullptr) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (std::atoi(parent) != getppid()) std::_Exit(Exit::wrong);  // it ended before we asked
}

RunRequest of_execution(RunRequest request) {
  unsetenv(variable);  // a program started from here is not an execution
  Settings& settings = request.wanted.settings;
  const std::size_t each =
      std::max(Settings::min_samples, Settings::most_samples / request.executions);
  settings.max_samples = std::min(settings.max_samples, each);
  if (settings.budget) settings.budget->seconds /= static_cast<double>(request.executions);
  request.executions = 1;
  request.output = "-";
  request.format = Format::json;
  request.progress = false;
  if (const auto part = taken_part()) {
    settings.of_part[part->kind] = std::to_string(part->number);
    if (settings.budget) settings.budget->seconds /= 2;  // for the two turns of a short run
    const bool alone = part->together == 1;
    if (!alone) settings.of_part[together_parameter] = std::to_string(part->together);
    settings.on_gpu = part->kind == device_parameter;
    if (settings.on_gpu) {
      settings.gpu_number = part->number;
      // CPU variants are measured once, with the first GPU.
      settings.on_processors = part->number == 0 && alone;
    }
  }
  return request;
}

Execution execute_again(const std::vector<std::string>& argv) {
  return std::move(execute_again(argv, {std::nullopt}).front());
}

std::vector<Execution> execute_again(const std::vector<std::string>& argv,
                                     const std::vector<std::optional<Part>>& parts) {
  AllRunning all;
  try {
    for (const auto& part : parts) all.push_back(std::make_unique<Running>(argv, part));
  } catch (const std::exception&) {
    for (const auto& one : all) one->send(SIGTERM);
    throw;
  }
  const auto signal = wait_for(all);
  std::vector<Execution> results;
  results.reserve(all.size());
  for (const auto& one : all) results.push_back(one->result(signal));
  return results;
}

std::string printed_by(const std::vector<std::string>& argv, double patience) {
  constexpr useconds_t for_a_moment = 10'000;
  const Stopwatch watch;
  Running one(argv, std::nullopt);
  while (!one.ended()) {
    if (watch.seconds() > patience) {
      one.send(SIGKILL);
      throw std::runtime_error(fmt::format("no answer within {:.0f} s", patience));
    }
    usleep(for_a_moment);
  }
  return one.printed();
}

}  // namespace bench
