#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/base/json.hpp"

namespace bench {

/// The value that a text is of. Of an object at the top, these keys are kept; all, where none is
/// named: what nobody reads takes most of the time. Each key may be there once. Throws UsageError,
/// a line that begins with the name of the file.
Json parse_json(std::string_view text, const std::string& name,
                std::span<const std::string_view> wanted = {});

}  // namespace bench
