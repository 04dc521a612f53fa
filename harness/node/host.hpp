// Where facts about the node are read.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/node/cpus.hpp"
#include "harness/node/topology.hpp"

struct perf_event_attr;

namespace bench {

/// How a counter of the processor is opened, for a thread and in the group of another one (−1:
/// none): a file, or minus the number of the error.
using OpenEvent = std::function<int(perf_event_attr& attributes, int thread, int group)>;

/// Asks the kernel.
int open_event(perf_event_attr& attributes, int thread, int group);

/// The names of all environment variables of this process.
std::vector<std::string> environment_names();

/// The soft limit of a resource (RLIMIT_…) of this process; nothing where there is none.
std::optional<std::size_t> resource_limit(int resource);

/// The NUMA nodes that a policy (numactl --membind) binds this process's memory to; empty where
/// none does.
std::vector<int> memory_policy_nodes();

/// The default is this node; tests give their own.
struct Host {
  /// What stands for "/".
  std::filesystem::path root = "/";
  /// The value of an environment variable, nullptr if it is not set.
  std::function<const char*(const char*)> env = std::getenv;
  /// The names of the variables that are set, for those known by a prefix only (OMP_*).
  std::function<std::vector<std::string>()> env_names = environment_names;
  /// The CPUs that this process may use, ascending.
  std::function<std::vector<int>()> cpus = allowed_cpus;
  /// How the node is built.
  std::function<Topology()> topology = this_topology;
  /// The limits of this process.
  std::function<std::optional<std::size_t>(int)> limit = resource_limit;
  OpenEvent open_event = bench::open_event;
  /// Where a policy binds its memory.
  std::function<std::vector<int>()> policy_nodes = memory_policy_nodes;
};

}  // namespace bench
