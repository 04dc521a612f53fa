#include "harness/cuda/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/base/fields.hpp"
#include "harness/base/reasons.hpp"
#include "harness/node/family.hpp"

namespace bench::cuda {
namespace {

// ---- what nvml.h declares ----

using Status = int;
using Device = void*;

constexpr Status kSuccess = 0;
constexpr Status kNotFound = 6;
constexpr Status kInsufficientSize = 7;
constexpr Status kFunctionNotFound = 13;

constexpr unsigned kSmClock = 1;
constexpr unsigned kMemoryClock = 2;
constexpr unsigned kGpuSensor = 0;
constexpr int kUncorrected = 1;
constexpr int kSinceDriverWasLoaded = 0;

constexpr unsigned kRecoveryAction = 230;
constexpr unsigned kMostNvLinks = 36;

constexpr const char* kEnergy = "nvmlDeviceGetTotalEnergyConsumption";  // in millijoules

constexpr unsigned long long kPowerCap = 0x4;
constexpr unsigned long long kHardwareSlowdown = 0x8;
constexpr unsigned long long kSoftwareThermal = 0x20;
constexpr unsigned long long kHardwareThermal = 0x40;
constexpr unsigned long long kPowerBrake = 0x80;

struct PciInfo {
  std::array<char, 16> legacy_id;
  unsigned domain, bus, device;
  unsigned device_id, subsystem_id;
  std::array<char, 32> id;
};

struct FieldValue {
  unsigned field, scope;
  long long time, latency;
  int type;
  Status status;
  union {
    double real;
    unsigned number;
    unsigned long long large;
  } value;
};

struct Utilization {
  unsigned gpu, memory;
};

struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};

// ---- text ----

// At most `most` bytes, those that are not UTF-8 replaced.
std::string clean(const char* text, std::size_t most = 300) {
  const Json bytes = std::string(text, strnlen(text, most));
  return Json::parse(bytes.dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

std::optional<double> thousandth(const std::optional<unsigned>& value) {
  return value ? std::optional(*value / 1000.0) : std::nullopt;
}

std::optional<bool> switched_on(const std::optional<unsigned>& value) {
  return value ? std::optional(*value == 1) : std::nullopt;
}

std::optional<std::string> compute_mode(const std::optional<unsigned>& value) {
  constexpr std::array kNames = {"default", "exclusive_thread", "prohibited", "exclusive_process"};
  if (!value || *value >= kNames.size()) return {};
  return kNames[*value];
}

/// What is to be done after errors; nothing for what needs nothing.
std::optional<std::string> recovery_action(const std::optional<unsigned>& value) {
  constexpr std::array kNames = {"",          "gpu_reset",       "node_reboot",
                                 "drain_p2p", "drain_and_reset", "recover_imex_domain",
                                 "bus_reset", "system_reboot"};
  if (value.value_or(0) == 0) return {};
  return *value < kNames.size() ? kNames[*value] : fmt::format("action {}", *value);
}

}  // namespace

std::vector<std::string> throttled_by(unsigned long long reasons) {
  std::vector<std::string> words;
  if ((reasons & kPowerCap) != 0) words.emplace_back("power");
  if ((reasons & (kSoftwareThermal | kHardwareThermal)) != 0) words.emplace_back("heat");
  if ((reasons & kPowerBrake) != 0) words.emplace_back("brake");
  if (words.empty() && (reasons & kHardwareSlowdown) != 0) words.emplace_back("hardware");
  return words;
}

bool throttled(unsigned long long reasons) { return !throttled_by(reasons).empty(); }

// ---- the library, opened and initialised ----

struct Nvml::Session {
  explicit Session(void* opened) : library(opened) {}
  ~Session() {
    if (initialised) call("nvmlShutdown");
    dlclose(library);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void* library;
  bool initialised = false;
  Device device = nullptr;
  bool slice = false;
  // The GPU that a MIG slice is part of: few questions are answered for the slice itself.
  Device parent = nullptr;

  // A function that an older library lacks fails like any other call. The types of the arguments
  // must be those of nvml.h, but for pointers to its structures: those go as void*.
  template <class... A>
  Status call(const char* function, A... arguments) const {
    const auto address = reinterpret_cast<Status (*)(A...)>(dlsym(library, function));
    return address == nullptr ? kFunctionNotFound : address(arguments...);
  }

  std::string words(Status status) const {
    const auto in_words =
        reinterpret_cast<const char* (*)(Status)>(dlsym(library, "nvmlErrorString"));
    const char* text = in_words == nullptr ? nullptr : in_words(status);
    return text == nullptr ? fmt::format("error {}", status) : clean(text);
  }

  Status find_by(const char* function, const std::string& name, Device& handle) const {
    return name.empty() ? kNotFound : call(function, name.c_str(), &handle);
  }

  // Empty if the device was found, otherwise why not.
  std::string find(const std::string& uuid, const std::string& pci_bus_id) {
    constexpr const char* kByUuid = "nvmlDeviceGetHandleByUUID";
    constexpr const char* kByPci = "nvmlDeviceGetHandleByPciBusId_v2";
    slice = uuid.starts_with("MIG-");
    const Status by_uuid = find_by(kByUuid, uuid, device);
    bool found = by_uuid == kSuccess;
    if (!found && (slice || uuid.starts_with("GPU-"))) {
      slice = !slice;
      found = find_by(kByUuid, (slice ? "MIG-" : "GPU-") + uuid.substr(4), device) == kSuccess;
    }
    if (found) {
      if (slice && find_by(kByPci, pci_bus_id, parent) != kSuccess) parent = nullptr;
      return {};
    }
    slice = false;
    const Status by_pci = find_by(kByPci, pci_bus_id, device);
    if (by_pci == kSuccess) return {};
    return fmt::format("NVML finds no device by UUID '{}' ({}) or PCI bus id '{}' ({})", uuid,
                       words(by_uuid), pci_bus_id, words(by_pci));
  }

  // A number that NVML writes where the last argument points to.
  template <class Number, class... A>
  std::optional<Number> of(Device which, const char* function, A... arguments) const {
    constexpr Number kNotAvailable = std::numeric_limits<Number>::max();
    Number value = kNotAvailable;
    if (call(function, which, arguments..., &value) != kSuccess) return {};
    return value == kNotAvailable ? std::nullopt : std::optional(value);
  }

  template <class Number = unsigned, class... A>
  std::optional<Number> number(const char* function, A... arguments) const {
    const auto answer = of<Number>(device, function, arguments...);
    if (answer || parent == nullptr) return answer;
    return of<Number>(parent, function, arguments...);
  }

  // Modes come with the one that holds after the next reset.
  std::optional<bool> mode(const char* function) const {
    unsigned now = 0;
    unsigned later = 0;
    Status status = call(function, device, &now, &later);
    if (status != kSuccess && parent != nullptr) status = call(function, parent, &now, &later);
    return status == kSuccess ? std::optional(now == 1) : std::nullopt;
  }

  template <class... A>
  std::optional<std::string> text(const char* function, A... arguments) const {
    constexpr unsigned kLength = 96;
    std::array<char, kLength + 1> buffer{};
    if (call(function, arguments..., buffer.data(), kLength) != kSuccess) return {};
    std::string answer = clean(buffer.data());
    return answer.empty() ? std::nullopt : std::optional(std::move(answer));
  }

  // What a slice does not say is the same of its GPU.
  std::optional<std::string> text_of_gpu(const char* function) const {
    const auto answer = text(function, device);
    return answer || parent == nullptr ? answer : text(function, parent);
  }

  // As CUDA writes it.
  std::optional<std::string> pci_bus_id() const {
    PciInfo info{};
    void* out = &info;
    for (Device which : {device, parent}) {
      if (which == nullptr || call("nvmlDeviceGetPciInfo_v3", which, out) != kSuccess) continue;
      return fmt::format("{:04X}:{:02X}:{:02X}.0", info.domain, info.bus, info.device);
    }
    return {};
  }

  // One of the many numbers that NVML has no function for.
  std::optional<unsigned> field(unsigned which) const {
    FieldValue one{};
    one.field = which;
    void* out = &one;
    for (Device asked : {device, parent}) {
      if (asked != nullptr && call("nvmlDeviceGetFieldValues", asked, 1, out) == kSuccess &&
          one.status == kSuccess) {
        return one.value.number;
      }
    }
    return {};
  }

  // Those that are up; nothing of a GPU without any.
  std::optional<unsigned> nvlinks() const {
    std::optional<unsigned> up;
    for (unsigned link = 0; link < kMostNvLinks; ++link) {
      const auto is_up = number("nvmlDeviceGetNvLinkState", link);
      if (is_up) up = up.value_or(0) + (*is_up == 1 ? 1 : 0);
    }
    return up;
  }

  // Rows of the memory that wait to be remapped, and those that could not be.
  std::optional<std::array<bool, 2>> remapping() const {
    unsigned corrected = 0;
    unsigned uncorrected = 0;
    unsigned pending = 0;
    unsigned failed = 0;
    for (Device which : {device, parent}) {
      if (which == nullptr || call("nvmlDeviceGetRemappedRows", which, &corrected, &uncorrected,
                                   &pending, &failed) != kSuccess) {
        continue;
      }
      return std::array{pending != 0, failed != 0};
    }
    return {};
  }

  // Not asked of a slice's parent, nor is the next: neighbours' work is not on this device.
  std::optional<unsigned> utilization() const {
    Utilization percent{};
    void* out = &percent;
    const Status status = call("nvmlDeviceGetUtilizationRates", device, out);
    return status == kSuccess && percent.gpu <= 100 ? std::optional(percent.gpu) : std::nullopt;
  }

  std::optional<std::vector<pid_t>> other_processes() const {
    constexpr unsigned kMost = 1 << 16;
    const char* function = "nvmlDeviceGetComputeRunningProcesses_v3";
    unsigned count = 0;
    void* out = nullptr;
    Status status = call(function, device, &count, out);
    if (status == kFunctionNotFound) {  // older drivers, and some 535
      function = "nvmlDeviceGetComputeRunningProcesses_v2";
      status = call(function, device, &count, out);
    }
    if (status == kSuccess && count == 0) return std::vector<pid_t>();
    if ((status != kSuccess && status != kInsufficientSize) || count > kMost) return {};
    // Some more may have started since. Twice the memory: other 535 drivers wrote longer entries.
    count += 8;
    std::vector<Process> list(2 * std::size_t{count});
    out = list.data();
    if (call(function, device, &count, out) != kSuccess || count > list.size() / 2) return {};
    std::vector<pid_t> others;
    for (unsigned i = 0; i < count; ++i) {
      const auto pid = static_cast<pid_t>(list[i].pid);
      if (!is_of_this_process(pid)) others.push_back(pid);
    }
    return others;
  }
};

Nvml::Nvml(const std::string& uuid, const std::string& pci_bus_id, const std::string& library) {
  void* opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    const char* error = dlerror();
    reason_ = clean(error == nullptr ? library.c_str() : error);
    return;
  }
  auto session = std::make_unique<Session>(opened);
  for (const char* function : {"nvmlInit_v2", "nvmlDeviceGetHandleByUUID"}) {
    if (dlsym(opened, function) != nullptr) continue;
    reason_ = clean(fmt::format("{} has no function {}", library, function).c_str());
    return;
  }
  const Status status = session->call("nvmlInit_v2");
  session->initialised = status == kSuccess;
  reason_ = session->initialised
                ? clean(session->find(uuid, pci_bus_id).c_str())
                : fmt::format("NVML does not initialise: {}", session->words(status));
  if (reason_.empty()) session_ = std::move(session);
}

Nvml::~Nvml() = default;

NvmlFacts Nvml::facts() const {
  NvmlFacts facts;
  if (!session_) return facts;
  const Session& nvml = *session_;
  facts.driver_version = nvml.text("nvmlSystemGetDriverVersion");
  facts.name = nvml.text("nvmlDeviceGetName", nvml.device);
  facts.uuid = nvml.text("nvmlDeviceGetUUID", nvml.device);
  facts.pci_bus_id = nvml.pci_bus_id();
  facts.mig = nvml.slice ? true : nvml.mode("nvmlDeviceGetMigMode");
  facts.power_limit_w = thousandth(nvml.number("nvmlDeviceGetEnforcedPowerLimit"));
  facts.power_w = thousandth(nvml.number("nvmlDeviceGetPowerUsage"));
  facts.max_sm_clock_mhz = nvml.number("nvmlDeviceGetMaxClockInfo", kSmClock);
  facts.max_memory_clock_mhz = nvml.number("nvmlDeviceGetMaxClockInfo", kMemoryClock);
  facts.pcie_width = nvml.number("nvmlDeviceGetCurrPcieLinkWidth");
  facts.sm_clock_mhz = nvml.number("nvmlDeviceGetClockInfo", kSmClock);
  facts.memory_clock_mhz = nvml.number("nvmlDeviceGetClockInfo", kMemoryClock);
  facts.temperature_c = nvml.number("nvmlDeviceGetTemperature", kGpuSensor);
  facts.ecc = nvml.mode("nvmlDeviceGetEccMode");
  facts.ecc_uncorrected = nvml.number<unsigned long long>("nvmlDeviceGetTotalEccErrors",
                                                          kUncorrected, kSinceDriverWasLoaded);
  if (const auto remapping = nvml.remapping()) {
    facts.remapping_pending = (*remapping)[0];
    facts.remapping_failed = (*remapping)[1];
  }
  facts.recovery_action = recovery_action(nvml.field(kRecoveryAction));
  facts.vbios_version = nvml.text_of_gpu("nvmlDeviceGetVbiosVersion");
  facts.nvlinks = nvml.nvlinks();
  facts.persistence_mode = switched_on(nvml.number("nvmlDeviceGetPersistenceMode"));
  facts.compute_mode = compute_mode(nvml.number("nvmlDeviceGetComputeMode"));
  facts.utilization_percent = nvml.utilization();
  if (const auto others = nvml.other_processes()) {
    facts.processes = others->size();
    if (sees_all_processes()) facts.ended_processes = ended(*others);
  }
  facts.total_energy_mj = nvml.number<unsigned long long>(kEnergy);
  return facts;
}

std::optional<unsigned> Nvml::work_of_others(double patience) const {
  constexpr auto pause = std::chrono::milliseconds(50);
  if (!session_) return {};
  const Stopwatch stopwatch;
  auto least = session_->utilization();
  while (least && *least > 0 && stopwatch.seconds() < patience) {
    std::this_thread::sleep_for(pause);
    least = std::min(*least, session_->utilization().value_or(*least));
  }
  return least;
}

std::optional<double> Nvml::joules() const {
  if (!session_ || session_->slice) return {};
  const auto millijoules = session_->of<unsigned long long>(session_->device, kEnergy);
  return millijoules ? std::optional(static_cast<double>(*millijoules) * 1e-3) : std::nullopt;
}

Reason Nvml::no_energy() const {
  if (!session_) return reason_;
  if (session_->slice) return said<reasons::energy_of_mig>();
  return joules() ? "" : said<reasons::gpu_tells_no_energy>();
}

GpuState Nvml::state() const {
  GpuState state;
  if (!session_) return state;
  state.sm_clock_mhz = session_->number("nvmlDeviceGetClockInfo", kSmClock);
  // The name since driver 535, then the one before.
  using Reasons = unsigned long long;
  state.throttle_reasons = session_->number<Reasons>("nvmlDeviceGetCurrentClocksEventReasons");
  if (!state.throttle_reasons) {
    state.throttle_reasons = session_->number<Reasons>("nvmlDeviceGetCurrentClocksThrottleReasons");
  }
  return state;
}

}  // namespace bench::cuda
