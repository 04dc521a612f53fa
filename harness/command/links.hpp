// `bench links`: copies to GPUs, from GPU to GPU and from node to node, and which is slow.
#pragma once

#include <string>

#include "harness/command/session.hpp"
#include "harness/tables/render.hpp"

namespace bench {

struct LinksRequest {
  double threshold_percent = 10;
  double timeout = 300;  ///< seconds that MPI may take
  bool alone = false;    ///< without the other processes of the job
  std::string output = "none";
  Format format = Format::text;
};

void add_options(CLI::App& app, LinksRequest& request);

/// Exit::slower where a link is slow, Exit::unclear where there are fewer than three of each kind.
int execute(const LinksRequest& request, const Session& session);

}  // namespace bench
