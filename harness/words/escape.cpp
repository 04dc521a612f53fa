#include "harness/words/escape.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string_view>

#include "harness/base/utf8.hpp"

namespace bench {
namespace {

/// The character that begins at `text[i]`; a byte that is none is replaced.
Character character(std::string_view text, std::size_t i) {
  const Character found = first_character(text.substr(i));
  return found.bytes > 0 ? found : Character{0xFFFD, 1};
}

/// The text with each character replaced by what `replace` gives for it; nothing keeps it.
template <class F>
std::string replaced(const std::string& text, F replace) {
  std::string all;
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, bytes] = character(text, i);
    const std::string other = replace(code);
    all += other.empty() ? text.substr(i, bytes) : other;
    i += bytes;
  }
  return all;
}

/// What has a meaning in LaTeX, and the signs of tables that its text fonts lack.
const std::map<char32_t, std::string>& latex_signs() {
  static const std::map<char32_t, std::string> signs{
      {U'\\', "\\textbackslash{}"},
      {U'{', "\\{"},
      {U'}', "\\}"},
      {U'$', "\\$"},
      {U'&', "\\&"},
      {U'#', "\\#"},
      {U'%', "\\%"},
      {U'_', "\\_"},
      {U'^', "\\textasciicircum{}"},
      {U'~', "\\textasciitilde{}"},
      {U'<', "\\textless{}"},
      {U'>', "\\textgreater{}"},
      {U'|', "\\textbar{}"},
      {U'"', "\\char34{}"},
      {U'\'', "{'}"},
      {U'`', "{`}"},
      {U'\u00A0', "~"},
      {U'π', "$\\pi$"},
      {U'«', "\\benchopen{}"},
      {U'»', "\\benchclose{}"},
      {U'‘', "{`}"},
      {U'’', "{'}"},
      {U'“', "``"},
      {U'”', "''"},
      {U'¡', "\\textexclamdown{}"},
      {U'¿', "\\textquestiondown{}"},
      {U'ª', "\\textsuperscript{a}"},
      {U'º', "\\textsuperscript{o}"},
      {U'°', "$^\\circ$"},
      {U'±', "$\\pm$"},
      {U'²', "\\textsuperscript{2}"},
      {U'³', "\\textsuperscript{3}"},
      {U'½', "$\\frac12$"},
      {U'µ', "$\\mu$"},
      {U'·', "$\\cdot$"},
      {U'×', "$\\times$"},
      {U'÷', "$\\div$"},
      {U'⁰', "\\textsuperscript{0}"},
      {U'⁶', "\\textsuperscript{6}"},
      {U'⁹', "\\textsuperscript{9}"},
      {U'–', "\\textendash{}"},
      {U'—', "\\textemdash{}"},
      {U'…', "\\dots{}"},
      {U'†', "$\\dagger$"},
      {U'‡', "$\\ddagger$"},
      {U'√', "$\\surd$"},
      {U'⇄', "$\\leftrightarrow$"},
      {U'✗', "\\textsf{\\textbf{x}}"},
  };
  return signs;
}

/// Letters that every text font of LaTeX has.
bool western_letter(char32_t code) {
  const bool latin = code >= U'À' && code <= U'ÿ';
  const bool rare = code == U'Ð' || code == U'Þ' || code == U'ð' || code == U'þ';
  return (latin && !rare) || code == U'œ' || code == U'Œ';
}

}  // namespace

std::string csv_field(std::string text) {
  // Spreadsheets pass over blanks, and take the wide signs of East Asian keyboards for these.
  constexpr std::u32string_view blanks = U" \t\r\n\u00A0\u3000";
  constexpr std::u32string_view begins = U"=+-@＝＋－＠";
  for (std::size_t i = 0; i < text.size();) {
    const auto [code, bytes] = character(text, i);
    if (begins.find(code) != std::u32string_view::npos || code == U'\t' || code == U'\r') {
      text.insert(0, "'");
      break;
    }
    if (blanks.find(code) == std::u32string_view::npos) break;
    i += bytes;
  }
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string markdown_text(const std::string& text) {
  return replaced(text, [](char32_t code) -> std::string {
    if (code == U'<') return "&lt;";
    if (code == U'>') return "&gt;";
    if (code == U'&') return "&amp;";
    constexpr std::u32string_view meaning = U"\\`*_[]|#~$!";
    if (meaning.find(code) == std::u32string_view::npos) return "";
    return {'\\', static_cast<char>(code)};
  });
}

std::string latex_text(const std::string& text) {
  char32_t before = 0;
  return replaced(text, [&before](char32_t code) -> std::string {
    const bool would_be_a_dash = code == U'-' && before == U'-';
    before = code;
    if (would_be_a_dash) return "{}-";
    const auto known = latex_signs().find(code);
    if (known != latex_signs().end()) return known->second;
    if (code < 0x80U || western_letter(code)) return "";
    return fmt::format("[U+{:04X}]", static_cast<std::uint32_t>(code));
  });
}

std::string html_text(const std::string& text) {
  return replaced(text, [](char32_t code) -> std::string {
    switch (code) {
      case U'<':
        return "&lt;";
      case U'>':
        return "&gt;";
      case U'&':
        return "&amp;";
      case U'"':
        return "&quot;";
      case U'\'':
        return "&#39;";
      default:
        return "";
    }
  });
}

}  // namespace bench
