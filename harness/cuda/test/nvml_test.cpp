#include "harness/cuda/nvml.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/node/family.hpp"
#include "harness/test/support.hpp"

namespace {

using bench::Json;
using bench::cuda::Nvml;

constexpr const char* kUuid = "GPU-1";
constexpr const char* kSlice = "MIG-2";
constexpr const char* kPci = "0000:C1:00.0";

// The tests hold the library open, so that what they set is there when Nvml opens it, and what
// it did can be seen after it is closed.
class Fake {
 public:
  explicit Fake(const char* file) : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }
  ~Fake() {
    reinterpret_cast<void (*)()>(dlsym(handle_, "fake_nvml_reset"))();
    dlclose(handle_);
  }
  Fake(const Fake&) = delete;
  Fake& operator=(const Fake&) = delete;

  void set(const std::string& key, unsigned long long value) const {
    using Set = void (*)(const char*, unsigned long long);
    reinterpret_cast<Set>(dlsym(handle_, "fake_nvml_set"))(key.c_str(), value);
  }
  unsigned long long calls(const std::string& function) const {
    using Get = unsigned long long (*)(const char*);
    return reinterpret_cast<Get>(dlsym(handle_, "fake_nvml_get"))(("count of " + function).c_str());
  }

 private:
  void* handle_;
};

class CudaNvml : public testing::Test {
 protected:
  static Nvml open(const char* uuid = kUuid, const char* pci = kPci) {
    return {uuid, pci, FAKE_NVML};
  }
  Fake fake{FAKE_NVML};
};

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no '" << part << "' in: " << text;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& item : object.items()) names.push_back(item.key());
  return names;
}

void expect_all_unknown(const Nvml& nvml) {
  const Json facts = written(nvml.facts());
  for (const auto& [key, value] : facts.items()) EXPECT_TRUE(value.is_null()) << key;
  EXPECT_FALSE(nvml.state().sm_clock_mhz);
  EXPECT_FALSE(nvml.state().throttle_reasons);
}

