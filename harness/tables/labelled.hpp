#pragma once

#include <cstddef>
#include <string>

#include "harness/tables/language.hpp"

namespace bench {

/// The columns of what people read on a terminal, where they did not ask for a width.
inline constexpr std::size_t page_width = 80;

/// `label: text` from column `start` on, broken into lines that go on below the text.
std::string labelled(const Phrase& label, const std::string& text, Language language,
                     std::size_t start = 0);

}  // namespace bench
