// JSON as we keep it: keys in the order in which they were written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bench {

using Json = nlohmann::ordered_json;

/// The value at a path of keys like `machine/governor`; null if there is none.
const Json& at(const Json& object, std::string_view path);

/// The text at that path; empty if there is none.
std::string text_at(const Json& object, std::string_view path);

/// JSON text: bytes that are not UTF-8 (a path on the command line) are replaced.
std::string serialised(const Json& json);

}  // namespace bench
