#include "harness/command/shown.hpp"

#include <unistd.h>

#include "harness/base/printable.hpp"
#include "harness/command/colour.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/streams.hpp"

namespace bench {

void add_language(CLI::App& app, Language& language) {
  add_choice(app, "--lang", language, all_choices<Language>(),
             "language of the text: en (default), pt, es or fr", "LANG");
}

void add_no_progress(CLI::App& app, bool& progress) {
  add_flag(
      app, "--no-progress", [&progress] { progress = false; }, "no progress on the terminal");
}

void print_text(const StyledText& text) {
  print(colours_wanted(isatty(STDOUT_FILENO) == 1) ? coloured(text)
                                                   : printable(unstyled(text), true));
}

}  // namespace bench
