#include "harness/workload/size_label.hpp"

#include <algorithm>
#include <stdexcept>

#include "harness/workload/workload.hpp"

namespace bench {

std::optional<SizeLabel> parse_label(const std::string& text) {
  constexpr double largest = 1e15;  // as on the command line, and exact in float64
  const std::size_t mark = std::min(text.find_first_of("x:"), text.size());
  SizeLabel size;
  try {
    size.elements = parse_count(text.substr(0, mark));
    const std::size_t second = mark < text.size() ? parse_count(text.substr(mark + 1)) : 1;
    if (mark < text.size() && text[mark] == ':') {
      size.bins = second;
    } else if (static_cast<double>(size.elements) * static_cast<double>(second) <= largest) {
      size.elements *= second;
    } else {
      return {};
    }
  } catch (const std::invalid_argument&) {
    return {};
  }
  if (size.elements == 0 || static_cast<double>(size.elements) > largest) return {};
  return size;
}

}  // namespace bench
