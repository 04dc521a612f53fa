#include "harness/cuda/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/base/fields.hpp"
#include "harness/base/phases.hpp"
#include "harness/base/reasons.hpp"
#include "harness/base/statistics.hpp"
#include "harness/cuda/instrument.hpp"
#include "harness/cuda/launch.hpp"
#include "harness/cuda/limits.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/topology.hpp"

#if defined(BENCH_WITH_HIP)
#include "harness/cuda/hip/vendor.hpp"
#else
#include "harness/cuda/vendor.hpp"
#endif
#if !defined(BENCH_WITH_CUDA) && !defined(BENCH_WITH_HIP)
#include "harness/cuda_on_cpu/control.hpp"
#endif

namespace bench::cuda {
namespace {

// Slurm shows a job its own devices only, numbered from 0.

/// An attribute in units of 1000, as the runtime gives clocks (kHz); nothing where it does not.
std::optional<double> thousands(cudaDeviceAttr attribute, int number) {
  const int value = known_attribute(attribute, number).value_or(0);
  return value > 0 ? std::optional(value / 1000.0) : std::nullopt;
}

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record() { check(cudaEventRecord(event_, nullptr), "cudaEventRecord"); }
  void wait() { check(cudaEventSynchronize(event_), "while the kernel ran"); }
  double seconds_since(const Event& earlier) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_), "cudaEventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace

/// What is taken from the device once for the whole run.
struct Device::Resources {
  Event begin;
  Event end;
  DeviceBuffer other_data;  ///< fills the L2 cache
  Hold hold;
  unsigned blocks;

  Resources(std::size_t l2_bytes, unsigned multiprocessors)
      : other_data(2 * l2_bytes + sizeof(unsigned)), blocks(8 * multiprocessors) {
    check(cudaMemset(other_data.data(), 0, other_data.bytes()), "cudaMemset");
  }
};

bool built_with_cuda() {
#if defined(BENCH_WITH_CUDA) || defined(BENCH_WITH_HIP)
  return true;
#else
  return stand_in::poses_as_cuda();
#endif
}

const Backend& backend_of_device() { return vendor::backend; }

std::size_t device_count() {
  const InPhase starting(Phase::device);  // the first call of all starts the driver
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return static_cast<std::size_t>(count);
  cudaGetLastError();
  return 0;
}

Device::Device(int local_rank, std::optional<std::size_t> number, double busy_s) : busy_s_(busy_s) {
  try {
    open(local_rank, number);
  } catch (const std::exception& error) {
    reason_ = said<reasons::no_device_because>(std::string(error.what()));
    facts_.reset();
    resources_.reset();
  }
}

Device::~Device() = default;

void Device::open(int local_rank, std::optional<std::size_t> wanted) {
  const Stopwatch stopwatch;  // the first call of all starts the driver
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count == 0) {
    reason_ = vendor::absence(found);
    return;
  }
  if (wanted && *wanted >= static_cast<std::size_t>(count)) {
    reason_ = said<reasons::no_device_because>(said<reasons::no_such_device>(*wanted, count));
    return;
  }
  // Tasks that all see all devices of their node share them out.
  const int number = wanted ? static_cast<int>(*wanted) : local_rank % count;
  check(cudaSetDevice(number), "cudaSetDevice");
  check(cudaFree(nullptr), "creating the context");
  const double context_seconds = stopwatch.seconds();

  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, number), "cudaGetDeviceProperties");
  uuid_ = vendor::uuid_of(number, properties);
  char pci[32] = "";
  check(cudaDeviceGetPCIBusId(pci, sizeof pci, number), "cudaDeviceGetPCIBusId");
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  l2_bytes_ = static_cast<std::size_t>(properties.l2CacheSize);
  if (vendor::has_nvml) nvml_ = std::make_unique<Nvml>(uuid_, pci);
  constexpr double longest_reading = 1.5;  // seconds
  const auto others = nvml_ ? nvml_->work_of_others(longest_reading) : std::nullopt;
  resources_ =
      std::make_unique<Resources>(l2_bytes_, static_cast<unsigned>(properties.multiProcessorCount));
  event_floor_ = measure_floor();
  const Locality locality = locality_of(pci);
  GpuFacts& facts = facts_.emplace();
  facts.name = properties.name;
  facts.uuid = uuid_;
  facts.pci_bus_id = pci;
  facts.numa_node = locality.numa_node;
  if (!locality.cpus.empty()) facts.local_cpus = cpu_list(locality.cpus);
  facts.visible_devices = count;
  facts.device_number = number;
  facts.compute_capability = vendor::architecture_of(properties);
  facts.multiprocessors = properties.multiProcessorCount;
  facts.limits = limits(number, properties.major, properties.minor);
  facts.memory_bytes = properties.totalGlobalMem;
  facts.memory_free_bytes = free_bytes();
  facts.l2_bytes = l2_bytes_;
  facts.ecc = properties.ECCEnabled != 0;
  facts.sm_clock_max_mhz = thousands(cudaDevAttrClockRate, number);
  facts.memory_clock_max_mhz = thousands(cudaDevAttrMemoryClockRate, number);
  facts.driver_cuda_version = vendor::dotted(driver);
  facts.runtime_version = vendor::dotted(runtime);
  facts.context_s = context_seconds;
  facts.event_floor_s = event_floor_;
  facts.launch_s = measure_launch();
  facts.samples_queued = resources_->hold.holds();
  if (!nvml_) {
    facts.nvml_reason = said<reasons::amd_not_read>().text;
  } else if (nvml_->reason().empty()) {
    facts.nvml = nvml_->facts();
    facts.nvml->utilization_percent = others;  // without what has been launched here
  } else {
    facts.nvml_reason = nvml_->reason();
  }
}

