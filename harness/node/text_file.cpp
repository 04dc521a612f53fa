#include "harness/node/text_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>

namespace bench {
namespace {

std::string trim(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blank) - first + 1));
}

}  // namespace

Text text_in(const std::filesystem::path& file) {
  constexpr std::size_t most = 1 << 20;
  std::error_code error;
  // Opening a pipe could block for ever.
  if (!std::filesystem::is_regular_file(file, error)) return {};
  std::ifstream in(file, std::ios::binary);
  std::string text;
  std::array<char, 4096> chunk{};
  while (in && text.size() < most) {
    in.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
  }
  text = trim(text);
  return text.empty() ? Text{} : text;
}

std::vector<std::string> split(const Text& text, char separator) {
  std::vector<std::string> pieces;
  std::istringstream in(text.value_or(""));
  for (std::string piece; std::getline(in, piece, separator);) {
    if (!piece.empty()) pieces.push_back(piece);
  }
  return pieces;
}

Text field(const Text& text, std::string_view key, char separator) {
  for (const std::string& line : split(text, '\n')) {
    const std::size_t end = line.find(separator);
    if (end == std::string::npos || trim(line.substr(0, end)) != key) continue;
    const std::string value = trim(line.substr(end + 1));
    return value.empty() ? Text{} : value;
  }
  return {};
}

Text chosen(const Text& text) {
  const std::size_t open = text ? text->find('[') : std::string::npos;
  const std::size_t close = text ? text->find(']') : std::string::npos;
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return text->substr(open + 1, close - open - 1);
}

std::optional<std::size_t> bytes(const Text& text) {
  if (!text) return {};
  const std::size_t digits = std::min(text->find_first_not_of("0123456789"), text->size());
  const auto value = number<std::uint64_t>(text->substr(0, digits));
  const std::string unit = trim(text->substr(digits));
  const std::size_t power = unit.empty() ? 0 : std::string_view("_KMG").find(upper_case(unit)[0]);
  if (!value || power > 3) return {};
  const bool sensible = *value < std::uint64_t{1} << (60 - 10 * power);
  return sensible ? std::optional(*value << (10 * power)) : std::nullopt;
}

std::string upper_case(std::string text) {
  for (char& letter : text) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return text;
}

}  // namespace bench
