// The result files of many nodes, from files and folders.
#pragma once

#include <string>
#include <vector>

#include "harness/compare/node_comparison.hpp"

namespace bench {

/// The runs in files or folders, read side by side. What cannot be read is named among the
/// unreadable, unless the user has named it: then it is a UsageError. `nodes`, as Slurm lists them,
/// should be there; where that is empty, those of the jobs that wrote into the folders. `variants`
/// as in node_run(). `keep`: times, or medians where nothing is compared.
NodeComparisonInput read_nodes(const std::vector<std::string>& paths, const std::string& nodes,
                               const std::vector<std::string>& variants, Keep keep = Keep::times);

/// Recorded runs of the same hardware. What cannot be read is a line of `unreadable`, or a
/// UsageError without it.
std::vector<NodeRun> read_expected(const std::vector<std::string>& paths,
                                   const std::vector<std::string>& variants,
                                   std::vector<std::string>* unreadable = nullptr);

/// The surveys in the folders of a folder that began before the first of these runs did, in their
/// order. Throws UsageError where there is none.
std::vector<Survey> read_history(const std::string& folder, const std::vector<NodeRun>& now);

}  // namespace bench
