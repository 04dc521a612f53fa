// A library with NVML's names, one GPU (0000:C1:00.0) and one MIG slice of it. Tests steer it with
// fake_nvml_set:
//   "nvmlDeviceGetName"      the status that this function returns; "MIG:nvml…" for the slice only
//   "number of" a function   the unsigned number that it writes
//   "count of" a function    read with fake_nvml_get: how often it was called
//   "processes", "own pid", "reasons", "rubbish"
// FAKE_NVML_OLD leaves out what older libraries lack, FAKE_NVML_INIT_ONLY nearly everything.
#include <cstddef>
#include <cstring>
#include <map>
#include <string>

namespace {

std::map<std::string, unsigned long long>& settings() {
  static std::map<std::string, unsigned long long> all;
  return all;
}

unsigned long long setting(const std::string& key, unsigned long long otherwise) {
  const auto found = settings().find(key);
  return found == settings().end() ? otherwise : found->second;
}

int called(const std::string& function) {
  ++settings()["count of " + function];
  return static_cast<int>(setting(function, 0));
}

}  // namespace

extern "C" {

void fake_nvml_set(const char* key, unsigned long long value) { settings()[key] = value; }
unsigned long long fake_nvml_get(const char* key) { return setting(key, 0); }
void fake_nvml_reset() { settings().clear(); }

int nvmlInit_v2() { return called(__func__); }

#if !defined(FAKE_NVML_INIT_ONLY)

namespace {

// Beyond the largest number that Linux gives a process.
constexpr unsigned kNoPid = 1U << 23;

char gpu;
char slice;

// Like the real one, the slice answers few questions.
int asked(const std::string& function, const void* device, bool of_slices_too = false) {
  if (device != &slice) return called(function);
  const std::string key = "MIG:" + function;
  ++settings()["count of " + key];
  return static_cast<int>(setting(key, of_slices_too ? 0 : 3));
}

int number(const std::string& function, const void* device, unsigned* out, unsigned otherwise) {
  const int status = asked(function, device);
  if (status == 0) *out = static_cast<unsigned>(setting("number of " + function, otherwise));
  return status;
}

int text(int status, char* out, unsigned length, const char* value) {
  if (status != 0) return status;
  if (setting("rubbish", 0) != 0) {
    std::memset(out, 0xFF, length);  // not UTF-8, and no end
    return 0;
  }
  if (std::strlen(value) >= length) return 7;
  std::strcpy(out, value);
  return 0;
}

// Entries of 24 bytes that begin with the process's number; the second may be the test itself.
int processes(const std::string& function, const void* device, unsigned* count, void* list) {
  if (const int status = asked(function, device, true); status != 0) return status;
  const auto running = static_cast<unsigned>(setting("processes", 0));
  const unsigned room = *count;
  *count = running;
  if (room < running) return 7;
  for (unsigned i = 0; i < running; ++i) {
    const auto pid = static_cast<unsigned>(i == 1 ? setting("own pid", kNoPid) : kNoPid + i);
    auto* const entry = static_cast<char*>(list) + std::size_t{24} * i;
    std::memset(entry, 0, 24);
    std::memcpy(entry, &pid, sizeof pid);
  }
  return 0;
}

}  // namespace

int nvmlShutdown() { return called(__func__); }

const char* nvmlErrorString(int status) {
  if (setting("rubbish", 0) != 0) return nullptr;
  switch (status) {
    case 3:
      return "Not Supported";
    case 6:
      return "Not Found";
    case 9:
      return "Driver Not Loaded";
    default:
      return "Unknown Error";
  }
}

int nvmlSystemGetDriverVersion(char* out, unsigned length) {
  return text(called(__func__), out, length, "580.65.06");
}

int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
  if (const int status = called(__func__); status != 0) return status;
  if (std::strcmp(uuid, "GPU-1") == 0) {
    *device = &gpu;
  } else if (std::strcmp(uuid, "MIG-2") == 0) {
    *device = &slice;
  } else {
    return 6;
  }
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
  if (const int status = called(__func__); status != 0) return status;
  if (std::strcmp(id, "0000:C1:00.0") != 0) return 6;
  *device = &gpu;
  return 0;
}

int nvmlDeviceGetName(void* device, char* out, unsigned length) {
  return text(asked(__func__, device, true), out, length,
              device == &slice ? "Fake GPU MIG 1g" : "Fake GPU");
}

int nvmlDeviceGetUUID(void* device, char* out, unsigned length) {
  return text(asked(__func__, device, true), out, length, device == &slice ? "MIG-2" : "GPU-1");
}

