// Messages between the processes of a job, by the MPI that the job has loaded.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/node/link.hpp"

namespace bench::guests {

/// How many processes the launcher has started, by its variables: those of Open MPI, MPICH and
/// Slurm. 1 where nobody says.
std::size_t processes_of_job();

/// Whether a compiler of MPI is found: mpicc, or what MPICC names.
bool has_mpicc();

/// What the first process of a job knows in the end.
struct Fabric {
  std::size_t processes = 0;
  std::vector<LinkTimes> links;  ///< between them, and all that each has measured itself
};

/// Compiles fabric.c with it and runs it as this process of the job, for
/// `node`, which has measured `own`. Each process has to call it. A process is named by its node,
/// with a number where that has several: n07:1. Nothing in all processes but the first one. Throws
/// RunError where MPI fails, or has no answer within `patience` seconds.
std::optional<Fabric> node_links(const std::string& node, const std::vector<LinkTimes>& own,
                                 double patience);

/// Gives the devices of a node its name: `GPU 3 of n07`.
void name_by_node(std::vector<LinkTimes>& own, const std::string& node);

}  // namespace bench::guests
