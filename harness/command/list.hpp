// `bench list`: workloads, their variants, sizes.
#pragma once

#include "harness/command/selection.hpp"
#include "harness/command/session.hpp"
#include "harness/tables/render.hpp"

namespace bench {

struct ListRequest {
  Selection selection;
  bool all = false;  ///< the variants of every workload
  Format format = Format::text;
  Language language = Language::en;  ///< of the ideas
};

void add_options(CLI::App& app, ListRequest& request);

/// Prints a line per workload; or, of those that are selected, sizes and variants with the idea of
/// each. Throws std::invalid_argument where a filter selects nothing.
int execute(const ListRequest& request, const Session& session);

}  // namespace bench
