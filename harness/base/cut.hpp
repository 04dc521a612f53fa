#pragma once

#include <cstddef>
#include <string>

namespace bench {

/// The text, or its beginning and its end with … between them where it takes more columns.
std::string cut_in_the_middle(const std::string& text, std::size_t most);

}  // namespace bench
