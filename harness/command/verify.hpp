// `bench verify`: every variant against the reference result, no timing.
#pragma once

#include <cstddef>
#include <string>

#include "harness/command/selection.hpp"
#include "harness/command/session.hpp"
#include "harness/words/language.hpp"

namespace bench {

struct VerifyRequest {
  Wanted wanted;
  std::size_t show = 0;    ///< results to print of each variant
  std::string output_npy;  ///< where the result of the one variant goes
  Language language = Language::en;
  bool progress = true;
};

void add_options(CLI::App& app, VerifyRequest& request, const Abilities& node);

/// Exit::wrong where a variant failed.
int execute(VerifyRequest request, const Session& session);

}  // namespace bench
