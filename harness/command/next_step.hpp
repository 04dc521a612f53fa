#pragma once

#include <filesystem>
#include <string>

#include "harness/document/document.hpp"

namespace bench {

/// The command that a user may want next, after the run that wrote this result file into `file`:
/// what failed comes first, then what the run was made for. Commands of the Python package are
/// named only where it is. `typed` is what this one was called by.
std::string next_step(const Document& document, const std::filesystem::path& file, bool has_package,
                      const std::string& typed);

}  // namespace bench
