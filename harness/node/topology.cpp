#include "harness/node/topology.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <tuple>

namespace bench {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Loaded = std::unique_ptr<hwloc_topology, Destroy>;

constexpr hwloc_obj_type_t cache_kinds[] = {
    HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE,  HWLOC_OBJ_L3CACHE,  HWLOC_OBJ_L4CACHE,
    HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L1ICACHE, HWLOC_OBJ_L2ICACHE, HWLOC_OBJ_L3ICACHE};

/// Loads the topology with PCI devices or without, since looking for them takes time. Nothing where
/// hwloc fails.
Loaded load(bool devices) {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return {};
  Loaded loaded(topology);
  // It moves the thread to each CPU in turn, and knows no more than the kernel.
  hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  const auto keep = [&](hwloc_obj_type_t kind) {
    hwloc_topology_set_type_filter(topology, kind, HWLOC_TYPE_FILTER_KEEP_ALL);
  };
  keep(HWLOC_OBJ_PACKAGE);
  keep(HWLOC_OBJ_CORE);
  if (devices) keep(HWLOC_OBJ_PCI_DEVICE);
  std::for_each(std::begin(cache_kinds), std::end(cache_kinds), keep);
  // What stands for a part of a socket that has memory of its own.
  hwloc_topology_set_type_filter(topology, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
  return hwloc_topology_load(topology) == 0 ? std::move(loaded) : Loaded();
}

std::vector<hwloc_obj_t> all(const Loaded& topology, hwloc_obj_type_t kind) {
  std::vector<hwloc_obj_t> objects;
  hwloc_obj_t next = nullptr;
  while ((next = hwloc_get_next_obj_by_type(topology.get(), kind, next)) != nullptr) {
    objects.push_back(next);
  }
  return objects;
}

std::vector<int> cpus_of(const hwloc_obj* object) {
  std::vector<int> cpus;
  for (int cpu = -1; (cpu = hwloc_bitmap_next(object->cpuset, cpu)) >= 0;) cpus.push_back(cpu);
  return cpus;
}

/// Some virtual machines number theirs -1: they do not say.
std::vector<Topology::Socket> find_sockets(const Loaded& topology) {
  std::vector<Topology::Socket> found;
  for (const hwloc_obj* const package : all(topology, HWLOC_OBJ_PACKAGE)) {
    if (package->os_index == HWLOC_UNKNOWN_INDEX) continue;
    found.push_back({static_cast<int>(package->os_index), cpus_of(package)});
  }
  return found;
}

const char* type_of(const hwloc_obj* cache) {
  switch (cache->attr->cache.type) {
    case HWLOC_OBJ_CACHE_DATA:
      return "Data";
    case HWLOC_OBJ_CACHE_INSTRUCTION:
      return "Instruction";
    default:
      return "Unified";
  }
}

std::vector<Topology::Cache> find_caches(const Loaded& topology) {
  std::vector<Topology::Cache> found;
  for (const hwloc_obj_type_t kind : cache_kinds) {
    for (const hwloc_obj* const cache : all(topology, kind)) {
      const auto& facts = cache->attr->cache;
      if (facts.size == 0) continue;
      found.push_back({static_cast<int>(facts.depth), type_of(cache), cpus_of(cache), facts.size});
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return std::tie(a.level, a.type, a.cpus) < std::tie(b.level, b.type, b.cpus);
  });
  return found;
}

/// Memory without CPUs of its own has, for hwloc, those that are near it. A CPU belongs to the node
/// that is near the fewest; of equals, to the first.
std::vector<Topology::NumaNode> find_numa_nodes(const Loaded& topology) {
  std::vector<Topology::NumaNode> found;
  for (const hwloc_obj* const node : all(topology, HWLOC_OBJ_NUMANODE)) {
    found.push_back(
        {static_cast<int>(node->os_index), cpus_of(node), node->attr->numanode.local_memory});
  }
  const auto number = [](const auto& a, const auto& b) { return a.number < b.number; };
  std::sort(found.begin(), found.end(), number);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.cpus.size() < b.cpus.size(); });
  std::vector<int> taken;
  for (Topology::NumaNode& node : found) {
    std::erase_if(node.cpus, [&](int cpu) {
      return std::find(taken.begin(), taken.end(), cpu) != taken.end();
    });
    taken.insert(taken.end(), node.cpus.begin(), node.cpus.end());
  }
  // Accelerators reserve numbers of nodes that have neither.
  std::erase_if(found,
                [](const auto& node) { return node.cpus.empty() && node.memory_bytes == 0; });
  std::sort(found.begin(), found.end(), number);
  return found;
}

