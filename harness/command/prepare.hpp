// A run that is ready: what was asked for, and what this node, its GPU and the user kernels add.
#pragma once

#include <memory>
#include <vector>

#include "harness/command/execution.hpp"
#include "harness/command/run_request.hpp"
#include "harness/command/session.hpp"
#include "harness/cuda/device.hpp"
#include "harness/document/context.hpp"
#include "harness/plan/plan.hpp"

namespace bench {

struct Prepared {
  RunRequest request;                ///< as it was asked for: here, again, or of an execution
  Settings settings;                 ///< the same with the node's share
  std::vector<PlannedGroup> groups;  ///< empty where the executions plan
  std::vector<Part> parts;           ///< each is measured by a process; empty: all by this one
  std::unique_ptr<cuda::Device> device;
  Context context;
  bool all_usable = true;  ///< false where a user kernel cannot be used
};

/// Asks the user kernels, plans, and opens the device, once. Throws UsageError. A run that is only
/// to be planned (dry_run) opens no device and has no context.
Prepared prepare(RunRequest request, const Session& session);

}  // namespace bench
