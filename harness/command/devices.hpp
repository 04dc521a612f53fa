// `bench --devices all` and `--sockets all`: each GPU, or socket, of the node in turn, then all at
// once, and one result file of them.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/command/run_request.hpp"
#include "harness/command/session.hpp"
#include "harness/node/topology.hpp"

namespace bench {

/// Measures everything on processors and the first GPU, then CUDA variants on the others, one after
/// the other, then on all at the same time: what they share, a bus, a host's memory, the power of
/// the node, shows there. Each in a process of its own. Cases on a GPU have `device=N` in their
/// names, those at the same time `together=N` too. Makes one result file of them, which is written
/// after each. Returns an exit code as execute() does.
int execute_on_devices(const RunRequest& request, const Session& session, std::size_t devices);

/// The sockets of the node that this process has CPUs of, and only those CPUs.
std::vector<Topology::Socket> own_sockets();

/// The same with variants on processors: each execution has the CPUs of its socket, and so its
/// memory. All cases have `socket=N` in their names.
int execute_on_sockets(const RunRequest& request, const Session& session,
                       const std::vector<Topology::Socket>& sockets);

}  // namespace bench
