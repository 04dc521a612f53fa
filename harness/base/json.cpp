#include "harness/base/json.hpp"

#include <algorithm>

namespace bench {

const Json& at(const Json& object, std::string_view path) {
  static const Json nothing;
  const Json* here = &object;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (!here->is_object()) return nothing;
    const auto found = here->find(path.substr(0, slash));
    if (found == here->end()) return nothing;
    here = &*found;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return *here;
}

std::string text_at(const Json& object, std::string_view path) {
  const Json& value = at(object, path);
  return value.is_string() ? value.get<std::string>() : "";
}

std::string serialised(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bench
