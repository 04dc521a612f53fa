#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// What users of other programs call otherwise (`gpu`: `cuda`), with what follows it (`--cuda`:
/// `--backend cuda`); a known name itself; empty if it is neither.
std::string called_here(std::string_view typed, const std::vector<std::string>& known);

/// The known name that the user may have meant: as called_here() has it, or the nearest one
/// (edit distance of at most 2); empty if there is none.
std::string nearest(std::string_view typed, const std::vector<std::string>& known);

/// ` (did you mean energy?)`, or nothing.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& known);

}  // namespace bench
