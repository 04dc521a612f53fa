#include "harness/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>

#include "harness/base/utf8.hpp"

namespace bench {
namespace {

/// The place where a word that is too long may be cut: after a slash or comma.
std::size_t cut(const std::string& word, std::size_t room) {
  const std::size_t found = word.find_last_of("/,", std::max<std::size_t>(room, 1) - 1);
  return columns(word) <= room || found == std::string::npos ? word.size() : found + 1;
}

}  // namespace

std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), std::not_fn(continues_character)));
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t start) {
  std::istringstream words(text);
  std::string lines;
  std::string word;
  std::size_t column = start;
  const std::size_t room = width > indent ? width - indent : 1;
  while (words >> word) {
    if (!lines.empty() && column + 1 + columns(word) > width) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!lines.empty()) {
      lines += ' ';
      ++column;
    }
    for (std::size_t end = cut(word, room); end < word.size(); end = cut(word, room)) {
      lines += word.substr(0, end) + "\n" + std::string(indent, ' ');
      column = indent;
      word.erase(0, end);
    }
    lines += word;
    column += columns(word);
  }
  return lines;
}

std::size_t first_column(const DefinitionList& rows) {
  constexpr std::size_t widest = 32;
  std::size_t first = 0;
  for (const auto& [left, right] : rows) {
    if (columns(left) <= widest) first = std::max(first, columns(left));
  }
  return first;
}

std::string two_columns(const DefinitionList& rows, std::size_t width, std::size_t first) {
  first = std::max(first, first_column(rows));
  const std::size_t indent = first + 4;
  std::string text;
  for (const auto& [left, right] : rows) {
    std::string line = "  " + left;
    // A text that is too long for its column has a line of its own.
    if (columns(left) > first) {
      text += line + "\n";
      line.clear();
    }
    line.append(indent - columns(line), ' ');
    text += line + wrapped(right, width, indent, indent) + "\n";
  }
  return text;
}

std::string figure(double value, int digits) {
  std::string text = fmt::format("{:.{}g}", value, digits);
  constexpr double large = 1e9;
  if (text.find("e+") == std::string::npos || std::abs(value) >= large) return text;
  return fmt::format("{:.0f}", value);
}

std::string rough_duration(double seconds) {
  constexpr double minute = 60;
  constexpr double hour = 3600;
  if (seconds < 9.5) return fmt::format("{:.1f} s", seconds);
  if (seconds < 57.5) return fmt::format("{:.0f} s", seconds);
  if (seconds < 1.5 * hour) return fmt::format("{:.0f} min", seconds / minute);
  return fmt::format("{:.1f} h", seconds / hour);
}

}  // namespace bench
