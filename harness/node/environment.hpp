#pragma once

// What a result document says about the node and the job: facts that are read without root and
// without failing. Whatever cannot be read, or makes no sense, is null (or empty); no function
// here reports an error.

#include <string>

#include "harness/base/json.hpp"
#include "harness/node/host.hpp"

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

/// The job: null outside Slurm, else an object whose keys are always the same. A value is the
/// string that Slurm gave, even where it is a number (the same variable may hold "4" or "4(x2)"),
/// and null if unset. Account, user, QOS and job name are private and left out.
Json slurm(const Host& host = {});

}  // namespace bench
