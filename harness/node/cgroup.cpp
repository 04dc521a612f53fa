#include "harness/node/cgroup.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include "harness/node/text_file.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

struct Cgroup {
  fs::path folder;
  bool version_1;
};

/// The groups of this process, from the root of each hierarchy down. What is above the one that a
/// container can see is missing, and its limits with it. Each line of /proc/self/cgroup is
/// number:controllers:group; version 2 names no controllers, and has a folder of its own where
/// version 1 is in use as well.
std::vector<Cgroup> cgroups(const Host& host, const std::string& controller) {
  const fs::path mount = host.root / "sys/fs/cgroup";
  std::vector<Cgroup> groups;
  const auto add = [&](fs::path folder, const fs::path& group, bool version_1) {
    groups.push_back({folder, version_1});
    for (const fs::path& part : group.relative_path()) {
      if (part == "..") break;  // the group itself is out of sight
      groups.push_back({folder /= part, version_1});
    }
  };
  for (const std::string& line : split(text_in(host.root / "proc/self/cgroup"), '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string group = line.substr(second + 1);
    const auto controllers = split(line.substr(first + 1, second - first - 1), ',');
    if (std::find(controllers.begin(), controllers.end(), controller) != controllers.end()) {
      add(mount / controller, group, true);
    } else if (controllers.empty()) {
      add(mount, group, false);
      add(mount / "unified", group, false);
    }
  }
  return groups;
}

/// The names that a version has for what we need.
struct MemoryFiles {
  const char* limit;
  const char* usage;
  std::vector<std::string> reclaimable;  ///< in memory.stat
};
const MemoryFiles files_of_version_1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_inactive_file", "total_active_file"}};
const MemoryFiles files_of_version_2{
    "memory.max", "memory.current", {"inactive_file", "active_file"}};

std::optional<GroupMemory> memory_of(const Cgroup& group) {
  const MemoryFiles& names = group.version_1 ? files_of_version_1 : files_of_version_2;
  const auto limit = bytes(text_in(group.folder / names.limit));
  if (!limit) return {};
  const std::size_t usage = bytes(text_in(group.folder / names.usage)).value_or(0);
  const Text statistics = text_in(group.folder / "memory.stat");
  std::size_t cache = 0;
  for (const std::string& name : names.reclaimable) {
    cache += bytes(field(statistics, name, ' ')).value_or(0);
  }
  const std::size_t held = usage - std::min(usage, cache);
  return GroupMemory{*limit, *limit - std::min(*limit, held)};
}

}  // namespace

std::optional<double> cpu_quota(const Host& host) {
  std::optional<double> lowest;
  for (const auto& [folder, version_1] : cgroups(host, "cpu")) {
    std::vector<std::string> words = split(text_in(folder / "cpu.max"), ' ');
    if (version_1) {
      words = {text_in(folder / "cpu.cfs_quota_us").value_or(""),
               text_in(folder / "cpu.cfs_period_us").value_or("")};
    }
    if (words.size() != 2) continue;
    const auto quota = number<double>(words[0]);  // "max" and -1: there is none
    const auto period = number<double>(words[1]);
    if (!quota || !period || !(*quota > 0) || !(*period > 0)) continue;
    lowest = std::min(lowest.value_or(*quota / *period), *quota / *period);
  }
  return lowest;
}

std::vector<GroupMemory> memory_groups(const Host& host) {
  std::vector<GroupMemory> groups;
  for (const Cgroup& group : cgroups(host, "memory")) {
    if (const auto found = memory_of(group)) groups.push_back(*found);
  }
  return groups;
}

}  // namespace bench
