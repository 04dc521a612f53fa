#pragma once

namespace bench {

/// The reason of a Verdict on a result that holds nothing but poison.
constexpr const char* wrote_nothing = "wrote nothing: the output still holds the poison";

}  // namespace bench
