// Going on with a run that ended early: its finished groups stay, the others are measured.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/plan.hpp"

namespace bench {

/// Why a run with `context` cannot go on with the document `earlier`: another node, another build,
/// other settings. Empty if it can.
std::string obstacle(const nlohmann::ordered_json& earlier, const nlohmann::ordered_json& context);

/// True where the document holds every case of the group, false where it holds none. Groups are
/// written whole: throws UsageError, naming `file`, where it holds some.
bool holds(const nlohmann::ordered_json& earlier, const PlannedGroup& group,
           const std::string& file);

/// True where Slurm has started the job of `context` again since it wrote `earlier`.
bool requeued(const nlohmann::ordered_json& earlier, const nlohmann::ordered_json& context);

/// The command line that began the run, without the program. Throws UsageError, naming `file`, if
/// the document does not say.
std::vector<std::string> arguments_of(const nlohmann::ordered_json& earlier,
                                      const std::string& file);

}  // namespace bench
