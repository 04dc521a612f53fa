// The node, as the result file has it.
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

void fields(auto& visit, Of<Cache> auto& one) {
  visit(FIELD(level));
  visit(FIELD(type));
  visit(FIELD(bytes));
  visit(FIELD(shared_by));
  visit(FIELD(instances));
}

struct NumaNode {
  int node = 0;
  std::string cpus;
  std::size_t memory_bytes = 0;
};

void fields(auto& visit, Of<NumaNode> auto& one) {
  visit(FIELD(node));
  visit(FIELD(cpus));
  visit(FIELD(memory_bytes));
}

/// A frequency in MHz.
struct Frequency {
  std::optional<double> min;
  std::optional<double> max;
  std::optional<double> current;
};

void fields(auto& visit, Of<Frequency> auto& one) {
  visit(FIELD(min));
  visit(FIELD(max));
  visit(FIELD(current));
}

struct HugePages {
  Text enabled;
  Text defrag;
};

void fields(auto& visit, Of<HugePages> auto& one) {
  visit(FIELD(enabled));
  visit(FIELD(defrag));
}

/// Errors of the memory since the kernel began to count.
struct MemoryErrors {
  std::optional<std::size_t> corrected;
  std::optional<std::size_t> uncorrected;
};

void fields(auto& visit, Of<MemoryErrors> auto& one) {
  visit(FIELD(corrected));
  visit(FIELD(uncorrected));
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
  Text bios;
  Text dimms;
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
  std::optional<Reason> memory_limited_by;
  std::optional<std::size_t> shared_memory_bytes;  ///< in use; /dev/shm is a part of it
  std::optional<std::size_t> swap_bytes;
  std::optional<std::size_t> page_bytes;
  HugePages transparent_huge_pages;
  MemoryErrors memory_errors;
  std::optional<double> temperature_c;
  std::optional<std::size_t> throttle_events;
  // What can be measured in addition to time, or why not.
  Text energy;
  std::optional<Reason> energy_reason;
  std::optional<std::vector<std::string>> counters;
  std::optional<Reason> counters_reason;
  std::optional<std::array<double, 3>> load_average;
  std::optional<int> running_tasks;
  /// The OpenMP variables that are set, but for those with which this program binds its threads.
  std::map<std::string, std::string> omp;
  /// Where file systems of disks and of servers are mounted, in order.
  std::optional<std::vector<std::string>> mounts;
  std::optional<std::vector<std::string>> loaded_modules;  ///< nothing without such modules
  std::optional<Jitter> jitter;
  std::optional<GpuFacts> gpu;
  std::optional<Reason> gpu_reason;
  std::optional<Reason> gpu_energy_reason;
  std::optional<std::vector<GpuFacts>> gpus;
  Json recorded;  ///< as it was read
};

void fields(auto& visit, Of<Machine> auto& one) {
  visit.later(FIELD(node), "name of the node");
  visit.later(FIELD(host_name), "as the system has it");
  visit.later(FIELD(os));
  visit.later(FIELD(kernel), "version of Linux");
  visit.later(FIELD(arch), "such as x86_64");
  visit.later(FIELD(cpu_model), "model of the processor");
  visit.later(FIELD(cpu_vendor));
  visit.later(FIELD(microcode));
  visit.later(FIELD(bios), "version and date");
  visit.later(FIELD(dimms), "memory modules, as the kernel's EDAC drivers count them");
  visit.later(FIELD(sockets), "processors");
  visit.later(FIELD(cores), "of all sockets");
  visit.later(FIELD(logical_cpus), "hardware threads of all cores");
  visit.later(FIELD(smt));
  visit.later(FIELD(topology_from));
  visit.later(FIELD(cpuset), "CPUs that this process may use");
  visit.later(FIELD(allowed_cpus), "their number");
  visit.later(FIELD(allowed_cores));
  visit.later(FIELD(allowed_core_cpus));
  visit.later(
      FIELD(cpu_quota),
      "the time that the process's cgroups allow it, in CPUs; null where there is no quota");
  visit.later(FIELD(numa_nodes), "each with its CPUs and memory");
  visit.later(FIELD(memory_nodes));
  visit.later(FIELD(caches), "size, and how many CPUs share one");
  visit.later(FIELD(governor), "frequency governor");
  visit.later(FIELD(frequency_mhz));
  visit.later(FIELD(boost));
  visit.later(FIELD(isa_flags));
  visit.later(FIELD(hypervisor));
  visit.later(FIELD(memory_bytes), "memory of the node");
  visit.later(FIELD(memory_available_bytes));
  visit.later(FIELD(memory_limit_bytes));
  visit.later(FIELD(memory_allowance_bytes));
  visit.later(FIELD(memory_limited_by));
  visit.later(FIELD(shared_memory_bytes),
              "shared memory and files in memory, such as those in /dev/shm, when the run began");
  visit.later(FIELD(swap_bytes));
  visit.later(FIELD(page_bytes));
  visit.later(FIELD(transparent_huge_pages), "settings of the system");
  visit.later(FIELD(memory_errors), "since the kernel's EDAC drivers count them");
  visit.later(FIELD(temperature_c), "hottest sensor of the processors, when the run began");
  visit.later(FIELD(throttle_events),
              "how often cores were too hot since the node was started, when the run began");
  visit.later(FIELD(energy), "what --energy would count of the sockets: package, or package+dram");
  visit.later(FIELD(energy_reason), "why energy is null");
  visit.later(FIELD(counters), "the events that --counters would count");
  visit.later(FIELD(counters_reason), "why counters is null");
  visit.later(FIELD(load_average), "over 1, 5 and 15 minutes, when the run began");
  visit.later(FIELD(running_tasks));
  visit.later(FIELD(omp), "OpenMP variables of the environment, with those that bench sets");
  visit.later(FIELD(mounts), "where file systems of disks and of servers are mounted");
  visit.later(FIELD(loaded_modules));
  visit.maybe(FIELD(jitter));
  visit.later(FIELD(gpu), "the GPU in use; null without one");
  visit.later(FIELD(gpu_reason), "why gpu is null");
  visit.later(
      FIELD(gpu_energy_reason),
      "why the GPU in use does not report its energy; null where it does, and without a GPU");
  visit.maybe(FIELD(gpus), "--devices all: what gpu says, of each of them");
  visit.keep(one.recorded);
}

inline Text gpu_name(const Machine& machine) { return machine.gpu ? machine.gpu->name : Text(); }

}  // namespace bench
