#pragma once

#include <string>

#include "harness/tables/language.hpp"

namespace bench {

/// What a document holds in English, an idea, a reason or a warning, as this language says it.
/// Whatever is none of the program's own sentences stays as it is.
std::string translated(const std::string& recorded, Language language);

}  // namespace bench
