#include "harness/compare/node_facts.hpp"

#include <vector>

#include "harness/base/reasons.hpp"
#include "harness/base/statistics.hpp"

namespace bench {
namespace {

const GpuFacts& gpu_of(const Context& context) {
  static const GpuFacts none;
  return context.machine.gpu ? *context.machine.gpu : none;
}

/// What NVML says of the GPU of a node; nothing without either.
const NvmlFacts& nvml_of(const Context& context) {
  static const NvmlFacts none;
  const GpuFacts& gpu = gpu_of(context);
  return gpu.nvml ? *gpu.nvml : none;
}

template <auto fact>
Json of_machine(const Context& context) {
  return written(context.machine.*fact);
}
template <auto fact>
Json of_run(const Context& context) {
  return written(context.run.*fact);
}
template <auto fact>
Json of_gpu(const Context& context) {
  return written(gpu_of(context).*fact);
}
template <auto fact>
Json of_nvml(const Context& context) {
  return written(nvml_of(context).*fact);
}
template <auto fact>
std::optional<double> figure_of_nvml(const Document& document) {
  return nvml_of(document.context).*fact;
}

/// How many the program saw; null where it did not look.
Json visible_gpus(const Context& context) {
  const Machine& machine = context.machine;
  if (machine.gpu) return written(machine.gpu->visible_devices);
  const Reason why = machine.gpu_reason.value_or("");
  const bool looked = !why.empty() && why != said<reasons::built_without_cuda>() &&
                      why != said<reasons::no_cuda_asked_for>();
  return looked ? Json(0) : Json();
}

Json numa_nodes(const Context& context) {
  const auto& nodes = context.machine.numa_nodes;
  return nodes && !nodes->empty() ? Json(nodes->size()) : Json();
}

Json highest_clock(const Context& context) {
  return written(context.machine.frequency_mhz.value_or(Frequency()).max);
}

Json uncorrected_errors(const Context& context) {
  return written(context.machine.memory_errors.uncorrected);
}

Json huge_pages(const Context& context) {
  return written(context.machine.transparent_huge_pages.enabled);
}

std::optional<double> clock_of_cores(const Document& document) {
  return document.context.machine.frequency_mhz.value_or(Frequency()).current;
}

std::optional<double> load(const Document& document) {
  const auto& load_average = document.context.machine.load_average;
  return load_average ? std::optional(load_average->front()) : std::nullopt;
}

std::optional<double> running_tasks(const Document& document) {
  return document.context.machine.running_tasks;
}

std::optional<double> free_bytes(const Document& document) {
  return document.context.machine.memory_available_bytes;
}

template <auto fact>
std::optional<double> figure_of_machine(const Document& document) {
  return document.context.machine.*fact;
}

/// Their share of the memory.
std::optional<double> files_in_memory(const Document& document) {
  const Machine& machine = document.context.machine;
  if (!machine.shared_memory_bytes || !machine.memory_bytes) return {};
  return static_cast<double>(*machine.shared_memory_bytes) /
         static_cast<double>(*machine.memory_bytes);
}

/// Watts of the sockets, or of the GPU, where --energy counted.
template <bool on_gpu>
std::optional<double> power(const Document& document) {
  double joules = 0;
  double seconds = 0;
  for (const CaseRecord& one : document.cases) {
    if (!one.energy || one.on_gpu() != on_gpu) continue;
    joules += one.energy->joules * static_cast<double>(one.energy->runs);
    seconds += one.energy->seconds;
  }
  return seconds > 0 ? std::optional(joules / seconds) : std::nullopt;
}

std::optional<double> corrected_errors(const Document& document) {
  return document.context.machine.memory_errors.corrected;
}

/// The bytes that are free where no process may hold the rest.
std::optional<double> free_bytes_of_gpu(const Document& document) {
  const Context& context = document.context;
  return nvml_of(context).processes == 0 ? gpu_of(context).memory_free_bytes : std::nullopt;
}

std::optional<double> memory_bytes(const Document& document) {
  return document.context.machine.memory_bytes;
}

/// The share of all samples that are counted, over all measured cases.
template <class F>
std::optional<double> share_of_samples(const std::vector<CaseRecord>& cases, F count) {
  double all = 0;
  double counted = 0;
  for (const CaseRecord& one : cases) {
    if (!one.measured()) continue;
    const std::optional<std::size_t> disturbed = count(one);
    if (!disturbed) continue;
    counted += static_cast<double>(*disturbed);
    all += static_cast<double>(*one.rounds);
  }
  if (all == 0) return {};
  return counted / all;
}

std::optional<double> waited_samples(const Document& document) {
  return share_of_samples(document.cases,
                          [](const CaseRecord& one) { return one.seconds->preempted; });
}

std::optional<double> throttled_samples(const Document& document) {
  return share_of_samples(document.cases, [](const CaseRecord& one) {
    return one.gpu ? one.gpu->throttled_samples : std::nullopt;
  });
}

constexpr char by_power[] = "power";
constexpr char by_heat[] = "heat";
constexpr char by_brake[] = "brake";
constexpr char by_hardware[] = "hardware";

template <const char* why>
std::optional<double> samples_throttled(const Document& document) {
  return share_of_samples(document.cases, [](const CaseRecord& one) -> std::optional<std::size_t> {
    if (!one.gpu || !one.gpu->throttled_samples) return {};
    if (!one.gpu->throttled_by) return 0;
    const auto found = one.gpu->throttled_by->find(why);
    return found == one.gpu->throttled_by->end() ? 0 : found->second;
  });
}

std::optional<double> clock_of_gpu(const Document& document) {
  std::vector<double> values;
  for (const CaseRecord& one : document.cases) {
    if (one.gpu && one.gpu->sm_clock_mhz) values.push_back(*one.gpu->sm_clock_mhz);
  }
  if (values.empty()) return {};
  return median(values);
}

constexpr bool not_of_hardware = false;

constexpr NodeFact all_facts[] = {
    {facts::threads, FactKind::amount, of_run<&RunRecord::threads>, not_of_hardware},
    {"threads in a parallel region", FactKind::amount, of_run<&RunRecord::threads_measured>,
     not_of_hardware},
    {facts::cpus, FactKind::amount, of_machine<&Machine::allowed_cpus>},
    {facts::cores, FactKind::amount, of_machine<&Machine::allowed_cores>},
    {facts::cpus_of_node, FactKind::amount, of_machine<&Machine::logical_cpus>},
    {"sockets", FactKind::amount, of_machine<&Machine::sockets>},
    {"NUMA nodes", FactKind::amount, numa_nodes},
    {facts::gpus, FactKind::amount, visible_gpus},
    {"PCIe lanes of the GPU", FactKind::amount, of_nvml<&NvmlFacts::pcie_width>},
    {"NVLinks of the GPU", FactKind::amount, of_nvml<&NvmlFacts::nvlinks>},
    {"power limit of the GPU (W)", FactKind::amount, of_nvml<&NvmlFacts::power_limit_w>},
    {"highest clock of the GPU (MHz)", FactKind::amount, of_nvml<&NvmlFacts::max_sm_clock_mhz>},
    {"isa", FactKind::setting, of_run<&RunRecord::isa>},
    {facts::quota, FactKind::setting, of_machine<&Machine::cpu_quota>},
    {"huge pages", FactKind::setting, huge_pages, not_of_hardware},
    {"ECC of the GPU", FactKind::setting, of_gpu<&GpuFacts::ecc>},
    {"MIG", FactKind::setting, of_nvml<&NvmlFacts::mig>},
    {facts::file_systems, FactKind::list, of_machine<&Machine::mounts>},
    {"uncorrected ECC errors of the GPU", FactKind::fault, of_nvml<&NvmlFacts::ecc_uncorrected>},
    {"rows of the GPU that wait to be remapped", FactKind::fault,
     of_nvml<&NvmlFacts::remapping_pending>},
    {"failed remapping of rows of the GPU", FactKind::fault, of_nvml<&NvmlFacts::remapping_failed>},
    {"recovery that the GPU asks for", FactKind::fault, of_nvml<&NvmlFacts::recovery_action>},
    {"processes on the GPU that have ended", FactKind::fault, of_nvml<&NvmlFacts::ended_processes>},
    {"uncorrected errors of the memory", FactKind::fault, uncorrected_errors},
    {"cpuset", FactKind::other, of_machine<&Machine::cpuset>},
    {"hyper-threading", FactKind::other, of_machine<&Machine::smt>},
    {"governor", FactKind::other, of_machine<&Machine::governor>},
    {"boost", FactKind::other, of_machine<&Machine::boost>},
    {"kernel", FactKind::other, of_machine<&Machine::kernel>},
    {"microcode", FactKind::other, of_machine<&Machine::microcode>},
    {"BIOS", FactKind::other, of_machine<&Machine::bios>},
    {"memory modules", FactKind::other, of_machine<&Machine::dimms>},
    {"highest clock (MHz)", FactKind::other, highest_clock},
    {"os", FactKind::other, of_machine<&Machine::os>},
    {"OpenMP variables", FactKind::other, of_machine<&Machine::omp>},
    {"modules", FactKind::other, of_machine<&Machine::loaded_modules>},
    {facts::no_gpu, FactKind::other, of_machine<&Machine::gpu_reason>},
    {"driver", FactKind::other, of_nvml<&NvmlFacts::driver_version>},
    {"VBIOS of the GPU", FactKind::other, of_nvml<&NvmlFacts::vbios_version>},
    {"highest memory clock of the GPU (MHz)", FactKind::other,
     of_nvml<&NvmlFacts::max_memory_clock_mhz>},
    {"CUDA of the driver", FactKind::other, of_gpu<&GpuFacts::driver_cuda_version>},
    {"persistence mode of the GPU", FactKind::other, of_nvml<&NvmlFacts::persistence_mode>}};

constexpr NodeFigure all_figures[] = {
    {"clock", "MHz", 1, false, 0, 0.03, clock_of_cores},
    {"load average", "", 1, true, 0.7, 0, load},
    {"tasks running at the start", "", 1, true, 1, 0.2, running_tasks},
    {facts::waited, "%", 100, true, 0.05, 0, waited_samples},
    {facts::memory, "GB", 1e-9, false, 0, 0.02, memory_bytes},
    {"free memory", "GB", 1e-9, false, 0, 0.2, free_bytes, 0, 0.5},
    {"shared memory (/dev/shm)", "%", 100, true, 0.02, 0, files_in_memory, 0.1},
    {"free memory of the GPU", "GB", 1e-9, false, 0, 0.02, free_bytes_of_gpu, 0, 0.1},
    {"corrected errors of the memory", "", 1, true, 100, 0, corrected_errors},
    {"temperature", "°C", 1, true, 8, 0, figure_of_machine<&Machine::temperature_c>},
    {"power", "W", 1, false, 0, 0.05, power<false>},
    {"cores too hot", "times", 1, true, 1, 0, figure_of_machine<&Machine::throttle_events>},
    {"clock of the GPU", "MHz", 1, false, 0, 0.02, clock_of_gpu},
    {"throttled samples of the GPU", "%", 100, true, 0.05, 0, throttled_samples},
    {"samples of the GPU at its limit of power", "%", 100, true, 0.05, 0,
     samples_throttled<by_power>},
    {"samples of the GPU slowed by heat", "%", 100, true, 0.05, 0, samples_throttled<by_heat>},
    {"samples of the GPU slowed by a power brake", "%", 100, true, 0.05, 0,
     samples_throttled<by_brake>},
    {"samples of the GPU slowed by its hardware", "%", 100, true, 0.05, 0,
     samples_throttled<by_hardware>},
    {"power of the GPU", "W", 1, false, 0, 0.05, power<true>},
    {"temperature of the GPU", "°C", 1, true, 8, 0, figure_of_nvml<&NvmlFacts::temperature_c>},
    {"other processes on the GPU", "", 1, true, 1, 0, figure_of_nvml<&NvmlFacts::processes>}};

}  // namespace

std::span<const NodeFact> node_facts() { return all_facts; }

std::span<const NodeFigure> node_figures() { return all_figures; }

bool is_known(const std::string& name, const Json& fact) {
  return !fact.is_null() || name == facts::quota || name == facts::no_gpu;
}

Json changed_facts(const Facts& now, const Facts& before) {
  Json found = Json::array();
  for (const auto& [name, fact] : now) {
    const auto earlier = before.find(name);
    if (earlier == before.end() || earlier->second == fact) continue;
    // A bench of before did not ask.
    if (!is_known(name, fact) || !is_known(name, earlier->second)) continue;
    found.push_back({{"name", name}, {"now", fact}, {"before", earlier->second}});
  }
  return found;
}

std::string text_of_fact(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace bench
