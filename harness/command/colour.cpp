#include "harness/command/colour.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "harness/base/printable.hpp"

namespace bench {
namespace {

constexpr const char* end_code = "\033[0m";

const char* code_of(Style style) {
  switch (style) {
    case Style::failed:
      return "\033[31m";
    case Style::skipped:
      return "\033[2m";
    case Style::checked:
      return "\033[32m";
    case Style::warning:
      return "\033[33m";
    case Style::best:
      return "\033[1m";
    case Style::plain:
      break;
  }
  return "";
}

std::string in_colour(const std::string& line, Style style) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  return line.substr(0, begin) + code_of(style) + line.substr(begin) + end_code;
}

}  // namespace

bool colours_wanted(bool terminal, const std::function<const char*(const char*)>& environment) {
  const auto value = [&](const char* name) {
    const char* const text = environment(name);
    return std::string_view(text != nullptr ? text : "");
  };
  if (!value("NO_COLOR").empty()) return false;
  if (!value("CLICOLOR_FORCE").empty() && value("CLICOLOR_FORCE") != "0") return true;
  return terminal && !value("TERM").empty() && value("TERM") != "dumb";
}

std::string coloured(const StyledText& text) {
  std::string result;
  for (const StyledLines& lines : text) {
    const std::string shown = printable(lines.text, true);
    if (lines.style == Style::plain) {
      result += shown;
      continue;
    }
    std::istringstream stream(shown);
    for (std::string line; std::getline(stream, line);) {
      result += in_colour(line, lines.style) + "\n";
    }
  }
  return result;
}

std::string red(const std::string& text) { return in_colour(text, Style::failed); }

}  // namespace bench
