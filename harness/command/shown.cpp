#include "harness/command/shown.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/printable.hpp"
#include "harness/command/colour.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/streams.hpp"

namespace bench {
namespace {

/// The language of pt-BR or ES_mx.UTF-8: the region does not matter. C and POSIX are English.
std::string language_of(const std::string& text) {
  std::string base = text.substr(0, text.find_first_of("-_.@"));
  for (char& c : base) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return base == "c" || base == "posix" ? "en" : base;
}

}  // namespace

void add_language(CLI::App& app, Language& language) {
  constexpr const char* chosen_before = "BENCH_LANG";
  const auto read_from = [&language](const std::string& source) {
    return [&language, source](const std::string& text) {
      const auto languages = all_choices<Language>();
      const std::string base = language_of(text);
      const bool known = std::any_of(languages.begin(), languages.end(),
                                     [&](const auto& one) { return one.first == base; });
      language = chosen(source, known ? base : text, languages);
    };
  };
  const auto* const option =
      add_text(app, "--lang", read_from("--lang"), "language of the output: en, pt, es or fr",
               "LANG", fmt::format("${}, else en", chosen_before));
  or_variable(app, option, chosen_before, read_from(chosen_before));
}

void add_format(CLI::App& app, Format& format, const std::string& description) {
  add_choice(app, "--format", format, {{"text", Format::text}, {"json", Format::json}}, description,
             "FORMAT", "text");
}

void add_no_progress(CLI::App& app, bool& progress) {
  add_flag(
      app, "--no-progress", [&progress] { progress = false; }, "show no progress on the terminal");
}

void print_text(const StyledText& text) {
  print(colours_wanted(isatty(STDOUT_FILENO) == 1) ? coloured(text)
                                                   : printable(unstyled(text), true));
}

}  // namespace bench
