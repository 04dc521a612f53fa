#pragma once

// What a result document says about the node and the job: facts that are read without root and
// without failing. Whatever cannot be read, or makes no sense, is null (or empty); no function
// here reports an error.

#include <optional>
#include <string>

#include "harness/base/json.hpp"
#include "harness/node/host.hpp"
#include "harness/node/slurm.hpp"

namespace bench {

/// The node as Slurm names it (SLURMD_NODENAME), else the host name up to its first dot. Valid
/// UTF-8, never empty.
std::string node_name(const Host& host = {});

/// The node: an object whose keys are always the same and null where unknown. Sizes in bytes,
/// frequencies in MHz. "omp" holds the OpenMP variables that are set, but for those with which this
/// program binds its threads; "loaded_modules" is null where there are no environment modules.
/// "allowed_core_cpus" has the CPUs of each core that the process may use, "memory_nodes" the NUMA
/// nodes that its memory may come from. "cpu_quota" is what the cgroups allow of the time of the
/// CPUs: 0.5 is as much as half a CPU has. "energy" and "counters" say what can be told beside
/// time, or their reasons why not.
Json machine(const Host& host = {});

/// The job; nothing outside of Slurm.
std::optional<Slurm> slurm(const Host& host = {});

}  // namespace bench
