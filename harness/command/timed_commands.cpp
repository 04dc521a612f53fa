#include "harness/command/timed_commands.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <random>

#include "harness/base/clock.hpp"
#include "harness/base/error.hpp"
#include "harness/base/signals.hpp"
#include "harness/node/spawn.hpp"

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
  const Stopwatch watch;
  const pid_t child = spawn("/bin/sh", {"sh", "-c", command}, "/dev/null", "/dev/null");
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
