// A GPU, as the document has it; nothing where it is not known.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "harness/base/fields.hpp"
#include "harness/node/text_file.hpp"

namespace bench {

/// What the device allows at most.
struct GpuLimits {
  std::optional<int> warp;
  std::optional<int> threads_per_block;
  std::array<std::optional<int>, 3> block;
  std::array<std::optional<int>, 3> grid;
  std::optional<int> shared_bytes_per_block;
  std::optional<int> shared_bytes_per_block_opt_in;
  std::optional<int> registers_per_block;  ///< of 32 bits
  std::optional<int> threads_per_multiprocessor;
  std::optional<int> blocks_per_multiprocessor;
  std::optional<int> shared_bytes_per_multiprocessor;
  std::optional<int> registers_per_multiprocessor;
  std::optional<int> f32_per_clock_per_multiprocessor;
  std::optional<int> f64_per_clock_per_multiprocessor;
};

template <class V>
void fields(V& visit, Of<GpuLimits> auto& one) {
  visit.later("warp", one.warp);
  visit.later("threads_per_block", one.threads_per_block);
  visit.later("block", one.block);
  visit.later("grid", one.grid);
  visit.later("shared_bytes_per_block", one.shared_bytes_per_block);
  visit.later("shared_bytes_per_block_opt_in", one.shared_bytes_per_block_opt_in);
  visit.later("registers_per_block", one.registers_per_block);
  visit.later("threads_per_multiprocessor", one.threads_per_multiprocessor);
  visit.later("blocks_per_multiprocessor", one.blocks_per_multiprocessor);
  visit.later("shared_bytes_per_multiprocessor", one.shared_bytes_per_multiprocessor);
  visit.later("registers_per_multiprocessor", one.registers_per_multiprocessor);
  visit.later("f32_per_clock_per_multiprocessor", one.f32_per_clock_per_multiprocessor);
  visit.later("f64_per_clock_per_multiprocessor", one.f64_per_clock_per_multiprocessor);
}

/// What the driver's library for management says.
struct NvmlFacts {
  Text driver_version;
  Text name;
  Text uuid;
  Text pci_bus_id;
  std::optional<bool> mig;
  std::optional<double> power_limit_w;
  std::optional<double> power_w;
  std::optional<unsigned> max_sm_clock_mhz;
  std::optional<unsigned> max_memory_clock_mhz;
  std::optional<unsigned> sm_clock_mhz;
  std::optional<unsigned> memory_clock_mhz;
  std::optional<unsigned> temperature_c;
  std::optional<bool> ecc;
  std::optional<bool> persistence_mode;
  Text compute_mode;
  std::optional<unsigned> utilization_percent;  ///< by others
  std::optional<std::size_t> processes;         ///< beside this one
  std::optional<unsigned long long> total_energy_mj;
};

template <class V>
void fields(V& visit, Of<NvmlFacts> auto& one) {
  visit.later("driver_version", one.driver_version);
  visit.later("name", one.name);
  visit.later("uuid", one.uuid);
  visit.later("pci_bus_id", one.pci_bus_id);
  visit.later("mig", one.mig);
  visit.later("power_limit_w", one.power_limit_w);
  visit.later("power_w", one.power_w);
  visit.later("max_sm_clock_mhz", one.max_sm_clock_mhz);
  visit.later("max_memory_clock_mhz", one.max_memory_clock_mhz);
  visit.later("sm_clock_mhz", one.sm_clock_mhz);
  visit.later("memory_clock_mhz", one.memory_clock_mhz);
  visit.later("temperature_c", one.temperature_c);
  visit.later("ecc", one.ecc);
  visit.later("persistence_mode", one.persistence_mode);
  visit.later("compute_mode", one.compute_mode);
  visit.later("utilization_percent", one.utilization_percent);
  visit.later("processes", one.processes);
  visit.later("total_energy_mj", one.total_energy_mj);
}

struct GpuFacts {
  Text name;
  Text uuid;
  Text pci_bus_id;
  std::optional<int> numa_node;
  Text local_cpus;
  std::optional<int> visible_devices;
  std::optional<int> device_number;
  Text compute_capability;
  std::optional<int> multiprocessors;
  std::optional<GpuLimits> limits;
  std::optional<std::size_t> memory_bytes;
  std::optional<std::size_t> memory_free_bytes;
  std::optional<std::size_t> l2_bytes;
  std::optional<bool> ecc;
  std::optional<double> sm_clock_max_mhz;
  std::optional<double> memory_clock_max_mhz;
  Text driver_cuda_version;
  Text runtime_version;
  std::optional<double> context_s;
  std::optional<double> event_floor_s;
  std::optional<double> launch_s;
  std::optional<bool> samples_queued;
  std::optional<NvmlFacts> nvml;
  Text nvml_reason;
  Json recorded;  ///< as it was read
};

template <class V>
void fields(V& visit, Of<GpuFacts> auto& one) {
  visit.later("name", one.name);
  visit.later("uuid", one.uuid);
  visit.later("pci_bus_id", one.pci_bus_id);
  visit.later("numa_node", one.numa_node);
  visit.later("local_cpus", one.local_cpus);
  visit.later("visible_devices", one.visible_devices);
  visit.later("device_number", one.device_number);
  visit.later("compute_capability", one.compute_capability);
  visit.later("multiprocessors", one.multiprocessors);
  visit.later("limits", one.limits);
  visit.later("memory_bytes", one.memory_bytes);
  visit.later("memory_free_bytes", one.memory_free_bytes);
  visit.later("l2_bytes", one.l2_bytes);
  visit.later("ecc", one.ecc);
  visit.later("sm_clock_max_mhz", one.sm_clock_max_mhz);
  visit.later("memory_clock_max_mhz", one.memory_clock_max_mhz);
  visit.later("driver_cuda_version", one.driver_cuda_version);
  visit.later("runtime_version", one.runtime_version);
  visit.later("context_s", one.context_s);
  visit.later("event_floor_s", one.event_floor_s);
  visit.later("launch_s", one.launch_s);
  visit.later("samples_queued", one.samples_queued);
  visit.later("nvml", one.nvml);
  visit.later("nvml_reason", one.nvml_reason);
  visit.keep(one.recorded);
}

}  // namespace bench
