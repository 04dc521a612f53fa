#include "harness/node/core_times.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <map>

#include "harness/node/preemption.hpp"

namespace bench {
namespace {

constexpr std::size_t rounds = 16;
constexpr double steps = 5e5;  // of eight cycles or so

double thread_seconds() { return seconds_by(CLOCK_THREAD_CPUTIME_ID).value_or(0); }

/// Each step waits for the one before: only the clock of the core decides.
double worked(double count) {
  volatile double kept = 0.5;  // no compiler knows what comes out
  const double begin = thread_seconds();
  double x = kept;
  for (auto left = static_cast<long>(count); left > 0; --left) x = x * 0.999999 + 1e-6;
  kept = x;
  return thread_seconds() - begin;
}

int socket_of(int cpu, const Topology& topology) {
  for (const Topology::Socket& one : topology.sockets) {
    if (std::find(one.cpus.begin(), one.cpus.end(), cpu) != one.cpus.end()) return one.number;
  }
  return 0;
}

std::size_t threads_of(int cpu, const Topology& topology) {
  for (const std::vector<int>& core : topology.cores) {
    if (std::find(core.begin(), core.end(), cpu) != core.end()) return core.size();
  }
  return 1;
}

struct Sample {
  int cpu = -1;  ///< -1: it went elsewhere meanwhile
  double seconds = 0;
};

}  // namespace

std::vector<CoreTime> core_times(const Topology& topology, double planted) {
  using Samples = std::array<Sample, rounds>;
  // A thread that needs memory of its own would be given much more than that.
  std::vector<Samples> of_threads(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel num_threads(static_cast <int>(of_threads.size()))
  for (std::size_t round = 0; round < rounds; ++round) {
#pragma omp barrier
    const int thread = omp_get_thread_num();
    const int cpu = sched_getcpu();
    const double seconds = worked(steps * (thread == 0 ? planted : 1));
    of_threads[static_cast<std::size_t>(thread)][round] = {cpu == sched_getcpu() ? cpu : -1,
                                                           seconds};
  }
  std::map<int, double> quickest;
  for (const Samples& samples : of_threads) {
    for (const Sample& one : samples) {
      if (one.cpu < 0) continue;
      const auto [known, is_new] = quickest.emplace(one.cpu, one.seconds);
      if (!is_new) known->second = std::min(known->second, one.seconds);
    }
  }
  std::vector<CoreTime> all;
  for (const auto& [cpu, seconds] : quickest) {
    all.push_back({cpu, socket_of(cpu, topology), threads_of(cpu, topology), seconds});
  }
  return all;
}

void keep_quicker(std::vector<CoreTime>& of_all, const std::vector<CoreTime>& of_now) {
  if (of_all.empty()) of_all = of_now;
  for (CoreTime& core : of_all) {
    for (const CoreTime& now : of_now) {
      if (now.cpu == core.cpu) core.seconds = std::min(core.seconds, now.seconds);
    }
  }
}

}  // namespace bench
