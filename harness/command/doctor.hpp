// `bench doctor`: what this node and job offer, and what may be wrong with it.
#pragma once

#include "harness/command/session.hpp"
#include "harness/command/this_node.hpp"
#include "harness/tables/render.hpp"

namespace bench {

struct DoctorRequest {
  Settings settings;  ///< of a run without options
  Format format = Format::text;
  Language language = Language::en;
};

void add_options(CLI::App& app, DoctorRequest& request, const Abilities& node);

/// What a measurement would find here, without one.
int execute(DoctorRequest request, const Session& session);

}  // namespace bench
