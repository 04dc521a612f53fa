// What this node and job add to what was asked for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/cuda/device.hpp"
#include "harness/node/machine.hpp"
#include "harness/plan/plan.hpp"

namespace bench {

/// What the command line is read against.
struct Abilities {
  bool has(simd::Isa isa) const;

  int job_threads = 1;
  int allowed_cpus = 1;
  std::vector<simd::Isa> isas{simd::Isa::baseline};  ///< the widest last
  bool in_job = false;                               ///< of Slurm
};

/// The abilities of this node and job.
Abilities abilities();

/// The node's share of the settings; `inputs` are the files of --input. Throws
/// std::invalid_argument for a file that is not an array.
void complete(Settings& settings, const std::vector<std::string>& inputs);

/// Whether this program has the variants of a backend.
bool is_built(const Backend& backend);
/// The models that it was built without.
std::vector<const Backend*> absent_models();

/// Whether there are cases that run on a device.
bool need_device(const std::vector<PlannedGroup>& groups);

/// The device, if the plan needs one; the settings then know it. Throws UsageError where there is
/// none of the number that was asked for.
std::unique_ptr<cuda::Device> open_device(const std::vector<PlannedGroup>& groups,
                                          Settings& settings);

/// What the result file says of the node; its threads are kept busy for a moment.
Machine machine_facts(const Settings& settings);

/// What the result file says of the GPU, or why there is none.
void add_gpu(Machine& machine, const cuda::Device* device);

}  // namespace bench
