#include "harness/command/this_node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/error.hpp"
#include "harness/base/phases.hpp"
#include "harness/base/reasons.hpp"
#include "harness/cuda/offload.hpp"
#include "harness/measure/tbb_team.hpp"
#include "harness/node/allowance.hpp"
#include "harness/node/energy.hpp"
#include "harness/node/environment.hpp"
#include "harness/node/jitter.hpp"
#include "harness/node/job.hpp"
#include "harness/node/topology.hpp"
#include "harness/plan/input_files.hpp"
#include "harness/plan/memory_room.hpp"

namespace bench {
namespace {

/// The energy of the sockets; without a counter where the node does not report energy.
EnergyMeter socket_energy() {
  const auto sockets = std::make_shared<SocketEnergy>();
  if (!sockets->reason().empty()) return {};
  return {sockets->of(), [sockets] { return sockets->joules(); }, socket_span_seconds};
}

EnergyMeter gpu_energy(const cuda::Device& device) {
  if (!device.no_energy().empty()) return {};
  return {"gpu", [&device] { return device.joules(); }, gpu_span_seconds};
}

/// Before it is read: a file that does not fit takes minutes, and then nothing can be measured.
void refuse_too_large(const std::string& path) {
  const NpyFile file(path);
  const std::size_t bytes = file.elements() * bytes_of(file.dtype());
  const auto room = memory_allowance();
  if (!room || bytes <= room->bytes) return;
  throw UsageError(fmt::format("{}: holds {}; {} available ({}): take a part of it", path,
                               bytes_text(bytes), bytes_text(room->bytes), room->limited_by.text));
}

}  // namespace

bool Abilities::has(simd::Isa isa) const {
  return std::find(isas.begin(), isas.end(), isa) != isas.end();
}

Abilities abilities() {
  return {.job_threads = job_threads(),
          .allowed_cpus = std::max(1, static_cast<int>(allowed_cpus().size())),
          .isas = simd::available(),
          .in_job = slurm().has_value()};
}

void complete(Settings& settings, const std::vector<std::string>& inputs) {
  settings.last_level_cache_bytes = last_level_cache_bytes(this_topology(), allowed_cpus());
  settings.own_cache_bytes = own_cache_bytes(this_topology(), allowed_cpus());
  settings.memory_allowance = [] { return memory_allowance(); };
  settings.with_cuda = cuda::built_with_cuda();
  settings.absent = absent_models();
  if (settings.energy) settings.socket_energy = socket_energy();
  if (settings.counters) {
    settings.event_counter = [] { return std::make_unique<EventCounter>(); };
  }
  std::for_each(inputs.begin(), inputs.end(), refuse_too_large);
  if (!inputs.empty()) settings.inputs = std::make_shared<const InputFiles>(inputs);
}

bool is_built(const Backend& backend) {
  if (backend.pool == Pool::tbb) return built_with_tbb();
  if (backend.regions) return cuda::built_with_offload();
  return backend.runs_on != RunsOn::device || cuda::built_with_cuda();
}

std::vector<const Backend*> absent_models() {
  std::vector<const Backend*> absent;
  for (const Backend& one : backends::all) {
    if (is_model(one.name) && !is_built(one)) absent.push_back(&one);
  }
  return absent;
}

bool need_device(const std::vector<PlannedGroup>& groups) {
  return std::any_of(groups.begin(), groups.end(), [](const PlannedGroup& group) {
    return std::any_of(group.cases.begin(), group.cases.end(), [](const PlannedCase& planned) {
      return !planned.identity.threads && !planned.identity.status;
    });
  });
}

std::unique_ptr<cuda::Device> open_device(const std::vector<PlannedGroup>& groups,
                                          Settings& settings) {
  if (!need_device(groups) || !settings.with_cuda) return nullptr;
  const InPhase opening(Phase::device);
  auto device = std::make_unique<cuda::Device>(local_rank(), settings.gpu_number);
  // Asked for only now: the first call starts the driver, which is part of the context's time.
  const std::size_t seen = settings.gpu_number ? cuda::device_count() : 0;
  if (seen > 0 && *settings.gpu_number >= seen) {
    throw UsageError(
        fmt::format("--device {}: CUDA sees {} here, counted from 0", *settings.gpu_number, seen));
  }
  settings.device = device.get();
  if (const auto& facts = device->facts()) {
    settings.gpu = GpuSize{facts->l2_bytes.value_or(0), facts->memory_free_bytes.value_or(0),
                           facts->multiprocessors.value_or(1)};
  }
  if (settings.energy) settings.gpu_energy = gpu_energy(*device);
  return device;
}

Machine machine_facts(const Settings& settings) {
  constexpr double enough_s = 0.02;  // some of the clock's ticks, and too short to notice
  Machine facts = machine();
  facts.jitter = observed_jitter(settings.job_threads, enough_s);
  return facts;
}

void add_gpu(Machine& machine, const cuda::Device* device) {
  if (device != nullptr) machine.gpu = device->facts();
  const bool works = device != nullptr && device->reason().empty();
  const Reason no_energy = works ? device->no_energy() : Reason();
  if (!no_energy.empty()) machine.gpu_energy_reason = no_energy;
  if (!cuda::built_with_cuda()) {
    machine.gpu_reason = said<reasons::built_without_cuda>();
  } else if (device == nullptr) {
    machine.gpu_reason = said<reasons::no_cuda_asked_for>();
  } else if (!device->reason().empty()) {
    machine.gpu_reason = device->reason();
  }
}

}  // namespace bench
