// What the columns of tables mean, for readers who choose among them.
#pragma once

#include <string_view>

#include "harness/base/json.hpp"
#include "harness/words/language.hpp"

namespace bench {

struct Meaning {
  std::string_view key;   ///< of the column
  std::string_view unit;  ///< empty where it has none
  std::string_view text;
};

/// Of a column that there is.
const Meaning& meaning_of(std::string_view key);

/// Every column: key, heading in the language, unit, meaning.
Json columns_json(Language language = Language::en);

}  // namespace bench
