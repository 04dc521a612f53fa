#include "harness/command/colour.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "harness/tables/phrases.hpp"

namespace bench {
namespace {

constexpr const char* red_code = "\033[31m";
constexpr const char* yellow_code = "\033[33m";
constexpr const char* bold_code = "\033[1m";
constexpr const char* dim_code = "\033[2m";
constexpr const char* end_code = "\033[0m";

/// Indentation stays as it is: colour begins with the text.
std::string in_colour(const std::string& code, const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(0, begin) + code + text.substr(begin) + end_code;
}

/// The number in the last column of a row; also with a decimal comma.
std::optional<double> last_number(const std::string& line) {
  std::string word = line.substr(line.find_last_of(' ') + 1);
  std::replace(word.begin(), word.end(), ',', '.');
  double value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

/// A label and, after some blanks, its cells; sentences have no two blanks in a row.
bool row(const std::string& line) {
  return line.size() > 2 && line.starts_with("  ") && line[2] != ' ' &&
         line.find("  ", 2) != std::string::npos;
}

std::string code_of(const std::string& line, const ColourWords& words) {
  const auto holds = [&](const std::string& word) {
    return !word.empty() && row(line) && line.find("  " + word) != std::string::npos;
  };
  if (!words.warning.empty() && line.starts_with(words.warning)) return yellow_code;
  if (holds(words.failed)) return red_code;
  const bool several =
      !words.folded.empty() && row(line) && line.find(words.folded) != std::string::npos;
  return several || holds(words.skipped) ? dim_code : "";
}

/// The lines of best rows: with the greatest last number below each heading that ends with that
/// word.
/// Equal ones are all the best; a library's, marked ‡, is none of ours.
std::vector<bool> best_rows(const std::vector<std::string>& lines, const ColourWords& words) {
  std::vector<bool> result(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (words.best.empty() || !lines[i].ends_with(words.best)) continue;
    double greatest = 0;
    std::vector<std::size_t> found;
    for (std::size_t j = i + 1; j < lines.size() && !lines[j].empty(); ++j) {
      const bool measured = row(lines[j]) && code_of(lines[j], words).empty();
      const auto number = measured ? last_number(lines[j]) : std::nullopt;
      if (!number || *number < greatest || lines[j].find("‡") != std::string::npos) continue;
      if (*number > greatest) found.clear();
      greatest = *number;
      found.push_back(j);
    }
    for (const std::size_t j : found) result[j] = true;
  }
  return result;
}

/// A phrase as it stands on the terminal.
template <class... Texts>
std::string plain(Language language, const Phrase& phrase, const Texts&... texts) {
  return with_plain_blanks(say(language, phrase, texts...));
}

}  // namespace

ColourWords colour_words(Language language) {
  const std::string warning = plain(language, phrases::warning, "");
  return {plain(language, phrases::because, phrases::failed.in(language), ""),
          plain(language, phrases::because, phrases::skipped.in(language), ""),
          warning.substr(0, warning.find_last_not_of(' ') + 1),
          plain(language, phrases::folded, "", ""), plain(language, phrases::over_best)};
}

ColourWords doubt_words(Language language) {
  ColourWords words;
  words.warning = plain(language, phrases::because, phrases::doubt.in(language), "");
  return words;
}

bool colours_wanted(bool terminal, const std::function<const char*(const char*)>& environment) {
  const auto value = [&](const char* name) {
    const char* const text = environment(name);
    return std::string_view(text != nullptr ? text : "");
  };
  if (!value("NO_COLOR").empty()) return false;
  if (!value("CLICOLOR_FORCE").empty() && value("CLICOLOR_FORCE") != "0") return true;
  return terminal && !value("TERM").empty() && value("TERM") != "dumb";
}

std::string coloured(const std::string& text, const ColourWords& words) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  const std::vector<bool> best = best_rows(lines, words);

  std::string result;
  std::string code;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool goes_on = lines[i].starts_with("   ");  // of a reason or warning
    if (!goes_on) code = best[i] ? bold_code : code_of(lines[i], words);
    result += code.empty() ? lines[i] : in_colour(code, lines[i]);
    if (i + 1 < lines.size() || text.ends_with('\n')) result += '\n';
  }
  return result;
}

std::string red(const std::string& text) { return in_colour(red_code, text); }

}  // namespace bench
