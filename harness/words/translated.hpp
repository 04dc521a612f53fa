#pragma once

#include <string>
#include <vector>

#include "harness/words/language.hpp"

namespace bench {

/// What a result file holds in English, an idea, a reason or a warning, as this language says it.
/// Whatever is none of the program's own sentences stays as it is.
std::string translated(const std::string& recorded, Language language);

/// The same text for sentences that are the same but for the figures and words at their places.
std::string kind_of_sentence(const std::string& recorded);

/// Sentences of one kind as one, from least to most: `60–77 %`, and each other word that is there.
std::string translated_together(const std::vector<std::string>& recorded, Language language);

}  // namespace bench
