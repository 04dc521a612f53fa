#include "harness/base/cut.hpp"

#include "harness/base/text.hpp"
#include "harness/base/utf8.hpp"

namespace bench {

std::string cut_in_the_middle(const std::string& text, std::size_t most) {
  const std::size_t all = columns(text);
  if (all <= most) return text;
  const std::size_t first = most / 2;
  const std::size_t last = most - first - 1;  // columns, next to the …
  std::size_t column = 0;
  std::string kept;
  for (const char c : text) {
    if (!continues_character(c)) ++column;
    if (column == first + 1 && !continues_character(c)) kept += "…";
    if (column <= first || column > all - last) kept += c;
  }
  return kept;
}

}  // namespace bench
