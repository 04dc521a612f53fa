// `bench list`: workloads, their variants, sizes.
#pragma once

#include "harness/command/selection.hpp"
#include "harness/command/session.hpp"

namespace bench {

struct ListRequest {
  Selection selection;
};

void add_options(CLI::App& app, ListRequest& request);

/// Prints the workloads that the filters select, their sizes, and their variants with the idea of
/// each. Throws std::invalid_argument where a filter selects nothing.
int execute(const ListRequest& request, const Session& session);

}  // namespace bench