// nvmlPciInfo_t: 16 characters, five numbers, 32 characters.
int nvmlDeviceGetPciInfo_v3(void* device, void* info) {
  if (const int status = asked(__func__, device); status != 0) return status;
  const unsigned numbers[] = {0, 0xC1, 0, 0x233510DE, 0};
  auto* const out = static_cast<char*>(info);
  std::memcpy(out, "0000:C1:00.0", 13);
  std::memcpy(out + 16, numbers, sizeof numbers);
  std::memcpy(out + 36, "00000000:C1:00.0", 17);
  return 0;
}

int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatts) {
  return number(__func__, device, milliwatts, 700'000);
}

int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
  return number(__func__, device, milliwatts, 71'250);
}

int nvmlDeviceGetClockInfo(void* device, unsigned type, unsigned* mhz) {
  return number(__func__, device, mhz, type == 1 ? 1755 : type == 2 ? 3201 : 7);
}

int nvmlDeviceGetMaxClockInfo(void* device, unsigned type, unsigned* mhz) {
  return number(__func__, device, mhz, type == 1 ? 1980 : type == 2 ? 3202 : 7);
}

int nvmlDeviceGetCurrPcieLinkWidth(void* device, unsigned* lanes) {
  return number(__func__, device, lanes, 16);
}

int nvmlDeviceGetTemperature(void* device, unsigned sensor, unsigned* celsius) {
  return number(__func__, device, celsius, sensor == 0 ? 34 : 7);
}

int nvmlDeviceGetPersistenceMode(void* device, unsigned* mode) {
  return number(__func__, device, mode, 1);
}

int nvmlDeviceGetComputeMode(void* device, unsigned* mode) {
  return number(__func__, device, mode, 3);
}

int nvmlDeviceGetEccMode(void* device, unsigned* now, unsigned* later) {
  *later = 0;
  return number(__func__, device, now, 1);
}

int nvmlDeviceGetTotalEccErrors(void* device, int type, int since, unsigned long long* count) {
  const int status = type == 1 && since == 0 ? asked(__func__, device) : 2;
  if (status == 0) *count = 2;
  return status;
}

int nvmlDeviceGetRemappedRows(void* device, unsigned* corrected, unsigned* uncorrected,
                              unsigned* pending, unsigned* failed) {
  *corrected = *uncorrected = *pending = 0;
  return number(__func__, device, failed, 1);
}

int nvmlDeviceGetVbiosVersion(void* device, char* out, unsigned length) {
  return text(asked(__func__, device), out, length, "96.00.99.00.01");
}

// 18 links of which one is down.
int nvmlDeviceGetNvLinkState(void* device, unsigned link, unsigned* up) {
  constexpr unsigned kLinks = 18;
  if (link >= kLinks) return 2;
  return number(__func__, device, up, link == 3 ? 0 : 1);
}

// Entries of 40 bytes: the number of the field first, its status at 28, its value at 32.
int nvmlDeviceGetFieldValues(void* device, int count, void* list) {
  constexpr unsigned kRecoveryAction = 230;
  if (const int status = asked(__func__, device); status != 0) return status;
  auto* const entry = static_cast<char*>(list);
  unsigned field = 0;
  std::memcpy(&field, entry, sizeof field);
  const int status = count == 1 && field == kRecoveryAction ? 0 : 3;
  const auto value = static_cast<unsigned>(setting("recovery action", 1));
  std::memcpy(entry + 28, &status, sizeof status);
  std::memcpy(entry + 32, &value, sizeof value);
  return 0;
}

int nvmlDeviceGetUtilizationRates(void* device, void* out) {
  auto* const gpu_and_memory = static_cast<unsigned*>(out);
  gpu_and_memory[1] = 8;
  const int status = number(__func__, device, gpu_and_memory, 12);
  if (const auto last = setting("readings of work", 0); last != 0) {
    if (setting(std::string("count of ") + __func__, 0) > last) gpu_and_memory[0] = 0;
  }
  return status;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
  const int status = asked(__func__, device);
  if (status == 0) *reasons = setting("reasons", 1) | 0x100;
  return status;
}

#if !defined(FAKE_NVML_OLD)

int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* reasons) {
  const int status = asked(__func__, device);
  if (status == 0) *reasons = setting("reasons", 1);
  return status;
}

int nvmlDeviceGetMigMode(void* device, unsigned* now, unsigned* later) {
  *later = 1;
  return number(__func__, device, now, 0);
}

int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoules) {
  const int status = asked(__func__, device);
  if (status == 0) *millijoules = setting(std::string("number of ") + __func__, 5'000'000'000);
  return status;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, void* list) {
  return processes(__func__, device, count, list);
}

#else

int nvmlDeviceGetComputeRunningProcesses_v2(void* device, unsigned* count, void* list) {
  return processes(__func__, device, count, list);
}

#endif
#endif

}  // extern "C"