double Device::measure_floor() {
  const auto pass_after = [this](double warming) {
    const Stopwatch stopwatch;
    do {
      read_other_data();  // the first one loads the kernel
      wait();
    } while (stopwatch.seconds() < warming);
    return seconds([this] { read_other_data(); });
  };
  // A device that has done nothing is slow at first: the time of a pass counts once it is steady.
  constexpr int most_tries = 10;
  double before = pass_after(0);
  double one_pass = pass_after(busy_s_);
  for (int i = 1; i < most_tries && std::abs(one_pass - before) > 0.05 * one_pass; ++i) {
    before = std::exchange(one_pass, pass_after(busy_s_));
  }
  pass_s_ = std::max(one_pass, 1e-6);
  std::vector<double> readings(51);
  for (double& reading : readings) {
    empty_caches();  // as before a sample: the device is busy while the launch is on its way
    reading = seconds(launch_nothing);
  }
  return median(readings);
}

double Device::measure_launch() const {
  constexpr int launches = 500;
  std::vector<double> readings(5);
  for (double& reading : readings) {
    reading = seconds_queued([] {
      for (int i = 0; i < launches; ++i) launch_nothing();
    });
  }
  return median(readings) / launches;
}

std::size_t Device::free_bytes() const {
  std::size_t available = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&available, &total), "cudaMemGetInfo");
  return available;
}

void Device::wait() const { check(cudaDeviceSynchronize(), "while the kernel ran"); }

double Device::seconds(const std::function<void()>& work) const {
  {
    const Released released(resources_->hold);
    resources_->begin.record();
    work();
    resources_->end.record();
  }
  resources_->end.wait();
  since_work_ = {};
  check(cudaGetLastError(), "launch");  // one that was not checked
  return resources_->end.seconds_since(resources_->begin);
}

double Device::seconds_queued(const std::function<void()>& work) const {
  resources_->hold.begin();
  return seconds(work);
}

BehindHold Device::behind_hold(const std::function<void()>& work, void* output,
                               std::size_t bytes) const {
  return bytes == 0 ? BehindHold{} : resources_->hold.watch(work, output, bytes);
}

void Device::warm_up(double waited) const {
  const double most = std::min(waited, 10 * busy_s_);
  const Stopwatch stopwatch;
  while (stopwatch.seconds() < most) {
    read_other_data();
    wait();
  }
  since_work_ = {};
}

void Device::empty_caches() const {
  constexpr double least = 2;  // of twice the size of the L2 cache
  constexpr double most = 500;
  const double busy = std::min(since_work_.seconds(), busy_s_);
  const auto passes = static_cast<unsigned>(std::clamp(busy / pass_s_, least, most));
  for (unsigned pass = 0; pass < passes; ++pass) read_other_data();
}

void Device::read_other_data() const {
  auto* const words = static_cast<unsigned*>(resources_->other_data.data());
  const std::size_t count = resources_->other_data.bytes() / sizeof(unsigned) - 1;
  launch_read(resources_->blocks, words, count, words + count);
}

GpuState Device::state() const { return nvml_ ? nvml_->state() : GpuState{}; }

std::optional<double> Device::joules() const { return nvml_ ? nvml_->joules() : std::nullopt; }

Reason Device::no_energy() const {
  if (nvml_) return nvml_->no_energy();
  return reason_.empty() ? said<reasons::amd_not_read>() : reason_;
}

bool Device::survived(const Reason& error) {
  cudaGetLastError();
  if (cudaDeviceSynchronize() == cudaSuccess) return true;
  reason_ = said<reasons::device_lost>(error);
  return false;
}

}  // namespace bench::cuda
