// `bench merge`: one result file of several runs of a node.
#pragma once

#include <string>
#include <vector>

#include "harness/command/session.hpp"
#include "harness/tables/render.hpp"

namespace bench {

struct MergeRequest {
  std::vector<std::string> files;  ///< or folders
  std::string output;              ///< a new file, or a folder; empty: stdout
  Format format = Format::text;
};

void add_options(CLI::App& app, MergeRequest& request);

/// Joins result files. Returns what goes to stdout: the one result file; with a file (*.json) or a
/// folder as output, which gets a result file for each group of files that belong together, a line
/// for each file written, `FILE: PART, PART`, or a list of {file, of} in JSON. No existing file is
/// overwritten: in a folder with others a free name is taken. Throws UsageError where one result
/// file is wanted and files do not belong together, and where one cannot be read or written.
std::string merged(const MergeRequest& request);

int execute(const MergeRequest& request, const Session& session);

}  // namespace bench
