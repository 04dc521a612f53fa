#include "harness/node/processor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>

#include "harness/base/fields.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

/// The kernel gives Arm cores as numbers, implementer:part; these are the ones of HPC nodes.
struct ArmCore {
  std::string_view number, vendor, model;
};
constexpr std::array<ArmCore, 12> arm_cores = {{
    {"0x41:0xd08", "ARM", "Cortex-A72"},
    {"0x41:0xd0c", "ARM", "Neoverse-N1"},
    {"0x41:0xd40", "ARM", "Neoverse-V1"},
    {"0x41:0xd49", "ARM", "Neoverse-N2"},
    {"0x41:0xd4f", "ARM", "Neoverse-V2"},
    {"0x41:0xd84", "ARM", "Neoverse-V3"},
    {"0x41:0xd8e", "ARM", "Neoverse-N3"},
    {"0x43:0x0af", "Cavium", "ThunderX2"},
    {"0x46:0x001", "Fujitsu", "A64FX"},
    {"0x48:0xd01", "HiSilicon", "TaiShan-v110"},
    {"0xc0:0xac3", "Ampere", "Ampere-1"},
    {"0xc0:0xac4", "Ampere", "Ampere-1a"},
}};

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The words in which the CPU lists its features.
std::vector<std::string> cpu_flags(const Text& cpu) {
  const Text x86 = field(cpu, "flags");
  return split(x86 ? x86 : field(cpu, "Features"), ' ');
}

fs::path cpus_folder(const Host& host) { return host.root / "sys/devices/system/cpu"; }

/// What a file of each CPU says, without repetitions.
std::set<std::string> distinct(const Host& host, const std::vector<int>& cpus,
                               const std::string& file) {
  std::set<std::string> texts;
  for (const int cpu : cpus) {
    const fs::path folder = cpus_folder(host) / fmt::format("cpu{}", cpu) / "cpufreq";
    if (const Text text = text_in(folder / file)) texts.insert(*text);
  }
  return texts;
}

std::set<double> megahertz(const Host& host, const std::vector<int>& cpus,
                           const std::string& file) {
  std::set<double> values;
  for (const std::string& text : distinct(host, cpus, file)) {
    if (const auto kilohertz = number<std::uint32_t>(text)) values.insert(*kilohertz / 1000.0);
  }
  return values;
}

}  // namespace

Text first_cpu(const Host& host) {
  const Text cpus = text_in(host.root / "proc/cpuinfo");
  return cpus ? cpus->substr(0, cpus->find("\n\n")) : Text{};
}

void add_cpu_model(Machine& machine, const Text& cpu) {
  Text model = field(cpu, "model name");
  Text vendor = field(cpu, "vendor_id");
  const Text implementer = field(cpu, "CPU implementer");
  const Text part = field(cpu, "CPU part");
  if (!model && implementer && part) {
    model = *implementer + ":" + *part;
    for (const ArmCore& core : arm_cores) {
      if (model != core.number) continue;
      model = core.model;
      vendor = core.vendor;
      break;
    }
  }
  machine.cpu_model = model;
  machine.cpu_vendor = vendor;
  machine.microcode = field(cpu, "microcode");
}

std::vector<std::string> isa_flags(const Text& cpu) {
  constexpr const char* interesting =
      "sse4_2 avx f16c fma avx2 avx_vnni avx512f avx512dq avx512bw avx512vl avx512_vnni "
      "avx512_bf16 avx512_fp16 amx_tile amx_bf16 amx_int8 "
      "asimd fphp asimdhp asimddp sve sve2 bf16 i8mm sme";
  const std::vector<std::string> flags = cpu_flags(cpu);
  std::vector<std::string> found;
  for (const std::string& flag : split(interesting, ' ')) {
    if (contains(flags, flag)) found.push_back(flag);
  }
  return found;
}

Json hypervisor(const Host& host, const Text& cpu) {
  if (const Text name = text_in(host.root / "sys/hypervisor/type"))
    return Json::parse(serialised(*name));
  return field(cpu, "flags") ? Json(contains(cpu_flags(cpu), "hypervisor")) : Json();
}

Text governor(const Host& host) {
  const auto names = distinct(host, host.cpus(), "scaling_governor");
  if (names.empty()) return {};
  return names.size() == 1 ? *names.begin() : fmt::format("mixed: {}", fmt::join(names, ","));
}

Frequency frequency(const Host& host, const Text& cpu) {
  std::vector<int> cpus = host.cpus();
  const auto low = megahertz(host, cpus, "scaling_min_freq");
  const auto high = megahertz(host, cpus, "scaling_max_freq");
  // Of one only: some kernels take 10 ms to find it out. Without cpufreq /proc/cpuinfo says it.
  if (cpus.size() > 1) cpus.erase(cpus.begin() + 1, cpus.end());
  const auto now = megahertz(host, cpus, "scaling_cur_freq");
  Frequency found;
  if (!low.empty()) found.min = *low.begin();
  if (!high.empty()) found.max = *high.rbegin();
  found.current = now.empty() ? number<double>(field(cpu, "cpu MHz")) : *now.begin();
  return found;
}

std::optional<bool> boost(const Host& host) {
  const Text on = text_in(cpus_folder(host) / "cpufreq/boost");
  if (on == "0" || on == "1") return on == "1";
  const Text off = text_in(cpus_folder(host) / "intel_pstate/no_turbo");
  if (off == "0" || off == "1") return off == "0";
  return {};
}

}  // namespace bench
