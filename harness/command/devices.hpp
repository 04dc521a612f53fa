// `bench --devices all`: each GPU of the node in turn, then all at once, and one result file of
// them.
#pragma once

#include <cstddef>

#include "harness/command/run.hpp"

namespace bench {

/// Measures everything on processors and the first GPU, then CUDA variants on the others, one after
/// the other, then on all at the same time: what they share, a bus, a host's memory, the power of
/// the node, shows there. Each in a process of its own. Cases on a GPU have `device=N` in their
/// names, those at the same time `together=N` too. Makes one result file of them, which is written
/// after each. Returns an exit code as execute() does.
int execute_on_devices(const RunRequest& request, const Session& session, std::size_t devices);

}  // namespace bench
