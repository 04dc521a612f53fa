// `bench table`: the tables of result files, in any format.
#pragma once

#include <string>
#include <vector>

#include "harness/command/session.hpp"
#include "harness/tables/render.hpp"

namespace bench {

struct TableRequest {
  std::vector<std::string> files;  ///< or folders
  TableOptions options;
  Format format = Format::text;
};

void add_options(CLI::App& app, TableRequest& request);

int execute(TableRequest request, const Session& session);

}  // namespace bench
