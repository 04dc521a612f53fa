// Result documents as they come back from disk: from other people and machines, cut off, or worse.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bench {

/// A document that tables and comparisons can use as it is: everything that they read is there and
/// of the right kind. Throws UsageError, one line that names the file and what is wrong with it.
nlohmann::ordered_json read_document(const std::filesystem::path& file);

/// The same for text; `name` stands for the file in messages.
nlohmann::ordered_json parse_document(std::string_view text, const std::string& name);

}  // namespace bench
