#pragma once

#include <string>
#include <string_view>

namespace bench {

/// The text without what a terminal would obey or hide: control characters of ASCII and Latin-1,
/// separators of lines, characters that turn the direction of text or take no room, and bytes that
/// are not UTF-8 become '?'. Ends of lines stay where `lines` says so.
std::string printable(std::string_view text, bool lines = false);

}  // namespace bench
