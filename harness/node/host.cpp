#include "harness/node/host.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <string_view>

namespace bench {

std::vector<std::string> environment_names() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

std::optional<std::size_t> resource_limit(int resource) {
  struct rlimit limit {};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return {};
  if (limit.rlim_cur == RLIM_INFINITY) return {};
  return limit.rlim_cur;
}

}  // namespace bench
