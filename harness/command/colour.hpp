// Colours, sparingly, and only where somebody looks at a terminal. They are put on finished text,
// so that what goes to a file or a pipe is the same text without them.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>

#include "harness/tables/language.hpp"

namespace bench {

/// The words that lines are known by.
struct ColourWords {
  std::string failed;   ///< before a reason in a row
  std::string skipped;  ///< likewise
  std::string warning;  ///< at the beginning of a line
  std::string folded;   ///< in the row of several that were skipped
  std::string best;     ///< the heading of the last column, whose greatest row is the best
};

/// The words of tables in this language.
ColourWords colour_words(Language language);

/// Those of the doctor: its doubts are as yellow as warnings.
ColourWords doubt_words(Language language);

/// True where text for a stream may have colours: on a terminal that can show them; never with
/// NO_COLOR, always with CLICOLOR_FORCE.
bool colours_wanted(bool terminal,
                    const std::function<const char*(const char*)>& environment = std::getenv);

/// The text of tables with colours: failed rows red, skipped ones dim, warnings yellow, the best
/// row of each table bold.
std::string coloured(const std::string& text, const ColourWords& words);

/// One message in red.
std::string red(const std::string& text);

}  // namespace bench
