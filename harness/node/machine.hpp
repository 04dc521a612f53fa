// The node, as the document has it.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/base/fields.hpp"
#include "harness/node/gpu_facts.hpp"
#include "harness/node/jitter.hpp"
#include "harness/node/text_file.hpp"
#include "harness/node/topology.hpp"

namespace bench {

template <class V>
void fields(V& visit, Of<Cache> auto& one) {
  visit("level", one.level);
  visit("type", one.type);
  visit("bytes", one.bytes);
  visit("shared_by", one.shared_by);
  visit("instances", one.instances);
}

struct NumaNode {
  int node = 0;
  std::string cpus;
  std::size_t memory_bytes = 0;
};

template <class V>
void fields(V& visit, Of<NumaNode> auto& one) {
  visit("node", one.node);
  visit("cpus", one.cpus);
  visit("memory_bytes", one.memory_bytes);
}

/// In MHz.
struct Frequency {
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> current;
};

template <class V>
void fields(V& visit, Of<Frequency> auto& one) {
  visit("min", one.min);
  visit("max", one.max);
  visit("current", one.current);
}

struct HugePages {
  Text enabled;
  Text defrag;
};

template <class V>
void fields(V& visit, Of<HugePages> auto& one) {
  visit("enabled", one.enabled);
  visit("defrag", one.defrag);
}

/// Nothing where it is not known; lists of CPUs in the kernel's notation.
struct Machine {
  Text node;
  Text host_name;
  Text os;
  Text kernel;
  Text arch;
  Text cpu_model;
  Text cpu_vendor;
  Text microcode;
  std::optional<std::size_t> sockets;
  std::optional<std::size_t> cores;
  std::optional<std::size_t> logical_cpus;
  std::optional<bool> smt;
  Text topology_from;  ///< a variable that makes hwloc describe another system
  Text cpuset;
  std::optional<int> allowed_cpus;
  std::optional<int> allowed_cores;
  /// The CPUs of each core that the process may use.
  std::optional<std::vector<std::string>> allowed_core_cpus;
  /// What the cgroups allow of the time of the CPUs: 0.5 is as much as half a CPU has.
  std::optional<double> cpu_quota;
  std::optional<std::vector<NumaNode>> numa_nodes;
  Text memory_nodes;  ///< NUMA nodes that the process's memory may come from
  std::optional<std::vector<Cache>> caches;
  Text governor;
  std::optional<Frequency> frequency_mhz;
  std::optional<bool> boost;
  std::optional<std::vector<std::string>> isa_flags;
  Json hypervisor;  ///< its name, or whether there is one
  std::optional<std::size_t> memory_bytes;
  std::optional<std::size_t> memory_available_bytes;
  std::optional<std::size_t> memory_limit_bytes;
  std::optional<std::size_t> memory_allowance_bytes;
  Text memory_limited_by;
  std::optional<std::size_t> swap_bytes;
  std::optional<std::size_t> page_bytes;
  HugePages transparent_huge_pages;
  // What can be told beside time, or why not.
  Text energy;
  Text energy_reason;
  std::optional<std::vector<std::string>> counters;
  Text counters_reason;
  std::optional<std::array<double, 3>> load_average;
  std::optional<int> running_tasks;
  /// The OpenMP variables that are set, but for those with which this program binds its threads.
  std::map<std::string, std::string> omp;
  std::optional<std::vector<std::string>> loaded_modules;  ///< nothing without such modules
  std::optional<Jitter> jitter;
  std::optional<GpuFacts> gpu;
  Text gpu_reason;
  Text gpu_energy_reason;
  std::optional<std::vector<GpuFacts>> gpus;  ///< where several took turns
  Json recorded;                              ///< as it was read
};

template <class V>
void fields(V& visit, Of<Machine> auto& one) {
  visit.later("node", one.node);
  visit.later("host_name", one.host_name);
  visit.later("os", one.os);
  visit.later("kernel", one.kernel);
  visit.later("arch", one.arch);
  visit.later("cpu_model", one.cpu_model);
  visit.later("cpu_vendor", one.cpu_vendor);
  visit.later("microcode", one.microcode);
  visit.later("sockets", one.sockets);
  visit.later("cores", one.cores);
  visit.later("logical_cpus", one.logical_cpus);
  visit.later("smt", one.smt);
  visit.later("topology_from", one.topology_from);
  visit.later("cpuset", one.cpuset);
  visit.later("allowed_cpus", one.allowed_cpus);
  visit.later("allowed_cores", one.allowed_cores);
  visit.later("allowed_core_cpus", one.allowed_core_cpus);
  visit.later("cpu_quota", one.cpu_quota);
  visit.later("numa_nodes", one.numa_nodes);
  visit.later("memory_nodes", one.memory_nodes);
  visit.later("caches", one.caches);
  visit.later("governor", one.governor);
  visit.later("frequency_mhz", one.frequency_mhz);
  visit.later("boost", one.boost);
  visit.later("isa_flags", one.isa_flags);
  visit.later("hypervisor", one.hypervisor);
  visit.later("memory_bytes", one.memory_bytes);
  visit.later("memory_available_bytes", one.memory_available_bytes);
  visit.later("memory_limit_bytes", one.memory_limit_bytes);
  visit.later("memory_allowance_bytes", one.memory_allowance_bytes);
  visit.later("memory_limited_by", one.memory_limited_by);
  visit.later("swap_bytes", one.swap_bytes);
  visit.later("page_bytes", one.page_bytes);
  visit.later("transparent_huge_pages", one.transparent_huge_pages);
  visit.later("energy", one.energy);
  visit.later("energy_reason", one.energy_reason);
  visit.later("counters", one.counters);
  visit.later("counters_reason", one.counters_reason);
  visit.later("load_average", one.load_average);
  visit.later("running_tasks", one.running_tasks);
  visit.later("omp", one.omp);
  visit.later("loaded_modules", one.loaded_modules);
  visit.maybe("jitter", one.jitter);
  visit.later("gpu", one.gpu);
  visit.later("gpu_reason", one.gpu_reason);
  visit.later("gpu_energy_reason", one.gpu_energy_reason);
  visit.maybe("gpus", one.gpus);
  visit.keep(one.recorded);
}

inline Text gpu_name(const Machine& machine) { return machine.gpu ? machine.gpu->name : Text(); }

}  // namespace bench
