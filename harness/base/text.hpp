// Text on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bench {

/// Terms, and what is said of each.
using DefinitionList = std::vector<std::pair<std::string, std::string>>;

/// True where a text begins as Windows' editors and PowerShell save it: with a mark of UTF-16.
inline bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

/// Columns of a terminal that UTF-8 text takes, every character counted as one.
std::size_t columns(const std::string& text);

/// Breaks text at blanks so that lines have at most `width` columns. The first line begins at
/// column `start`, further lines are indented.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t start = 0);

/// Two columns, the second one wrapped. `first`: the least width of the first one.
std::string two_columns(const DefinitionList& rows, std::size_t width, std::size_t first = 0);

/// The width of the first column that has room for all but the longest of them.
std::size_t first_column(const DefinitionList& rows);

/// `digits` significant digits, or all before the point, without an exponent but for what is
/// very large or very small: 0.0123, 1.5, 140.
std::string figure(double value, int digits);

/// `20 s`, `12 min`, `1.5 h`
std::string rough_duration(double seconds);

}  // namespace bench
