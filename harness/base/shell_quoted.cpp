#include "harness/base/shell_quoted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "harness/base/printable.hpp"

namespace bench {
namespace {

/// The word as Bash, Zsh and newer shells read it: $'a\012b'.
std::string in_octal(const std::string& word) {
  std::string quoted = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= ' ' && byte < 0x7F && c != '\'' && c != '\\';
    quoted += plain ? std::string(1, c) : fmt::format("\\{:03o}", byte);
  }
  return quoted + "'";
}

}  // namespace

std::string shell_quoted(const std::string& word) {
  const bool plain = !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-+=/.,:@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain) return word;
  if (printable(word) != word) return in_octal(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shown_name(const std::string& file) {
  return printable(file) == file ? file : shell_quoted(file);
}

}  // namespace bench
