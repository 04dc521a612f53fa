#include "harness/node/environment.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>
#include <tuple>

#include "harness/base/printable.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Text = std::optional<std::string>;

// ---- the CPUs of the process ----

constexpr std::size_t kBitsPerWord = CHAR_BIT * sizeof(unsigned long);
constexpr int kMostCpus = 1 << 16;  // far more than any kernel has; bounds what rubbish can ask for

using CpuMask = std::array<unsigned long, kMostCpus / kBitsPerWord>;
constinit CpuMask mask_at_start{};

// Runs before the constructors of the shared libraries, hence before an OpenMP runtime can pin the
// main thread. Sanitizers are not awake yet at that point, so nothing here may be instrumented.
// The raw system call, because the mask may be larger than the C library's cpu_set_t.
__attribute__((no_sanitize("address", "thread", "undefined"))) void remember_mask() {
  syscall(SYS_sched_getaffinity, 0, sizeof mask_at_start, &mask_at_start);
}
[[gnu::used, gnu::section(".preinit_array")]] void (*remember_mask_first)() = remember_mask;

std::vector<int> cpus_in_mask(const CpuMask& mask) {
  std::vector<int> cpus;
  for (std::size_t cpu = 0; cpu < kMostCpus; ++cpu) {
    const unsigned long word = mask[cpu / kBitsPerWord] >> (cpu % kBitsPerWord);
    if ((word & 1U) != 0) cpus.push_back(static_cast<int>(cpu));
  }
  return cpus;
}

// ---- reading text ----

std::string trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kBlank) - first + 1));
}

// A file without its surrounding blanks; nothing if it cannot be read or is empty.
Text read(const fs::path& file) {
  constexpr std::size_t kMost = 1 << 20;
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};  // opening a pipe could block for ever
  std::ifstream in(file, std::ios::binary);
  std::string text;
  std::array<char, 4096> chunk{};
  while (in && text.size() < kMost) {
    in.read(chunk.data(), chunk.size());
    text.append(chunk.data(), static_cast<std::size_t>(in.gcount()));
  }
  text = trim(text);
  return text.empty() ? Text{} : text;
}

Text variable(const Host& host, const std::string& name) {
  const char* value = host.env(name.c_str());
  return value == nullptr ? Text{} : value;
}

std::string upper_case(std::string text) {
  for (char& letter : text) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return text;
}

