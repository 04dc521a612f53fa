#include "harness/node/allowance.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "harness/base/reasons.hpp"
#include "harness/node/cgroup.hpp"
#include "harness/node/text_file.hpp"

namespace bench {

std::optional<MemoryAllowance> memory_allowance(const Host& host) {
  std::optional<MemoryAllowance> lowest;
  const auto consider = [&](std::optional<std::size_t> room, const Reason& words) {
    if (room && (!lowest || *room < lowest->bytes)) lowest = MemoryAllowance{*room, words};
  };
  const Text information = text_in(host.root / "proc/meminfo");
  consider(bytes(field(information, "MemAvailable")), said<reasons::free_on_node>());
  for (const GroupMemory& group : memory_groups(host)) {
    consider(group.left, said<reasons::memory_limit_of_job>());
  }
  const Text status = text_in(host.root / "proc/self/status");
  const auto below = [&](int resource, const char* used_key, const char* words) {
    const auto limit = host.limit(resource);
    if (!limit) return;
    const std::size_t used = bytes(field(status, used_key)).value_or(0);
    consider(*limit - std::min(*limit, used), words);
  };
  below(RLIMIT_AS, "VmSize", "ulimit -v");
  below(RLIMIT_DATA, "VmData", "ulimit -d");
  return lowest;
}

}  // namespace bench
