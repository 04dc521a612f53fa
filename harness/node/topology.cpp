#include "harness/node/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "harness/node/text_file.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

/// The numbers N of the entries prefixN of a folder, ascending.
std::vector<int> numbered(const fs::path& folder, const std::string& prefix) {
  std::set<int> numbers;
  std::error_code error;
  const fs::directory_iterator end;
  for (fs::directory_iterator entry(folder, error); !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.rfind(prefix, 0) != 0) continue;
    if (const auto n = number<int>(name.substr(prefix.size())); n && *n >= 0) numbers.insert(*n);
  }
  return {numbers.begin(), numbers.end()};
}

std::vector<int> cpus_of_file(const fs::path& file) { return cpus_in(text_in(file).value_or("")); }

std::optional<Topology::Cache> read_cache(const fs::path& folder, int cpu) {
  const auto level = number<int>(text_in(folder / "level"));
  const std::string type = text_in(folder / "type").value_or("");
  const auto size = bytes(text_in(folder / "size"));
  std::vector<int> cpus = cpus_of_file(folder / "shared_cpu_list");
  if (cpus.empty()) cpus = {cpu};
  const bool known_type = type == "Data" || type == "Instruction" || type == "Unified";
  if (!level || *level < 1 || !known_type || size.value_or(0) == 0) return {};
  return Topology::Cache{*level, type, cpus, *size};
}

bool common(const std::vector<int>& some, const std::vector<int>& others) {
  return std::any_of(some.begin(), some.end(), [&](int cpu) {
    return std::binary_search(others.begin(), others.end(), cpu);
  });
}

}  // namespace

Topology read_topology(const Host& host) {
  Topology topology;
  const fs::path system = host.root / "sys/devices/system";
  topology.logical_cpus = cpus_of_file(system / "cpu/online").size();
  std::set<std::string> sockets;
  std::set<std::vector<int>> cores;
  const auto before = [](const Topology::Cache& a, const Topology::Cache& b) {
    return std::tie(a.level, a.type, a.cpus, a.bytes) < std::tie(b.level, b.type, b.cpus, b.bytes);
  };
  std::set<Topology::Cache, decltype(before)> caches(before);  // each of its CPUs lists it
  for (const int cpu : numbered(system / "cpu", "cpu")) {
    const fs::path folder = system / "cpu" / fmt::format("cpu{}", cpu);
    const Text socket = text_in(folder / "topology/physical_package_id");
    if (socket && !cpus_in(*socket).empty()) sockets.insert(*socket);
    const auto core = cpus_of_file(folder / "topology/thread_siblings_list");
    if (!core.empty()) cores.insert(core);
    for (const int index : numbered(folder / "cache", "index")) {
      const auto cache = read_cache(folder / "cache" / fmt::format("index{}", index), cpu);
      if (cache) caches.insert(*cache);
    }
  }
  topology.sockets = sockets.size();
  topology.cores.assign(cores.begin(), cores.end());
  topology.caches.assign(caches.begin(), caches.end());
  for (const int node : numbered(system / "node", "node")) {
    const fs::path files = system / "node" / fmt::format("node{}", node);
    const auto cpus = cpus_of_file(files / "cpulist");
    const auto memory =
        bytes(field(text_in(files / "meminfo"), fmt::format("Node {} MemTotal", node)));
    // Accelerators reserve numbers of nodes that have neither.
    if (cpus.empty() && memory.value_or(0) == 0) continue;
    topology.numa_nodes.push_back({node, cpus, memory});
  }
  return topology;
}

std::vector<Cache> caches(const Topology& topology) {
  std::vector<Cache> kinds;
  for (const Topology::Cache& cache : topology.caches) {
    const int shared_by = static_cast<int>(cache.cpus.size());
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Cache& kind) {
      return kind.level == cache.level && kind.type == cache.type && kind.bytes == cache.bytes &&
             kind.shared_by == shared_by;
    });
    if (same != kinds.end()) {
      ++same->instances;
    } else {
      kinds.push_back({cache.level, cache.type, cache.bytes, shared_by, 1});
    }
  }
  return kinds;
}

std::size_t cores_of(const Topology& topology, const std::vector<int>& cpus) {
  const auto& cores = topology.cores;
  return static_cast<std::size_t>(
      std::count_if(cores.begin(), cores.end(),
                    [&](const std::vector<int>& core) { return common(cpus, core); }));
}

std::size_t last_level_cache_bytes(const Host& host) {
  const std::vector<int> cpus = host.cpus();
  std::map<int, std::size_t> per_level;
  for (const Topology::Cache& cache : read_topology(host).caches) {
    if (cache.type == "Instruction" || !common(cpus, cache.cpus)) continue;
    per_level[cache.level] += cache.bytes;
  }
  return per_level.empty() ? 0 : per_level.rbegin()->second;
}

}  // namespace bench