// The pieces of a text, without empty ones.
std::vector<std::string> split(const Text& text, char separator) {
  std::vector<std::string> pieces;
  std::istringstream in(text.value_or(""));
  for (std::string piece; std::getline(in, piece, separator);) {
    if (!piece.empty()) pieces.push_back(piece);
  }
  return pieces;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The value in the first line of the form "key: value"; nothing if there is none or it is empty.
Text field(const Text& text, std::string_view key, char separator = ':') {
  for (const std::string& line : split(text, '\n')) {
    const std::size_t end = line.find(separator);
    if (end == std::string::npos || trim(line.substr(0, end)) != key) continue;
    const std::string value = trim(line.substr(end + 1));
    return value.empty() ? Text{} : value;
  }
  return {};
}

// The whole text as a number.
template <class Number>
std::optional<Number> number(const Text& text) {
  if (!text) return {};
  Number value{};
  const char* end = text->data() + text->size();
  const auto [rest, error] = std::from_chars(text->data(), end, value);
  return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

// "48K" or "24684092 kB" in bytes. Nothing for the enormous numbers that mean "no limit".
std::optional<std::size_t> bytes(const Text& text) {
  if (!text) return {};
  const std::size_t digits = std::min(text->find_first_not_of("0123456789"), text->size());
  const auto value = number<std::uint64_t>(text->substr(0, digits));
  const std::string unit = trim(text->substr(digits));
  const std::size_t power = unit.empty() ? 0 : std::string_view("_KMG").find(upper_case(unit)[0]);
  if (!value || power > 3) return {};
  const bool sensible = *value < std::uint64_t{1} << (60 - 10 * power);
  return sensible ? std::optional(*value << (10 * power)) : std::nullopt;
}

// Empty if any part is rubbish.
std::vector<int> parse_cpus(const Text& text) {
  std::set<int> cpus;
  for (const std::string& range : split(text, ',')) {
    const std::size_t dash = range.find('-');
    const auto first = number<int>(range.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number<int>(range.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= kMostCpus) return {};
    for (int cpu = *first; cpu <= *last; ++cpu) cpus.insert(cpu);
  }
  return {cpus.begin(), cpus.end()};
}

// The word in brackets of "always [madvise] never".
Text chosen(const Text& text) {
  const std::size_t open = text ? text->find('[') : std::string::npos;
  const std::size_t close = text ? text->find(']') : std::string::npos;
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  return text->substr(open + 1, close - open - 1);
}

template <class Value>
Json to_json(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json non_zero(std::size_t count) { return count > 0 ? Json(count) : Json(); }

// The same document as valid JSON: bytes that are not UTF-8 replaced, NaN and infinity null.
Json clean(const Json& document) {
  return Json::parse(document.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// ---- files of the kernel ----

// The numbers N of the entries prefixN of a folder, ascending.
std::vector<int> numbered(const fs::path& folder, const std::string& prefix) {
  std::set<int> numbers;
  std::error_code error;
  const fs::directory_iterator end;
  for (fs::directory_iterator entry(folder, error); !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.rfind(prefix, 0) != 0) continue;
    if (const auto n = number<int>(name.substr(prefix.size())); n && *n >= 0) numbers.insert(*n);
  }
  return {numbers.begin(), numbers.end()};
}

fs::path cpus_folder(const Host& host) { return host.root / "sys/devices/system/cpu"; }

fs::path cpu_folder(const Host& host, int cpu) {
  return cpus_folder(host) / fmt::format("cpu{}", cpu);
}

// What a file of each CPU says, without repetitions.
std::set<std::string> distinct(const Host& host, const std::vector<int>& cpus,
                               const std::string& file) {
  std::set<std::string> texts;
  for (const int cpu : cpus) {
    if (const Text text = read(cpu_folder(host, cpu) / file)) texts.insert(*text);
  }
  return texts;
}

// How many sockets, or cores, the CPUs make up: each has a CPU list or a number of its own.
std::size_t count_distinct(const Host& host, const std::vector<int>& cpus,
                           const std::string& file) {
  std::size_t count = 0;
  for (const std::string& text : distinct(host, cpus, file)) count += !parse_cpus(text).empty();
  return count;
}

// ---- cgroups ----

struct Cgroup {
  fs::path folder;
  bool version_1;
};

// The groups of this process, from the root of each hierarchy down. What lies above that which a
// container can see is missing, and its limits with it. Each line of /proc/self/cgroup is
// number:controllers:group; version 2 names no controllers, and has a folder of its own where
// version 1 is in use as well.
std::vector<Cgroup> cgroups(const Host& host, const std::string& controller) {
  const fs::path mount = host.root / "sys/fs/cgroup";
  std::vector<Cgroup> groups;
  const auto add = [&](fs::path folder, const fs::path& group, bool version_1) {
    groups.push_back({folder, version_1});
    for (const fs::path& part : group.relative_path()) {
      if (part == "..") break;  // the group itself is out of sight
      groups.push_back({folder /= part, version_1});
    }
  };
  for (const std::string& line : split(read(host.root / "proc/self/cgroup"), '\n')) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string group = line.substr(second + 1);
    const auto controllers = split(line.substr(first + 1, second - first - 1), ',');
    if (contains(controllers, controller)) {
      add(mount / controller, group, true);
    } else if (controllers.empty()) {
      add(mount, group, false);
      add(mount / "unified", group, false);
    }
  }
  return groups;
}

// ---- caches ----

struct CacheInstance {
  int level;
  std::string type;
  std::vector<int> cpus;
  std::size_t bytes;

  bool operator<(const CacheInstance& other) const {
    return std::tie(level, type, cpus, bytes) <
           std::tie(other.level, other.type, other.cpus, other.bytes);
  }
};

std::optional<CacheInstance> read_cache(const fs::path& folder, int cpu) {
  const auto level = number<int>(read(folder / "level"));
  const std::string type = read(folder / "type").value_or("");
  const auto size = bytes(read(folder / "size"));
  std::vector<int> cpus = parse_cpus(read(folder / "shared_cpu_list"));
  if (cpus.empty()) cpus = {cpu};
  const bool known_type = type == "Data" || type == "Instruction" || type == "Unified";
  if (!level || *level < 1 || !known_type || size.value_or(0) == 0) return {};
  return CacheInstance{*level, type, cpus, *size};
}

// Every cache of the node once, although each of its CPUs lists it.
std::set<CacheInstance> cache_instances(const Host& host) {
  std::set<CacheInstance> instances;
  for (const int cpu : numbered(cpus_folder(host), "cpu")) {
    const fs::path folder = cpu_folder(host, cpu) / "cache";
    for (const int index : numbered(folder, "index")) {
      const auto cache = read_cache(folder / fmt::format("index{}", index), cpu);
      if (cache) instances.insert(*cache);
    }
  }
  return instances;
}

bool within_reach(const CacheInstance& cache, const std::vector<int>& cpus) {
  return std::any_of(cpus.begin(), cpus.end(), [&](int cpu) {
    return std::binary_search(cache.cpus.begin(), cache.cpus.end(), cpu);
  });
}

Json caches_json(const Host& host) {
  Json list;
  for (const Cache& cache : caches(host)) {
    list.push_back({{"level", cache.level},
                    {"type", cache.type},
                    {"bytes", cache.bytes},
                    {"shared_by", cache.shared_by},
                    {"instances", cache.instances}});
  }
  return list;
}

// ---- CPU ----

// The kernel gives Arm cores as numbers, implementer:part; these are the ones of HPC nodes.
struct ArmCore {
  std::string_view number, vendor, model;
};
constexpr std::array<ArmCore, 12> kArmCores = {{
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

void add_cpu_model(Json& document, const Text& cpu) {
  Text model = field(cpu, "model name");
  Text vendor = field(cpu, "vendor_id");
  const Text implementer = field(cpu, "CPU implementer");
  const Text part = field(cpu, "CPU part");
  if (!model && implementer && part) {
    model = *implementer + ":" + *part;
    for (const ArmCore& core : kArmCores) {
      if (model != core.number) continue;
      model = core.model;
      vendor = core.vendor;
      break;
    }
  }
  document["cpu_model"] = to_json(model);
  document["cpu_vendor"] = to_json(vendor);
  document["microcode"] = to_json(field(cpu, "microcode"));
}

// The time that the process's cgroups allow it, in CPUs: as much as so many CPUs have.
std::optional<double> cpu_quota(const Host& host) {
  std::optional<double> lowest;
  for (const auto& [folder, version_1] : cgroups(host, "cpu")) {
    std::vector<std::string> words = split(read(folder / "cpu.max"), ' ');
    if (version_1) {
      words = {read(folder / "cpu.cfs_quota_us").value_or(""),
               read(folder / "cpu.cfs_period_us").value_or("")};
    }
    if (words.size() != 2) continue;
    const auto quota = number<double>(words[0]);  // "max" and -1: there is none
    const auto period = number<double>(words[1]);
    if (!quota || !period || !(*quota > 0) || !(*period > 0)) continue;
    lowest = std::min(lowest.value_or(*quota / *period), *quota / *period);
  }
  return lowest;
}

void add_cpu_counts(Json& document, const Host& host) {
  constexpr const char* kCore = "topology/thread_siblings_list";
  const std::vector<int> all = numbered(cpus_folder(host), "cpu");
  const std::vector<int> allowed = host.cpus();
  const std::size_t online = parse_cpus(read(cpus_folder(host) / "online")).size();
  const std::size_t cores = count_distinct(host, all, kCore);
  document["sockets"] = non_zero(count_distinct(host, all, "topology/physical_package_id"));
  document["cores"] = non_zero(cores);
  document["logical_cpus"] = non_zero(online);
  document["smt"] = cores > 0 && online > 0 ? Json(cores < online) : Json();
  document["cpuset"] = allowed.empty() ? Json() : Json(cpu_list(allowed));
  document["allowed_cpus"] = non_zero(allowed.size());
  document["allowed_cores"] = non_zero(count_distinct(host, allowed, kCore));
  document["cpu_quota"] = to_json(cpu_quota(host));
}

// The words in which the CPU lists its features.
std::vector<std::string> cpu_flags(const Text& cpu) {
  const Text x86 = field(cpu, "flags");
  return split(x86 ? x86 : field(cpu, "Features"), ' ');
}

// The instruction sets that make a difference to the workloads, of those that the CPU has.
Json isa_flags(const Text& cpu) {
  constexpr const char* kInteresting =
      "sse4_2 avx f16c fma avx2 avx_vnni avx512f avx512dq avx512bw avx512vl avx512_vnni "
      "avx512_bf16 avx512_fp16 amx_tile amx_bf16 amx_int8 "
      "asimd fphp asimdhp asimddp sve sve2 bf16 i8mm sme";
  const std::vector<std::string> flags = cpu_flags(cpu);
  Json found;
  for (const std::string& flag : split(kInteresting, ' ')) {
    if (contains(flags, flag)) found.push_back(flag);
  }
  return found;
}

// Its name where the kernel tells it; else whether there is one, which only x86 CPUs tell.
Json hypervisor(const Host& host, const Text& cpu) {
  if (const Text name = read(host.root / "sys/hypervisor/type")) return *name;
  return field(cpu, "flags") ? Json(contains(cpu_flags(cpu), "hypervisor")) : Json();
}

Json governor(const Host& host) {
  const auto names = distinct(host, host.cpus(), "cpufreq/scaling_governor");
  if (names.empty()) return {};
  return names.size() == 1 ? *names.begin() : fmt::format("mixed: {}", fmt::join(names, ","));
}

std::set<double> megahertz(const Host& host, const std::vector<int>& cpus,
                           const std::string& file) {
  std::set<double> values;
  for (const std::string& text : distinct(host, cpus, "cpufreq/" + file)) {
    if (const auto kilohertz = number<std::uint32_t>(text)) values.insert(*kilohertz / 1000.0);
  }
  return values;
}

// The limits in force over the allowed CPUs, and the present frequency of the first of them: some
// kernels take 10 ms to find that out, for each CPU. Without cpufreq it is what /proc/cpuinfo says.
Json frequency(const Host& host, const Text& cpu) {
  std::vector<int> cpus = host.cpus();
  const auto low = megahertz(host, cpus, "scaling_min_freq");
  const auto high = megahertz(host, cpus, "scaling_max_freq");
  if (cpus.size() > 1) cpus.erase(cpus.begin() + 1, cpus.end());
  const auto now = megahertz(host, cpus, "scaling_cur_freq");
  const Json nominal = to_json(number<double>(field(cpu, "cpu MHz")));
  return {{"min", low.empty() ? Json() : Json(*low.begin())},
          {"max", high.empty() ? Json() : Json(*high.rbegin())},
          {"current", now.empty() ? nominal : Json(*now.begin())}};
}

Json boost(const Host& host) {
  const Text on = read(cpus_folder(host) / "cpufreq/boost");
  if (on == "0" || on == "1") return on == "1";
  const Text off = read(cpus_folder(host) / "intel_pstate/no_turbo");
  if (off == "0" || off == "1") return off == "0";
  return {};
}

// ---- memory ----

// Without the nodes that have neither CPUs nor memory: accelerators reserve such numbers.
Json numa_nodes(const Host& host) {
  Json nodes;
  const fs::path folder = host.root / "sys/devices/system/node";
  for (const int node : numbered(folder, "node")) {
    const fs::path files = folder / fmt::format("node{}", node);
    const auto cpus = parse_cpus(read(files / "cpulist"));
    const auto memory =
        bytes(field(read(files / "meminfo"), fmt::format("Node {} MemTotal", node)));
    if (cpus.empty() && memory.value_or(0) == 0) continue;
    nodes.push_back({{"node", node}, {"cpus", cpu_list(cpus)}, {"memory_bytes", to_json(memory)}});
  }
  return nodes;
}

// The names that a version of cgroups has for what we need.
struct CgroupMemory {
  const char* limit;
  const char* usage;
  std::vector<std::string> reclaimable;  // in memory.stat
};
const CgroupMemory cgroup_v1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_inactive_file", "total_active_file"}};
const CgroupMemory cgroup_v2{"memory.max", "memory.current", {"inactive_file", "active_file"}};

// What the kernel says of one group: its limit, and how much of it is left.
struct GroupMemory {
  std::size_t limit;
  std::size_t left;
};

std::optional<GroupMemory> group_memory(const Cgroup& group) {
  const CgroupMemory& names = group.version_1 ? cgroup_v1 : cgroup_v2;
  const auto limit = bytes(read(group.folder / names.limit));
  if (!limit) return {};
  const std::size_t usage = bytes(read(group.folder / names.usage)).value_or(0);
  const Text statistics = read(group.folder / "memory.stat");
  std::size_t cache = 0;
  for (const std::string& name : names.reclaimable) {
    cache += bytes(field(statistics, name, ' ')).value_or(0);
  }
  const std::size_t held = usage - std::min(usage, cache);
  return GroupMemory{*limit, *limit - std::min(*limit, held)};
}

std::vector<GroupMemory> memory_cgroups(const Host& host) {
  std::vector<GroupMemory> groups;
  for (const Cgroup& group : cgroups(host, "memory")) {
    if (const auto found = group_memory(group)) groups.push_back(*found);
  }
  return groups;
}

std::optional<std::size_t> memory_limit(const Host& host) {
  std::optional<std::size_t> lowest;
  for (const GroupMemory& group : memory_cgroups(host)) {
    lowest = std::min(lowest.value_or(group.limit), group.limit);
  }
  return lowest;
}

void add_memory(Json& document, const Host& host) {
  const Text information = read(host.root / "proc/meminfo");
  const fs::path huge_pages = host.root / "sys/kernel/mm/transparent_hugepage";
  document["memory_bytes"] = to_json(bytes(field(information, "MemTotal")));
  document["memory_available_bytes"] = to_json(bytes(field(information, "MemAvailable")));
  document["memory_limit_bytes"] = to_json(memory_limit(host));
  const auto allowance = memory_allowance(host);
  document["memory_allowance_bytes"] = allowance ? Json(allowance->bytes) : Json(nullptr);
  document["memory_limited_by"] = allowance ? Json(allowance->limited_by) : Json(nullptr);
  document["swap_bytes"] = to_json(bytes(field(information, "SwapTotal")));
  document["page_bytes"] = sysconf(_SC_PAGESIZE);
  document["transparent_huge_pages"] = {{"enabled", to_json(chosen(read(huge_pages / "enabled")))},
                                        {"defrag", to_json(chosen(read(huge_pages / "defrag")))}};
}

// ---- software ----

std::string host_name(const Host& host) {
  std::array<char, 256> buffer{};  // stays terminated: its last byte is not offered
  gethostname(buffer.data(), buffer.size() - 1);
  std::string name = read(host.root / "proc/sys/kernel/hostname").value_or(buffer.data());
  name = name.substr(0, name.find('.'));
  return name.empty() ? "unknown" : clean(name).get<std::string>();
}

Json operating_system(const Host& host) {
  Text name = field(read(host.root / "etc/os-release"), "PRETTY_NAME", '=');
  if (!name) return {};
  name->erase(std::remove(name->begin(), name->end(), '"'), name->end());
  return *name;
}

Json load_average(const Host& host) {
  std::istringstream in(read(host.root / "proc/loadavg").value_or(""));
  std::array<double, 3> load{};
  return in >> load[0] >> load[1] >> load[2] ? Json(load) : Json();
}

/// Tasks that run or wait for a processor now, this one among them: the fourth field is "3/512".
Json running_tasks(const Host& host) {
  std::istringstream in(read(host.root / "proc/loadavg").value_or(""));
  std::string skipped;
  int running = 0;
  return in >> skipped >> skipped >> skipped >> running ? Json(running) : Json();
}

Json openmp_variables(const Host& host) {
  std::map<std::string, std::string> values;  // sorted
  for (const std::string& name : host.env_names()) {
    const std::string prefix = name.substr(0, name.find('_'));
    if (prefix != "OMP" && prefix != "GOMP" && prefix != "KMP") continue;
    if (const Text value = variable(host, name)) values[name] = *value;
  }
  return values;
}

Json loaded_modules(const Host& host) {
  const Text modules = variable(host, "LOADEDMODULES");
  return modules ? Json(split(modules, ':')) : Json();
}

}  // namespace

std::vector<int> allowed_cpus() {
  // Not remembered by musl, which does not run what shall come first.
  return mask_at_start == CpuMask{} ? cpus_of_thread() : cpus_in_mask(mask_at_start);
}

std::vector<int> cpus_of_thread() {
  CpuMask mask{};
  syscall(SYS_sched_getaffinity, 0, sizeof mask, &mask);
  return cpus_in_mask(mask);
}

std::vector<std::string> environment_names() {
  std::vector<std::string> names;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

std::vector<Cache> caches(const Host& host) {
  std::vector<Cache> kinds;
  for (const CacheInstance& cache : cache_instances(host)) {
    const int shared_by = static_cast<int>(cache.cpus.size());
    const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const Cache& kind) {
      return kind.level == cache.level && kind.type == cache.type && kind.bytes == cache.bytes &&
             kind.shared_by == shared_by;
    });
    if (same != kinds.end()) {
      ++same->instances;
    } else {
      kinds.push_back({cache.level, cache.type, cache.bytes, shared_by, 1});
    }
  }
  return kinds;
}

std::optional<std::size_t> resource_limit(int resource) {
  struct rlimit limit {};
  if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) return {};
  if (limit.rlim_cur == RLIM_INFINITY) return {};
  return limit.rlim_cur;
}

std::optional<MemoryAllowance> memory_allowance(const Host& host) {
  std::optional<MemoryAllowance> lowest;
  const auto consider = [&](std::optional<std::size_t> room, const char* words) {
    if (room && (!lowest || *room < lowest->bytes)) lowest = MemoryAllowance{*room, words};
  };
  consider(bytes(field(read(host.root / "proc/meminfo"), "MemAvailable")), "free on the node");
  for (const GroupMemory& group : memory_cgroups(host)) {
    consider(group.left, "the job's memory limit");
  }
  const Text status = read(host.root / "proc/self/status");
  const auto below = [&](int resource, const char* used_key, const char* words) {
    const auto limit = host.limit(resource);
    if (!limit) return;
    const std::size_t used = bytes(field(status, used_key)).value_or(0);
    consider(*limit - std::min(*limit, used), words);
  };
  below(RLIMIT_AS, "VmSize", "ulimit -v");
  below(RLIMIT_DATA, "VmData", "ulimit -d");
  return lowest;
}

std::size_t last_level_cache_bytes(const Host& host) {
  const std::vector<int> cpus = host.cpus();
  std::map<int, std::size_t> per_level;
  for (const CacheInstance& cache : cache_instances(host)) {
    if (cache.type == "Instruction" || !within_reach(cache, cpus)) continue;
    per_level[cache.level] += cache.bytes;
  }
  return per_level.empty() ? 0 : per_level.rbegin()->second;
}

std::string cpu_list(std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  std::vector<std::string> ranges;
  for (std::size_t first = 0, next = 0; first < cpus.size(); first = next) {
    for (next = first + 1; next < cpus.size() && cpus[next] <= cpus[next - 1] + 1;) ++next;
    const bool single = cpus[first] == cpus[next - 1];
    ranges.push_back(single ? fmt::format("{}", cpus[first])
                            : fmt::format("{}-{}", cpus[first], cpus[next - 1]));
  }
  return fmt::format("{}", fmt::join(ranges, ","));
}

std::vector<int> cpus_in(const std::string& list) { return parse_cpus(list); }

std::string node_name(const Host& host) {
  const std::string name = variable(host, "SLURMD_NODENAME").value_or("");
  return name.empty() ? host_name(host) : printable(clean(name).get<std::string>());
}

nlohmann::ordered_json machine(const Host& host) {
  const Text cpus = read(host.root / "proc/cpuinfo");
  const Text cpu = cpus ? cpus->substr(0, cpus->find("\n\n")) : Text{};  // the first stands for all
  utsname kernel{};
  uname(&kernel);
  Json document;
  document["node"] = node_name(host);
  document["host_name"] = host_name(host);
  document["os"] = operating_system(host);
  document["kernel"] = kernel.release;
  document["arch"] = kernel.machine;
  add_cpu_model(document, cpu);
  add_cpu_counts(document, host);
  document["numa_nodes"] = numa_nodes(host);
  document["caches"] = caches_json(host);
  document["governor"] = governor(host);
  document["frequency_mhz"] = frequency(host, cpu);
  document["boost"] = boost(host);
  document["isa_flags"] = isa_flags(cpu);
  document["hypervisor"] = hypervisor(host, cpu);
  add_memory(document, host);
  document["load_average"] = load_average(host);
  document["running_tasks"] = running_tasks(host);
  document["omp"] = openmp_variables(host);
  document["loaded_modules"] = loaded_modules(host);
  return clean(document);
}

nlohmann::ordered_json slurm(const Host& host) {
  constexpr const char* kKeys =
      "cluster_name job_id step_id array_job_id array_task_id restart_count job_partition "
      "job_nodelist step_nodelist nodename nnodes nodeid procid localid ntasks ntasks_per_node "
      "step_tasks_per_node cpus_per_task "
      "cpus_on_node job_cpus_per_node cpu_bind cpu_bind_list cpu_bind_type hint threads_per_core "
      "cpu_freq_req mem_per_node mem_per_cpu mem_per_gpu gpus gpus_per_node gpus_per_task "
      "gpus_on_node job_gpus step_gpus gpu_bind topology_addr cuda_visible_devices";
  if (variable(host, "SLURM_JOB_ID").value_or("").empty()) return {};
  Json facts;
  for (const std::string& key : split(kKeys, ' ')) {
    const bool slurmd = key == "nodename";
    const bool cuda = key == "cuda_visible_devices";
    const std::string name = (slurmd ? "SLURMD_" : cuda ? "" : "SLURM_") + upper_case(key);
    facts[key] = to_json(variable(host, name));
  }
  return clean(facts);
}

}  // namespace bench
