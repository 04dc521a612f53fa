// What is in user files.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace bench::guests {

/// Texts by their names in a folder, such as `sums/warp.cuh`.
using Texts = std::map<std::filesystem::path, std::string>;

/// A source and what it includes of its own folder, in quotation marks, and what that includes.
Texts with_own_headers(const std::filesystem::path& source);

}  // namespace bench::guests
