#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/words/language.hpp"

namespace bench {

/// The columns of what people read on a terminal, where they did not ask for a width.
inline constexpr std::size_t page_width = 80;

/// `label: text` from column `start` on, broken into lines that go on below the text.
std::string labelled(std::string_view label, const std::string& text, std::size_t start = 0,
                     Language language = Language::en);

/// A line `label: text` for each of the texts, but for those beyond `most`: how many they are.
std::string each_labelled(std::string_view label, const std::vector<std::string>& texts,
                          std::size_t most, Language language = Language::en);

}  // namespace bench
