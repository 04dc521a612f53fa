// Doubts about a measurement on this node, each with its remedy.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bench {

/// What a reader of the document should know before believing its numbers, from its context
/// (`build`, `run`, `machine`, `slurm`). Missing facts raise no doubt.
std::vector<std::string> doubts(const nlohmann::ordered_json& context);

/// What to do about others that work here: a job can ask for the node, nobody else can.
std::string how_to_be_alone(const nlohmann::ordered_json& context);

}  // namespace bench
