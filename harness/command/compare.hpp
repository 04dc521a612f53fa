// `bench compare`: two runs, or many nodes.
#pragma once

#include <string>
#include <vector>

#include "harness/command/session.hpp"
#include "harness/tables/render.hpp"

namespace bench {

struct CompareRequest {
  std::vector<std::string> files;     ///< or folders
  double threshold_percent = 5;       ///< change that matters
  bool force = false;                 ///< also what is not comparable
  std::vector<std::string> variants;  ///< nodes: columns of their own
  std::vector<std::string> expected;  ///< nodes: recorded runs, files or folders
  std::vector<std::string> before;    ///< nodes: an earlier survey, files or folders
  std::string history;                ///< nodes: a folder of earlier surveys, one in each folder
  std::string nodes;                  ///< nodes that should be there, as Slurm lists them
  std::string output;                 ///< nodes: a folder for the tables in all formats
  Format format = Format::text;
  Language language = Language::en;
};

void add_options(CLI::App& app, CompareRequest& request);

/// The exit codes of compare/run_comparison.hpp and compare/node_comparison.hpp.
int execute(const CompareRequest& request, const Session& session);

}  // namespace bench
