#include "harness/node/job_gpu.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include "harness/node/job.hpp"
#include "harness/node/text_file.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

struct Gpu {
  std::string bus_id;
  Text number;  ///< of its device file, by which Slurm calls it
  Text uuid;
};

/// The GPUs that the driver shows here, by their number on the bus.
std::vector<Gpu> gpus(const Host& host) {
  std::vector<Gpu> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(host.root / "proc/driver/nvidia/gpus", none)) {
    const Text facts = text_in(entry.path() / "information");
    found.push_back(
        {entry.path().filename(), field(facts, "Device Minor"), field(facts, "GPU UUID")});
  }
  std::sort(found.begin(), found.end(),
            [](const Gpu& a, const Gpu& b) { return a.bus_id < b.bus_id; });
  return found;
}

Text variable(const Host& host, const char* name) {
  const char* const value = host.env(name);
  return value == nullptr ? Text() : Text(value);
}

/// What identifies the GPUs of the step: Slurm's numbers are those of the node, CUDA's may be
/// counted among what the job sees.
std::vector<std::string> names(const Host& host) {
  for (const char* const name : {"SLURM_STEP_GPUS", "SLURM_JOB_GPUS", "CUDA_VISIBLE_DEVICES"}) {
    const std::vector<std::string> all = split(variable(host, name), ',');
    if (!all.empty()) return all;
  }
  return {};
}

/// True where Slurm says that a job has none.
bool hidden(const Host& host) {
  const Text visible = variable(host, "CUDA_VISIBLE_DEVICES");
  return visible && (visible->empty() || visible == "-1" || visible == "NoDevFiles");
}

bool is_called(const Gpu& gpu, const std::string& name) {
  return gpu.number == name || (gpu.uuid && gpu.uuid->starts_with(name));
}

/// Tasks that see all GPUs of their node share them out.
template <class T>
const T& own_share(const std::vector<T>& all, const Host& host) {
  return all[static_cast<std::size_t>(local_rank(host)) % all.size()];
}

}  // namespace

std::vector<int> cpus_near_gpu(const Host& host) {
  const std::vector<Gpu> all = gpus(host);
  if (all.empty() || hidden(host)) return {};
  const std::vector<std::string> called = names(host);
  const Gpu* own = all.size() == 1 || called.empty() ? &own_share(all, host) : nullptr;
  for (const Gpu& gpu : all) {
    if (own == nullptr && is_called(gpu, own_share(called, host))) own = &gpu;
  }
  if (own == nullptr) return {};
  const fs::path device = host.root / "sys/bus/pci/devices" / own->bus_id;
  return cpus_in(text_in(device / "local_cpulist").value_or(""));
}

}  // namespace bench
