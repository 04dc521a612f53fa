// A GPU, as the result file has it; nothing where it is not known.
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

void fields(auto& visit, Of<GpuLimits> auto& one) {
  visit.later(FIELD(warp));
  visit.later(FIELD(threads_per_block));
  visit.later(FIELD(block), "most threads in x, y and z");
  visit.later(FIELD(grid), "most blocks in x, y and z");
  visit.later(FIELD(shared_bytes_per_block));
  visit.later(FIELD(shared_bytes_per_block_opt_in));
  visit.later(FIELD(registers_per_block));
  visit.later(FIELD(threads_per_multiprocessor));
  visit.later(FIELD(blocks_per_multiprocessor));
  visit.later(FIELD(shared_bytes_per_multiprocessor));
  visit.later(FIELD(registers_per_multiprocessor));
  visit.later(FIELD(f32_per_clock_per_multiprocessor));
  visit.later(FIELD(f64_per_clock_per_multiprocessor));
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
  std::optional<unsigned> pcie_width;
  std::optional<unsigned> sm_clock_mhz;
  std::optional<unsigned> memory_clock_mhz;
  std::optional<unsigned> temperature_c;
  std::optional<bool> ecc;
  std::optional<unsigned long long> ecc_uncorrected;
  std::optional<bool> remapping_pending;
  std::optional<bool> remapping_failed;
  Text recovery_action;  ///< nothing where none is needed, too
  Text vbios_version;
  std::optional<unsigned> nvlinks;
  std::optional<bool> persistence_mode;
  Text compute_mode;
  std::optional<unsigned> utilization_percent;  ///< by others
  std::optional<std::size_t> processes;         ///< other than this one
  std::optional<std::size_t> ended_processes;   ///< that the GPU still has; of these
  std::optional<unsigned long long> total_energy_mj;
};

void fields(auto& visit, Of<NvmlFacts> auto& one) {
  visit.later(FIELD(driver_version));
  visit.later(FIELD(name));
  visit.later(FIELD(uuid));
  visit.later(FIELD(pci_bus_id));
  visit.later(FIELD(mig));
  visit.later(FIELD(power_limit_w));
  visit.later(FIELD(power_w));
  visit.later(FIELD(max_sm_clock_mhz));
  visit.later(FIELD(max_memory_clock_mhz));
  visit.later(FIELD(pcie_width), "lanes of PCIe in use");
  visit.later(FIELD(sm_clock_mhz));
  visit.later(FIELD(memory_clock_mhz));
  visit.later(FIELD(temperature_c));
  visit.later(FIELD(ecc));
  visit.later(FIELD(ecc_uncorrected), "uncorrected errors since the driver was loaded");
  visit.later(FIELD(remapping_pending), "rows of the memory are remapped at the next reset");
  visit.later(FIELD(remapping_failed), "rows of the memory could not be remapped");
  visit.later(FIELD(recovery_action), "what the GPU needs after errors (Xid), such as gpu_reset");
  visit.later(FIELD(vbios_version));
  visit.later(FIELD(nvlinks), "that are up");
  visit.later(FIELD(persistence_mode));
  visit.later(FIELD(compute_mode));
  visit.later(FIELD(utilization_percent));
  visit.later(FIELD(processes));
  visit.later(FIELD(ended_processes), "processes that the GPU has and the node no longer");
  visit.later(FIELD(total_energy_mj));
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

void fields(auto& visit, Of<GpuFacts> auto& one) {
  visit.later(FIELD(name));
  visit.later(FIELD(uuid));
  visit.later(FIELD(pci_bus_id));
  visit.later(FIELD(numa_node), "that is near it; null where unknown, or where there are several");
  visit.later(FIELD(local_cpus), "the CPUs near it, as in cpuset");
  visit.later(FIELD(visible_devices), "number of GPUs that the process can see");
  visit.later(FIELD(device_number),
              "among the visible ones: the task's rank on its node modulo their number");
  visit.later(FIELD(compute_capability));
  visit.later(FIELD(multiprocessors));
  visit.later(FIELD(limits),
              "what the device allows at most; units as results per clock and multiprocessor, null "
              "where its compute capability is not known");
  visit.later(FIELD(memory_bytes), "memory of the device");
  visit.later(FIELD(memory_free_bytes), "free when the run began");
  visit.later(FIELD(l2_bytes), "size of the L2 cache");
  visit.later(FIELD(ecc), "true: its memory corrects errors");
  visit.later(FIELD(sm_clock_max_mhz));
  visit.later(FIELD(memory_clock_max_mhz));
  visit.later(FIELD(driver_cuda_version), "newest CUDA version that the driver supports");
  visit.later(FIELD(runtime_version), "CUDA runtime of the program");
  visit.later(FIELD(context_s), "creating the context, once per process");
  visit.later(FIELD(event_floor_s), "what the event clock shows for an empty kernel");
  visit.later(FIELD(launch_s), "from one empty kernel to the next where many are queued");
  visit.later(FIELD(samples_queued), "the device begins a sample once all of it has been launched");
  visit.later(FIELD(nvml),
              "what NVML says when the run begins: clocks, power, temperature, other processes");
  visit.later(FIELD(nvml_reason), "why nvml is null");
  visit.keep(one.recorded);
}

}  // namespace bench
