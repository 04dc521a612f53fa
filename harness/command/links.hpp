// `bench links`: copies to GPUs, from GPU to GPU and from node to node, and which is slow.
#pragma once

#include <string>
#include <vector>

#include "harness/command/session.hpp"
#include "harness/node/link.hpp"
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

/// The copies of this process's GPUs, timed in a process of its own: what uses a GPU is gone
/// afterwards. Throws std::runtime_error where that takes longer than `patience` seconds.
std::vector<LinkTimes> links_of_gpus(double patience);

}  // namespace bench
