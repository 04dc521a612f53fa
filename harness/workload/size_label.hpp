// Sizes as they stand in names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace bench {

/// What a size in a name says: N, RxC or N:BINS.
struct SizeLabel {
  std::size_t elements = 0;
  std::size_t bins = 0;  ///< 0: none
};

/// Nothing where the text is no size, or there is nothing to compute.
std::optional<SizeLabel> parse_label(const std::string& text);

}  // namespace bench
