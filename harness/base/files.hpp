// Files as a whole.
#pragma once

#include <filesystem>
#include <string>

struct stat;

namespace bench {

/// All bytes of a file; none where it cannot be read.
std::string whole_file(const std::filesystem::path& file);

/// Whether no other user can have written into what this describes.
bool is_ours_alone(const struct stat& state);

}  // namespace bench
