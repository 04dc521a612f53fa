#pragma once

// What a result document says about the node and the job: facts that are read without root and
// without failing. Whatever cannot be read, or makes no sense, is null (or empty); no function
// here reports an error.

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// The CPUs that this process was given when it started, ascending; empty if unknown.
///
/// Not the mask of the calling thread: an OpenMP runtime told to bind (OMP_PROC_BIND) pins the main
/// thread to one place before main() begins.
std::vector<int> allowed_cpus();

/// The CPUs that the calling thread may run on now, ascending; empty if unknown.
std::vector<int> cpus_of_thread();

/// The names of all environment variables of this process.
std::vector<std::string> environment_names();

/// The soft limit of a resource (RLIMIT_…) of this process; nothing where there is none.
std::optional<std::size_t> resource_limit(int resource);

/// Where facts about the node are read. The default is this node; tests give their own.
struct Host {
  /// What stands for "/".
  std::filesystem::path root = "/";
  /// The value of an environment variable, nullptr if it is not set.
  std::function<const char*(const char*)> env = std::getenv;
  /// The names of the variables that are set, for those known by a prefix only (OMP_*).
  std::function<std::vector<std::string>()> env_names = environment_names;
  /// The CPUs that this process may use, ascending.
  std::function<std::vector<int>()> cpus = allowed_cpus;
  /// The limits of this process.
  std::function<std::optional<std::size_t>(int)> limit = resource_limit;
};

/// How much more memory this process may take now.
struct MemoryAllowance {
  std::size_t bytes = 0;
  std::string limited_by;  ///< what sets it, in words for the user
};

/// The smallest of what is free on the node, what the job's cgroups leave (versions 1 and 2, at all
/// levels; page cache that the kernel would give back counts as free), and the limits of the
/// process (ulimit -v and -d); nothing where none of them is known.
std::optional<MemoryAllowance> memory_allowance(const Host& host = {});

/// One kind of cache of the node.
struct Cache {
  int level = 0;          ///< 1, 2, 3, …
  std::string type;       ///< "Data", "Instruction" or "Unified"
  std::size_t bytes = 0;  ///< of one instance
  int shared_by = 0;      ///< logical CPUs that share one instance
  int instances = 0;      ///< on the whole node, whatever this process may use
};

/// The caches of the node by level and type; empty if unknown.
std::vector<Cache> caches(const Host& host = {});

/// The last-level cache within reach of this process, in bytes: the sum over the instances that
/// belong to its CPUs. 0 if unknown.
std::size_t last_level_cache_bytes(const Host& host = {});

/// CPU numbers in the kernel's notation: {8, 0, 1, 2, 3} is "0-3,8".
std::string cpu_list(std::vector<int> cpus);

/// The numbers in such a list, ascending; empty where any part of it is rubbish.
std::vector<int> cpus_in(const std::string& list);

/// The node as Slurm names it (SLURMD_NODENAME), else the host name up to its first dot. Valid
/// UTF-8, never empty.
std::string node_name(const Host& host = {});

/// The node: an object whose keys are always the same and null where unknown. Sizes in bytes,
/// frequencies in MHz. "omp" holds the OpenMP variables that are set; "loaded_modules" is null
/// where there are no environment modules. "cpu_quota" is what the cgroups allow of the time of the
/// CPUs: 0.5 is as much as half a CPU has.
nlohmann::ordered_json machine(const Host& host = {});

/// The job: null outside Slurm, else an object whose keys are always the same. A value is the
/// string that Slurm gave, even where it is a number (the same variable may hold "4" or "4(x2)"),
/// and null if unset. Account, user, QOS and job name are private and left out.
nlohmann::ordered_json slurm(const Host& host = {});

}  // namespace bench
