#include "harness/command/timed_commands.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <numeric>
#include <random>
#include <system_error>

#include "harness/base/clock.hpp"
#include "harness/base/error.hpp"
#include "harness/base/signals.hpp"

namespace bench {
namespace {

struct Ran {
  double seconds = 0;
  double processor = 0;
};

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

std::string how_it_ended(int status) {
  return WIFSIGNALED(status) ? fmt::format("ended by {}", name_of_signal(WTERMSIG(status)))
                             : fmt::format("ended with status {}", WEXITSTATUS(status));
}

Ran run_once(const std::string& command) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string words[] = {"sh", "-c", command};
  char* const argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = -1;
  const Stopwatch watch;
  const int why = posix_spawn(&child, "/bin/sh", &files, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  if (why != 0) {
    throw UsageError(
        fmt::format("{}: cannot be started: {}", command, std::generic_category().message(why)));
  }
  int status = 0;
  rusage use{};
  while (wait4(child, &status, 0, &use) < 0 && errno == EINTR) {
  }
  const double seconds = watch.seconds();
  if (status != 0) {
    throw UsageError(
        fmt::format("{}: {}; run it by itself to see why", command, how_it_ended(status)));
  }
  return {seconds, seconds_of(use.ru_utime) + seconds_of(use.ru_stime)};
}

}  // namespace

std::vector<VersionTimes> timed_commands(
    const std::vector<std::string>& commands,
    const std::function<bool(const std::vector<VersionTimes>&)>& enough) {
  for (const std::string& one : commands) run_once(one);
  std::vector<VersionTimes> times(commands.size());
  std::vector<std::size_t> order(commands.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(std::random_device{}());
  do {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      const Ran ran = run_once(commands[i]);
      times[i].seconds.push_back(ran.seconds);
      times[i].processor.push_back(ran.processor);
    }
  } while (!enough(times));
  return times;
}

}  // namespace bench
