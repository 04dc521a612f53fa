// `bench --devices all` and `--sockets all`: each GPU, or socket, of the node in turn, then all at
// once, and one result file of them.
#pragma once

#include <vector>

#include "harness/command/execution.hpp"
#include "harness/command/run_result.hpp"
#include "harness/command/session.hpp"

namespace bench {

/// The GPUs or sockets of this node that --devices or --sockets divide it into; empty where there
/// are not several, and the run is an ordinary one. `on_device`: it needs a GPU.
std::vector<Part> parts_of(Settings& settings, bool on_device, bool quiet);

/// Measures everything on processors and the first GPU, then CUDA variants on the others, one after
/// the other, then on all at the same time: what they share, a bus, a host's memory, the power of
/// the node, shows there. Parts that are sockets: the same with variants on processors, each with
/// the CPUs of its socket, and so its memory. Each in a process of its own. Cases on a part have
/// `device=N` or `socket=N` in their names, those at the same time `together=N` too. Makes one
/// result file of them, which is written after each.
Measured measure_parts(const std::vector<Part>& parts, const RunRequest& request,
                       const Context& context, const Session& session);

}  // namespace bench
