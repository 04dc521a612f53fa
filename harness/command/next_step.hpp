#pragma once

#include <filesystem>
#include <string>

#include "harness/document/document.hpp"

namespace bench {

/// The command that a user may want next, after the run that wrote this result file into `file`:
/// what failed comes first, then what the run was made for. Scripts are named only where they are,
/// in the folder `scripts`. `typed` is what this one was called by.
std::string next_step(const Document& document, const std::filesystem::path& file,
                      const std::filesystem::path& scripts, const std::string& typed);

/// The folder `scripts` of the checkout that this program was built in; it need not exist.
std::filesystem::path scripts_folder();

/// A word as a shell reads it back.
std::string shell_quoted(const std::string& word);

}  // namespace bench
