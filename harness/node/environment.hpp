#pragma once

// What a result file says about the node and the job: facts that are read without root and
// without failing. Whatever cannot be read, or makes no sense, is null (or empty); no function
// here reports an error.

#include <optional>
#include <string>

#include "harness/node/host.hpp"
#include "harness/node/machine.hpp"
#include "harness/node/slurm.hpp"

namespace bench {

/// The node as Slurm names it (SLURMD_NODENAME), else the host name up to its first dot. Valid
/// UTF-8, never empty.
std::string node_name(const Host& host = {});

/// The node, but for what is seen only at work, and of the GPU.
Machine machine(const Host& host = {});

/// The job; nothing outside of Slurm.
std::optional<Slurm> slurm(const Host& host = {});

}  // namespace bench
