#pragma once

#include <string>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/document/document.hpp"
#include "harness/node/host.hpp"
#include "harness/plan/plan.hpp"

namespace bench {

/// The result file's context: Google Benchmark's own flat keys, then `run`, `build`, `machine`,
/// `slurm`. Everything that a reader needs to refuse a bad comparison.
Context make_context(const Planning& settings, const std::vector<std::string>& argv,
                     const Machine& machine, const Host& host = {});

}  // namespace bench
