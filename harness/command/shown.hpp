// How what a command has to say reaches a person.
#pragma once

#include <string>

#include "harness/base/styled.hpp"
#include "harness/tables/render.hpp"
#include "harness/words/language.hpp"

namespace CLI {
class App;
}

namespace bench {

void add_language(CLI::App& app, Language& language);

/// Adds --format to commands that print text or JSON.
void add_format(CLI::App& app, Format& format, const std::string& description);

void add_no_progress(CLI::App& app, bool& progress);

/// Text that a person reads: with colours on a terminal, and nothing else that one obeys.
void print_text(const StyledText& text);

}  // namespace bench
