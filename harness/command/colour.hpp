// Colours, sparingly, and only on a terminal: what goes to a file or a pipe is
// the same text without them.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>

#include "harness/base/styled.hpp"

namespace bench {

/// True where text for a stream may have colours: on a terminal that can show them; never with
/// NO_COLOR, always with CLICOLOR_FORCE.
bool colours_wanted(bool terminal,
                    const std::function<const char*(const char*)>& environment = std::getenv);

/// The text with colours: what failed is red, what was skipped dim, warnings yellow, the best bold.
/// They begin after the indentation of each line. Whatever else a terminal would obey is gone.
std::string coloured(const StyledText& text);

/// One message in red.
std::string red(const std::string& text);

}  // namespace bench
