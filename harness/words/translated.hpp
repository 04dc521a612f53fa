#pragma once

#include <string>
#include <vector>

#include "harness/base/reason.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// A reason or a warning, or an idea that result files hold in English, as this language says it.
/// Whatever is none of the program's own sentences stays as it is.
std::string translated(const Reason& recorded, Language language);

/// The same text for sentences that are the same but for the figures and words at their places.
std::string kind_of_sentence(const Reason& recorded);

/// English sentences of one kind as one, from least to most: `60–77 %`, and each other word that is
/// there.
std::string said_together(const std::vector<Reason>& recorded);

}  // namespace bench
