#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// The known name nearest to what the user typed (edit distance), empty if none is near.
std::string nearest(std::string_view typed, const std::vector<std::string>& known);

/// ` (did you mean energy?)`, or nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known);

}  // namespace bench
