#include "harness/command/shown.hpp"

#include <unistd.h>

#include "harness/base/printable.hpp"
#include "harness/command/colour.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/streams.hpp"

namespace bench {

void add_language(CLI::App& app, Language& language) {
  const auto languages = all_choices<Language>();
  by_default(add_text(
                 app, "--lang",
                 [&language, languages](const std::string& text) {
                   // pt-BR, es_MX.UTF-8: the region does not matter.
                   const std::string base = text.substr(0, text.find_first_of("-_.@"));
                   const bool known =
                       std::any_of(languages.begin(), languages.end(),
                                   [&](const auto& one) { return one.first == base; });
                   language = chosen("--lang", known ? base : text, languages);
                 },
                 "language of the output: en, pt, es or fr", "LANG"),
             "en");
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
