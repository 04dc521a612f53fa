// Text on a terminal.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

/// Columns of a terminal that UTF-8 text takes, every character counted as one.
std::size_t columns(const std::string& text);

/// Breaks text at blanks so that lines have at most `width` columns. The first line begins at
/// column `start`, further lines are indented.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t start = 0);

}  // namespace bench