bool overlap(const std::vector<int>& some, const std::vector<int>& others) {
  return std::any_of(some.begin(), some.end(), [&](int cpu) {
    return std::binary_search(others.begin(), others.end(), cpu);
  });
}

/// The variable by which hwloc was given another system than this one; empty where it was not.
std::string foreign_by(const Loaded& topology) {
  if (hwloc_topology_is_thissystem(topology.get()) != 0) return "";
  for (const char* const name : {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT"}) {
    if (std::getenv(name) != nullptr) return name;
  }
  return "";
}

}  // namespace

Topology read_topology() {
  const Loaded loaded = load(false);
  const auto cores = loaded ? all(loaded, HWLOC_OBJ_CORE) : std::vector<hwloc_obj_t>();
  if (cores.empty()) return {};  // hwloc had to guess even the number of CPUs
  Topology topology;
  topology.sockets = find_sockets(loaded);
  topology.logical_cpus = all(loaded, HWLOC_OBJ_PU).size();
  for (const hwloc_obj* const core : cores) topology.cores.push_back(cpus_of(core));
  topology.caches = find_caches(loaded);
  topology.numa_nodes = find_numa_nodes(loaded);
  topology.foreign = foreign_by(loaded);
  return topology;
}

Locality locality_of(const std::string& pci_bus_id) {
  const Loaded loaded = load(true);
  if (!loaded) return {};
  auto* const device = hwloc_get_pcidev_by_busidstring(loaded.get(), pci_bus_id.c_str());
  if (device == nullptr) return {};
  const auto* const place = hwloc_get_non_io_ancestor_obj(loaded.get(), device);
  const bool one_node = hwloc_bitmap_weight(place->nodeset) == 1;
  return {cpus_of(place),
          one_node ? std::optional(hwloc_bitmap_first(place->nodeset)) : std::nullopt};
}

const Topology& this_topology() {
  static const Topology topology = read_topology();
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
                    [&](const std::vector<int>& core) { return overlap(cpus, core); }));
}

std::size_t own_cache_bytes(const Topology& topology, const std::vector<int>& cpus) {
  std::optional<std::size_t> least;
  for (const std::vector<int>& core : topology.cores) {
    if (!overlap(cpus, core)) continue;
    std::size_t largest = 0;
    for (const Topology::Cache& cache : topology.caches) {
      if (cache.type == "Instruction" || !overlap(cache.cpus, core)) continue;
      // A virtual machine may show each core a last-level cache that all share.
      const bool own = cache.level <= 2 && cache.cpus.size() <= core.size();
      if (own) largest = std::max(largest, cache.bytes);
    }
    least = std::min(least.value_or(largest), largest);
  }
  return least.value_or(0);
}

std::size_t last_level_cache_bytes(const Topology& topology, const std::vector<int>& cpus) {
  std::map<int, std::size_t> per_level;
  for (const Topology::Cache& cache : topology.caches) {
    if (cache.type == "Instruction" || !overlap(cpus, cache.cpus)) continue;
    per_level[cache.level] += cache.bytes;
  }
  return per_level.empty() ? 0 : per_level.rbegin()->second;
}

}  // namespace bench
