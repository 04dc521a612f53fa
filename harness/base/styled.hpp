// Text for people, in parts that a terminal may show in colours.
#pragma once

#include <string>
#include <vector>

namespace bench {

enum class Style { plain, failed, skipped, checked, warning, best };

/// Whole lines of one style.
struct StyledLines {
  std::string text;
  Style style = Style::plain;
};

using StyledText = std::vector<StyledLines>;

/// All of it, without styles.
inline std::string unstyled(const StyledText& text) {
  std::string all;
  for (const StyledLines& lines : text) all += lines.text;
  return all;
}

}  // namespace bench