const Json kGpuFacts = {{"driver_version", "580.65.06"},
                        {"name", "Fake GPU"},
                        {"uuid", "GPU-1"},
                        {"pci_bus_id", "0000:C1:00.0"},
                        {"mig", false},
                        {"power_limit_w", 700.0},
                        {"power_w", 71.25},
                        {"max_sm_clock_mhz", 1980},
                        {"max_memory_clock_mhz", 3202},
                        {"pcie_width", 16},
                        {"sm_clock_mhz", 1755},
                        {"memory_clock_mhz", 3201},
                        {"temperature_c", 34},
                        {"ecc", true},
                        {"ecc_uncorrected", 2},
                        {"remapping_pending", false},
                        {"remapping_failed", true},
                        {"recovery_action", "gpu_reset"},
                        {"vbios_version", "96.00.99.00.01"},
                        {"nvlinks", 17},
                        {"persistence_mode", true},
                        {"compute_mode", "exclusive_process"},
                        {"utilization_percent", 12},
                        {"processes", 0},
                        {"ended_processes", bench::sees_all_processes() ? Json(0) : Json()},
                        {"total_energy_mj", 5'000'000'000}};

TEST_F(CudaNvml, SaysEverythingOfAGpu) {
  const Nvml nvml = open();
  EXPECT_EQ(nvml.reason(), "");
  EXPECT_EQ(written(nvml.facts()), kGpuFacts);
  EXPECT_EQ(fake.calls("nvmlDeviceGetHandleByPciBusId_v2"), 0U);
}

TEST_F(CudaNvml, LooksWithTwoQuestions) {
  fake.set("reasons", 0x44);
  const Nvml nvml = open();
  const bench::cuda::GpuState state = nvml.state();
  EXPECT_DOUBLE_EQ(state.sm_clock_mhz.value(), 1755);
  EXPECT_EQ(state.throttle_reasons.value(), 0x44U);
  EXPECT_EQ(fake.calls("nvmlDeviceGetClockInfo"), 1U);
  EXPECT_EQ(fake.calls("nvmlDeviceGetCurrentClocksEventReasons"), 1U);
  EXPECT_EQ(fake.calls("nvmlDeviceGetCurrentClocksThrottleReasons"), 0U);
}

TEST_F(CudaNvml, ShutsDownWhatItInitialised) {
  { const Nvml nvml = open(); }
  { const Nvml nvml = open("GPU-other", "0000:00:00.0"); }
  EXPECT_EQ(fake.calls("nvmlInit_v2"), 2U);
  EXPECT_EQ(fake.calls("nvmlShutdown"), 2U);
}

TEST_F(CudaNvml, FindsByPciBusIdWhatItDoesNotFindByUuid) {
  EXPECT_EQ(written(open("GPU-other").facts()), kGpuFacts);
  EXPECT_EQ(written(open("").facts()), kGpuFacts);
  EXPECT_EQ(written(open(kUuid, "").facts()), kGpuFacts);
  fake.set("nvmlDeviceGetHandleByUUID", 3);
  EXPECT_EQ(written(open().facts()), kGpuFacts);
  EXPECT_EQ(written(open(kSlice).facts()), kGpuFacts);
}

TEST_F(CudaNvml, SaysThatADeviceIsNotThere) {
  const Nvml nvml = open("GPU-other", "0000:02:00.0");
  expect_contains(nvml.reason(), "'GPU-other' (Not Found)");
  expect_contains(nvml.reason(), "'0000:02:00.0' (Not Found)");
  expect_all_unknown(nvml);
  EXPECT_EQ(keys(written(nvml.facts())), keys(kGpuFacts));
  EXPECT_NE(open("", "").reason(), "");
  fake.set("rubbish", 1);  // and no texts for errors
  expect_contains(open("GPU-\xFF", "").reason(), "'GPU-\uFFFD' (error 6)");
}

TEST_F(CudaNvml, SaysWhyItDoesNotInitialise) {
  fake.set("nvmlInit_v2", 9);
  {
    const Nvml nvml = open();
    EXPECT_EQ(nvml.reason(), "NVML does not initialise: Driver Not Loaded");
    expect_all_unknown(nvml);
  }
  EXPECT_EQ(fake.calls("nvmlShutdown"), 0U);
}

TEST_F(CudaNvml, AsksTheGpuWhatItsSliceDoesNotSay) {
  fake.set("number of nvmlDeviceGetMigMode", 1);
  fake.set("processes", 1);
  Json expected = kGpuFacts;
  expected["name"] = "Fake GPU MIG 1g";
  expected["uuid"] = kSlice;
  expected["mig"] = true;
  expected["utilization_percent"] = nullptr;  // the neighbours' is not ours
  expected["processes"] = 1;
  if (bench::sees_all_processes()) expected["ended_processes"] = 1;
  const Nvml nvml = open(kSlice);
  EXPECT_EQ(nvml.reason(), "");
  EXPECT_EQ(written(nvml.facts()), expected);
  EXPECT_DOUBLE_EQ(nvml.state().sm_clock_mhz.value(), 1755);
  EXPECT_EQ(nvml.state().throttle_reasons.value(), 1U);
  fake.set("MIG:nvmlDeviceGetComputeRunningProcesses_v3", 3);
  EXPECT_TRUE(written(nvml.facts())["processes"].is_null());
}

TEST_F(CudaNvml, NamesWhatTheGpuAsksFor) {
  const Nvml nvml = open();
  const auto action = [&](unsigned number) {
    fake.set("recovery action", number);
    return written(nvml.facts())["recovery_action"];
  };
  EXPECT_TRUE(action(0).is_null());
  EXPECT_EQ(action(2), "node_reboot");
  EXPECT_EQ(action(99), "action 99");
}

// The numbers that the library makes up are those of no process.
TEST_F(CudaNvml, CountsProcessesThatHaveEnded) {
  if (!bench::sees_all_processes()) GTEST_SKIP() << "processes have other numbers here";
  fake.set("processes", 3);
  fake.set("own pid", static_cast<unsigned>(getppid()));
  EXPECT_EQ(written(open().facts())["ended_processes"], 2);
}

TEST_F(CudaNvml, BelievesASliceThatAnswers) {
  fake.set("MIG:nvmlDeviceGetClockInfo", 0);
  const Nvml nvml = open(kSlice);
  EXPECT_TRUE(nvml.state().sm_clock_mhz);
  EXPECT_EQ(fake.calls("nvmlDeviceGetClockInfo"), 0U);
}

TEST_F(CudaNvml, KnowsASliceWhoseGpuIsOutOfReach) {
  const Nvml nvml = open(kSlice, "");
  EXPECT_EQ(nvml.reason(), "");
  const Json facts = written(nvml.facts());
  EXPECT_EQ(facts["uuid"], kSlice);
  EXPECT_EQ(facts["mig"], true);
  EXPECT_TRUE(facts["sm_clock_mhz"].is_null());
  EXPECT_TRUE(facts["pci_bus_id"].is_null());
  EXPECT_FALSE(nvml.state().sm_clock_mhz);
}

TEST_F(CudaNvml, TriesBothPrefixesOfAUuid) {
  EXPECT_EQ(written(open("GPU-2").facts())["uuid"], kSlice);
  EXPECT_EQ(written(open("GPU-2").facts())["mig"], true);
  EXPECT_EQ(written(open("MIG-1").facts()), kGpuFacts);
}

TEST_F(CudaNvml, LosesOneFactPerFailure) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> lost = {
      {"nvmlSystemGetDriverVersion", {"driver_version"}},
      {"nvmlDeviceGetName", {"name"}},
      {"nvmlDeviceGetUUID", {"uuid"}},
      {"nvmlDeviceGetPciInfo_v3", {"pci_bus_id"}},
      {"nvmlDeviceGetMigMode", {"mig"}},
      {"nvmlDeviceGetEnforcedPowerLimit", {"power_limit_w"}},
      {"nvmlDeviceGetPowerUsage", {"power_w"}},
      {"nvmlDeviceGetMaxClockInfo", {"max_sm_clock_mhz", "max_memory_clock_mhz"}},
      {"nvmlDeviceGetCurrPcieLinkWidth", {"pcie_width"}},
      {"nvmlDeviceGetClockInfo", {"sm_clock_mhz", "memory_clock_mhz"}},
      {"nvmlDeviceGetTemperature", {"temperature_c"}},
      {"nvmlDeviceGetEccMode", {"ecc"}},
      {"nvmlDeviceGetPersistenceMode", {"persistence_mode"}},
      {"nvmlDeviceGetComputeMode", {"compute_mode"}},
      {"nvmlDeviceGetUtilizationRates", {"utilization_percent"}},
      {"nvmlDeviceGetComputeRunningProcesses_v3", {"processes", "ended_processes"}},
      {"nvmlDeviceGetVbiosVersion", {"vbios_version"}},
      {"nvmlDeviceGetNvLinkState", {"nvlinks"}},
      {"nvmlDeviceGetFieldValues", {"recovery_action"}},
      {"nvmlDeviceGetTotalEnergyConsumption", {"total_energy_mj"}}};
  const Nvml nvml = open();
  for (const auto& [function, facts] : lost) {
    Json expected = kGpuFacts;
    for (const std::string& fact : facts) expected[fact] = nullptr;
    fake.set(function, 3);
    EXPECT_EQ(written(nvml.facts()), expected) << function;
    fake.set(function, 0);
  }
}

TEST_F(CudaNvml, WaitsForTheEndOfWhatHasEnded) {
  const Nvml nvml = open();
  EXPECT_EQ(nvml.work_of_others(0), 12U);
  EXPECT_EQ(nvml.work_of_others(0.06), 12U) << "somebody still works";
  fake.set("readings of work", 5);
  EXPECT_EQ(nvml.work_of_others(10), 0U);
  fake.set("nvmlDeviceGetUtilizationRates", 3);
  EXPECT_EQ(nvml.work_of_others(10), std::nullopt);
  EXPECT_EQ(open(kSlice).work_of_others(10), std::nullopt);
}

TEST_F(CudaNvml, TellsTheEnergyOfAWholeGpuOnly) {
  const Nvml nvml = open();
  EXPECT_EQ(nvml.joules(), 5e6);
  EXPECT_EQ(nvml.no_energy(), "");
  fake.set("number of nvmlDeviceGetTotalEnergyConsumption", 5'000'001'500);
  EXPECT_EQ(nvml.joules(), 5'000'001.5);
  const Nvml slice = open(kSlice);
  EXPECT_FALSE(slice.joules());
  EXPECT_EQ(slice.no_energy(),
            "the GPU is a MIG instance, and only the energy of the whole GPU is known");
  fake.set("nvmlDeviceGetTotalEnergyConsumption", 3);
  EXPECT_FALSE(nvml.joules());
  EXPECT_EQ(nvml.no_energy(), "this GPU does not report its energy");
}

TEST_F(CudaNvml, TakesModesByTheirNumber) {
  const Nvml nvml = open();
  const auto with = [&](const char* function, unsigned value, const char* fact) {
    fake.set(std::string("number of ") + function, value);
    return written(nvml.facts())[fact];
  };
  EXPECT_EQ(with("nvmlDeviceGetEccMode", 0, "ecc"), false);
  EXPECT_EQ(with("nvmlDeviceGetPersistenceMode", 0, "persistence_mode"), false);
  EXPECT_EQ(with("nvmlDeviceGetComputeMode", 0, "compute_mode"), "default");
  EXPECT_TRUE(with("nvmlDeviceGetComputeMode", 4, "compute_mode").is_null());
  EXPECT_TRUE(with("nvmlDeviceGetUtilizationRates", 101, "utilization_percent").is_null());
  EXPECT_TRUE(with("nvmlDeviceGetPowerUsage", ~0U, "power_w").is_null());  // "not available"
}

TEST_F(CudaNvml, CountsTheOtherProcesses) {
  const Nvml nvml = open();
  fake.set("processes", 3);
  EXPECT_EQ(written(nvml.facts())["processes"], 3);
  fake.set("own pid", static_cast<unsigned>(getpid()));
  EXPECT_EQ(written(nvml.facts())["processes"], 2);
  fake.set("processes", 5000);
  EXPECT_EQ(written(nvml.facts())["processes"], 4999);
  fake.set("processes", ~0U);
  EXPECT_TRUE(written(nvml.facts())["processes"].is_null());
}

TEST_F(CudaNvml, MakesValidTextOfAnything) {
  fake.set("rubbish", 1);
  const Json facts = written(open().facts());
  EXPECT_NO_THROW(facts.dump());
  expect_contains(facts["name"], "\uFFFD");
  EXPECT_LE(facts["name"].get<std::string>().size(), 300U);
}

TEST(CudaNvmlLibrary, KnowsOlderNames) {
  const Fake fake(FAKE_NVML_OLD);
  fake.set("reasons", 0x4);
  const Nvml nvml(kUuid, kPci, FAKE_NVML_OLD);
  EXPECT_EQ(nvml.state().throttle_reasons.value(), 0x104U);
  Json expected = kGpuFacts;
  for (const char* fact : {"mig", "total_energy_mj"}) expected[fact] = nullptr;
  EXPECT_EQ(written(nvml.facts()), expected);
  EXPECT_EQ(nvml.no_energy(), "this GPU does not report its energy");
  fake.set("processes", 2);
  EXPECT_EQ(written(nvml.facts())["processes"], 2);
  const Nvml slice(kSlice, kPci, FAKE_NVML_OLD);
  EXPECT_EQ(slice.state().throttle_reasons.value(), 0x104U);
}

TEST(CudaNvmlLibrary, SaysWhatIsMissing) {
  const Nvml no_file(kUuid, kPci, "libthere-is-none.so.1");
  expect_contains(no_file.reason(), "libthere-is-none.so.1");
  expect_all_unknown(no_file);
  EXPECT_FALSE(no_file.joules());
  EXPECT_EQ(no_file.no_energy(), no_file.reason());
  const Nvml no_devices(kUuid, kPci, FAKE_NVML_INIT_ONLY);
  expect_contains(no_devices.reason(), "has no function nvmlDeviceGetHandleByUUID");
  expect_all_unknown(no_devices);
  const Nvml no_nvml(kUuid, kPci, "libc.so.6");
  EXPECT_EQ(no_nvml.reason(), "libc.so.6 has no function nvmlInit_v2");
  expect_all_unknown(no_nvml);
}

// Whatever this node has, asking is harmless.
TEST(CudaNvmlLibrary, AsksTheRealOne) {
  const Nvml nvml("GPU-00000000-0000-0000-0000-000000000000", "");
  EXPECT_NE(nvml.reason(), "");
  expect_all_unknown(nvml);
}

TEST(CudaThrottled, SaysWhy) {
  using bench::cuda::throttled_by;
  using Words = std::vector<std::string>;
  EXPECT_EQ(throttled_by(0x4 | 0x8 | 0x80), (Words{"power", "brake"}));
  EXPECT_EQ(throttled_by(0x20 | 0x40), Words{"heat"});
  EXPECT_EQ(throttled_by(0x8), Words{"hardware"});
  EXPECT_EQ(throttled_by(0x101), Words{});
}

TEST(CudaThrottled, MeansSlowerThanTheDeviceCould) {
  using bench::cuda::throttled;
  for (const unsigned bit : {0x4U, 0x8U, 0x20U, 0x40U, 0x80U}) {
    EXPECT_TRUE(throttled(bit)) << bit;
    EXPECT_TRUE(throttled(bit | 0x1U)) << bit;
  }
  for (const unsigned bits : {0x0U, 0x1U, 0x2U, 0x10U, 0x100U, 0x113U}) {
    EXPECT_FALSE(throttled(bits)) << bits;
  }
}

}  // namespace
