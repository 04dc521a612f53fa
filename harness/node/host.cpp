#include "harness/node/host.hpp"

#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "harness/node/bit_mask.hpp"

namespace bench {

int open_event(perf_event_attr& attributes, int thread, int group) {
  constexpr int any_cpu = -1;
  const long file = syscall(SYS_perf_event_open, &attributes, thread, any_cpu, group,
                            static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC));
  return file < 0 ? -errno : static_cast<int>(file);
}

std::vector<std::string> environment_names() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

std::vector<int> memory_policy_nodes() {
  constexpr std::size_t most_nodes = 4096;  // more than any kernel has
  constexpr int mpol_bind = 2;
  constexpr int flags = 0xf000;
  int mode = 0;
  std::array<unsigned long, most_nodes / bits_per_word> mask{};
  if (syscall(SYS_get_mempolicy, &mode, mask.data(), most_nodes, nullptr, 0) != 0) return {};
  return (mode & ~flags) == mpol_bind ? numbers_in(mask) : std::vector<int>();
}

std::optional<std::size_t> resource_limit(int resource) {
  struct rlimit limit {};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return {};
  if (limit.rlim_cur == RLIM_INFINITY) return {};
  return limit.rlim_cur;
}

}  // namespace bench
