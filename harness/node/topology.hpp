// How the node is built: sockets, cores, caches, memory. What hwloc finds, in the terms of bench.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace bench {

/// The node, whatever this process may use of it; what is switched off is left out. CPU numbers
/// ascend. Empty where the system does not say.
struct Topology {
  struct Cache {
    int level = 0;          ///< 1, 2, 3, …
    std::string type;       ///< "Data", "Instruction" or "Unified"
    std::vector<int> cpus;  ///< that share it
    std::size_t bytes = 0;
  };
  struct Socket {
    int number = 0;
    std::vector<int> cpus;
  };
  struct NumaNode {
    int number = 0;
    std::vector<int> cpus;
    std::size_t memory_bytes = 0;
  };

  std::vector<Socket> sockets;  ///< that are numbered: some virtual machines do not report theirs
  std::size_t logical_cpus = 0;
  std::vector<std::vector<int>> cores;  ///< the CPUs of each
  std::vector<Cache> caches;            ///< by level and type
  std::vector<NumaNode> numa_nodes;     ///< that have CPUs or memory, by number
  std::string foreign{};  ///< the variable that makes hwloc describe another system; usually empty
};

/// Asks hwloc, which obeys its own environment variables (HWLOC_FSROOT, HWLOC_SYNTHETIC, …).
Topology read_topology();

/// This node, read once: some milliseconds.
const Topology& this_topology();

/// What is near a device.
struct Locality {
  std::vector<int> cpus;         ///< empty if unknown
  std::optional<int> numa_node;  ///< nothing where there are several
};

/// The locality of a PCI device like "0000:c1:00.0". Takes some milliseconds.
Locality locality_of(const std::string& pci_bus_id);

/// One kind of cache of the node.
struct Cache {
  int level = 0;          ///< 1, 2, 3, …
  std::string type;       ///< "Data", "Instruction" or "Unified"
  std::size_t bytes = 0;  ///< of one instance
  int shared_by = 0;      ///< logical CPUs that share one instance
  int instances = 0;      ///< on the whole node, whatever this process may use
};

/// The caches of the node by level and type; empty if unknown.
std::vector<Cache> caches(const Topology& topology);

/// The cores that have some of these CPUs.
std::size_t cores_of(const Topology& topology, const std::vector<int>& cpus);

/// The second-level cache, or the first, that one core has for itself, in bytes: the least of the
/// cores that have some of these CPUs. 0 if unknown.
std::size_t own_cache_bytes(const Topology& topology, const std::vector<int>& cpus);

/// The last-level cache within reach of some CPUs, in bytes: the sum over the instances that belong
/// to them. 0 if unknown.
std::size_t last_level_cache_bytes(const Topology& topology, const std::vector<int>& cpus);

}  // namespace bench
