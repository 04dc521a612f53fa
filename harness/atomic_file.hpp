#pragma once

#include <filesystem>
#include <string>

namespace bench {

/// Writes a new file so that it appears complete or not at all. Returns false where the file exists
/// already, which then stays as it is. Makes missing folders. Throws std::runtime_error, naming the
/// file and the system's reason, when it cannot be written.
bool create_file(const std::filesystem::path& path, const std::string& text);

/// The same for a file that may exist: readers see the old or the new text, never a mixture.
void replace_file(const std::filesystem::path& path, const std::string& text);

}  // namespace bench
