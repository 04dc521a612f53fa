// Facts in the small text files of /proc and /sys. Whatever makes no sense is nothing.
#pragma once

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace bench {

using Text = std::optional<std::string>;

/// A file without its surrounding blanks, its beginning only where it is enormous; nothing if it
/// cannot be read or is empty.
Text text_in(const std::filesystem::path& file);

/// The pieces of a text, without empty ones.
std::vector<std::string> split(const Text& text, char separator);

/// The value in the first line of the form "key: value"; nothing if there is none or it is empty.
Text field(const Text& text, std::string_view key, char separator = ':');

/// The word in brackets of "always [madvise] never".
Text chosen(const Text& text);

/// "48K" or "24684092 kB" in bytes. Nothing for the enormous numbers that mean "no limit".
std::optional<std::size_t> bytes(const Text& text);

/// The whole text as a number.
template <class Number>
std::optional<Number> number(const Text& text) {
  if (!text) return {};
  Number value{};
  const char* end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data(), end, value);
  return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

std::string upper_case(std::string text);

}  // namespace bench
