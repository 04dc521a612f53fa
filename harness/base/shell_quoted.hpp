#pragma once

#include <string>

namespace bench {

/// A word as a shell reads it back. Nothing in it moves a cursor.
std::string shell_quoted(const std::string& word);

/// The name of a file on a line: as it is, or quoted where a terminal would not show it.
std::string shown_name(const std::string& file);

}  // namespace bench
