#pragma once

#include <string>

namespace bench {

/// A word as a shell reads it back. Nothing in it moves a cursor.
std::string shell_quoted(const std::string& word);

}  // namespace bench
