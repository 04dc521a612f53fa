#include "harness/node/hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "harness/node/text_file.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

/// What is in a folder; nothing where it is not there.
std::vector<fs::path> entries(const fs::path& folder, std::string_view prefix) {
  std::vector<fs::path> found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().filename().string().starts_with(prefix)) found.push_back(entry.path());
  }
  return found;
}

/// `1.4.2 (03/14/2026)`
Text bios(const Host& host) {
  const fs::path dmi = host.root / "sys/class/dmi/id";
  const Text version = text_in(dmi / "bios_version");
  const Text date = text_in(dmi / "bios_date");
  return version && date ? fmt::format("{} ({})", *version, *date) : version;
}

/// `8 x 32768 MB Registered-DDR5`, of each kind of modules.
Text dimms(const std::vector<fs::path>& controllers) {
  std::map<std::string, std::size_t> kinds;
  for (const fs::path& controller : controllers) {
    std::vector<fs::path> modules = entries(controller, "dimm");
    const auto ranks = entries(controller, "rank");
    modules.insert(modules.end(), ranks.begin(), ranks.end());
    for (const fs::path& module : modules) {
      const Text megabytes = text_in(module / "size");
      if (!megabytes || megabytes == "0") continue;
      ++kinds[fmt::format("{} MB {}", *megabytes, text_in(module / "dimm_mem_type").value_or(""))];
    }
  }
  std::string all;
  for (const auto& [kind, count] : kinds)
    all += fmt::format("{}{} x {}", all.empty() ? "" : ", ", count, kind);
  return all.empty() ? Text() : all;
}

/// The sum of what a file of each folder counts; nothing where none does.
std::optional<std::size_t> sum(const std::vector<fs::path>& folders, const std::string& file) {
  std::optional<std::size_t> all;
  for (const fs::path& folder : folders) {
    const auto count = number<std::size_t>(text_in(folder / file));
    if (count) all = all.value_or(0) + *count;
  }
  return all;
}

/// The hottest sensor of the processors.
std::optional<double> temperature(const Host& host) {
  std::optional<double> hottest;
  for (const fs::path& chip : entries(host.root / "sys/class/hwmon", "hwmon")) {
    const Text name = text_in(chip / "name");
    if (name != "coretemp" && name != "k10temp" && name != "zenpower" && name != "cpu_thermal")
      continue;
    for (const fs::path& sensor : entries(chip, "temp")) {
      if (!sensor.filename().string().ends_with("_input")) continue;
      const auto thousandths = number<int>(text_in(sensor));
      if (thousandths) hottest = std::max(hottest.value_or(-300), *thousandths / 1000.0);
    }
  }
  return hottest;
}

}  // namespace

void add_hardware(Machine& machine, const Host& host) {
  const auto controllers = entries(host.root / "sys/devices/system/edac/mc", "mc");
  machine.bios = bios(host);
  machine.dimms = dimms(controllers);
  machine.memory_errors.corrected = sum(controllers, "ce_count");
  machine.memory_errors.uncorrected = sum(controllers, "ue_count");
  machine.temperature_c = temperature(host);
  std::vector<fs::path> cpus;
  for (const int cpu : host.cpus())
    cpus.push_back(host.root / fmt::format("sys/devices/system/cpu/cpu{}/thermal_throttle", cpu));
  machine.throttle_events = sum(cpus, "core_throttle_count");
}

}  // namespace bench
