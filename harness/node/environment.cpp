#include "harness/node/environment.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "harness/base/json.hpp"
#include "harness/base/printable.hpp"
#include "harness/node/allowance.hpp"
#include "harness/node/cgroup.hpp"
#include "harness/node/energy.hpp"
#include "harness/node/event_counts.hpp"
#include "harness/node/hardware.hpp"
#include "harness/node/places.hpp"
#include "harness/node/processor.hpp"
#include "harness/node/text_file.hpp"

namespace bench {
namespace {

/// Bytes that are not UTF-8 are replaced.
std::string clean(const std::string& text) {
  return Json::parse(serialised(text)).get<std::string>();
}

Text clean(const Text& text) { return text ? Text(clean(*text)) : Text(); }

Text variable(const Host& host, const std::string& name) {
  const char* value = host.env(name.c_str());
  return value == nullptr ? Text{} : clean(std::string(value));
}

template <class T = std::size_t>
std::optional<T> non_zero(std::size_t count) {
  return count > 0 ? std::optional(static_cast<T>(count)) : std::nullopt;
}

template <class T>
std::optional<std::vector<T>> if_any(std::vector<T> list) {
  return list.empty() ? std::nullopt : std::optional(std::move(list));
}

/// The CPUs of each core, as far as this process may use them.
std::vector<std::string> cores_to_use(const Host& host, const Topology& topology) {
  std::vector<std::string> list;
  for (const OmpPlace& place : places(topology, {host.cpus(), {}, -1}))
    list.push_back(cpu_list(place));
  return list;
}

void add_cpu_counts(Machine& machine, const Host& host, const Topology& topology) {
  const std::vector<int> allowed = host.cpus();
  const std::size_t cores = topology.cores.size();
  const std::size_t cpus = topology.logical_cpus;
  machine.sockets = non_zero(topology.sockets.size());
  machine.cores = non_zero(cores);
  machine.logical_cpus = non_zero(cpus);
  if (cores > 0 && cpus > 0) machine.smt = cores < cpus;
  if (!allowed.empty()) machine.cpuset = cpu_list(allowed);
  machine.allowed_cpus = non_zero<int>(allowed.size());
  machine.allowed_cores = non_zero<int>(cores_of(topology, allowed));
  machine.allowed_core_cpus = if_any(cores_to_use(host, topology));
  machine.cpu_quota = cpu_quota(host);
}

/// What the cgroup allows, and of that what a policy leaves.
Text memory_nodes(const Host& host) {
  std::vector<int> nodes =
      cpus_in(field(text_in(host.root / "proc/self/status"), "Mems_allowed_list").value_or(""));
  const std::vector<int> policy = host.policy_nodes();
  if (!policy.empty()) {
    std::erase_if(nodes, [&](int node) {
      return std::find(policy.begin(), policy.end(), node) == policy.end();
    });
  }
  return nodes.empty() ? Text() : cpu_list(nodes);
}

std::vector<NumaNode> numa_nodes(const Topology& topology) {
  std::vector<NumaNode> nodes;
  for (const Topology::NumaNode& node : topology.numa_nodes) {
    nodes.push_back({node.number, cpu_list(node.cpus), node.memory_bytes});
  }
  return nodes;
}

std::optional<std::size_t> memory_limit(const Host& host) {
  std::optional<std::size_t> lowest;
  for (const GroupMemory& group : memory_groups(host)) {
    lowest = std::min(lowest.value_or(group.limit), group.limit);
  }
  return lowest;
}

void add_memory(Machine& machine, const Host& host) {
  const Text information = text_in(host.root / "proc/meminfo");
  const auto huge_pages = host.root / "sys/kernel/mm/transparent_hugepage";
  machine.memory_bytes = bytes(field(information, "MemTotal"));
  machine.memory_available_bytes = bytes(field(information, "MemAvailable"));
  machine.memory_limit_bytes = memory_limit(host);
  if (const auto allowance = memory_allowance(host)) {
    machine.memory_allowance_bytes = allowance->bytes;
    machine.memory_limited_by = allowance->limited_by;
  }
  machine.shared_memory_bytes = bytes(field(information, "Shmem"));
  machine.swap_bytes = bytes(field(information, "SwapTotal"));
  machine.page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  machine.transparent_huge_pages = {clean(chosen(text_in(huge_pages / "enabled"))),
                                    clean(chosen(text_in(huge_pages / "defrag")))};
}

/// True for one of a disk or a server, which every node of a cluster has alike: not what
/// containers, jobs and users mount, or the system for itself.
bool is_of_cluster(const std::string& device, const std::string& where, const std::string& type) {
  constexpr std::array<std::string_view, 8> own{"/dev", "/proc", "/sys",      "/run",
                                                "/etc", "/boot", "/var/lib/", "/snap"};
  const bool of_system = std::any_of(
      own.begin(), own.end(), [&](std::string_view folder) { return where.starts_with(folder); });
  return device.find_first_of("/:") != std::string::npos && type != "squashfs" &&
         type != "autofs" && !type.starts_with("fuse.") && !of_system;
}

std::optional<std::vector<std::string>> mounts(const Host& host) {
  std::set<std::string> found;
  std::set<std::string> devices;
  std::string on_demand;  // what is mounted below depends on who is at work
  for (const std::string& line : split(text_in(host.root / "proc/self/mounts"), '\n')) {
    const auto words = split(line, ' ');
    if (words.size() < 3) continue;
    if (words[2] == "autofs") on_demand = words[1] + "/";
    if (!on_demand.empty() && words[1].starts_with(on_demand)) continue;
    if (!is_of_cluster(words[0], words[1], words[2])) continue;
    // A job may have a folder of one as its /tmp.
    if (devices.insert(words[0]).second) found.insert(clean(words[1]));
  }
  if (found.empty()) return {};
  return std::vector<std::string>(found.begin(), found.end());
}

std::string host_name(const Host& host) {
  std::array<char, 256> buffer{};  // stays terminated: its last byte is not offered
  gethostname(buffer.data(), buffer.size() - 1);
  std::string name = text_in(host.root / "proc/sys/kernel/hostname").value_or(buffer.data());
  name = name.substr(0, name.find('.'));
  return name.empty() ? "unknown" : clean(name);
}

Text operating_system(const Host& host) {
  Text name = field(text_in(host.root / "etc/os-release"), "PRETTY_NAME", '=');
  if (!name) return {};
  name->erase(std::remove(name->begin(), name->end(), '"'), name->end());
  return name;
}

std::optional<std::array<double, 3>> load_average(const Host& host) {
  std::istringstream in(text_in(host.root / "proc/loadavg").value_or(""));
  std::array<double, 3> load{};
  in >> load[0] >> load[1] >> load[2];
  return in ? std::optional(load) : std::nullopt;
}

/// Tasks that run or wait for a processor now, this one among them: the fourth field is "3/512".
std::optional<int> running_tasks(const Host& host) {
  std::istringstream in(text_in(host.root / "proc/loadavg").value_or(""));
  std::string skipped;
  int running = 0;
  in >> skipped >> skipped >> skipped >> running;
  return in ? std::optional(running) : std::nullopt;
}

std::map<std::string, std::string> openmp_variables(const Host& host) {
  std::map<std::string, std::string> values;
  const bool ours = places_are_ours(host);
  for (const std::string& name : host.env_names()) {
    const std::string prefix = name.substr(0, name.find('_'));
    if (prefix != "OMP" && prefix != "GOMP" && prefix != "KMP") continue;
    // Which cores those are is of this run only; that of each thread is among its facts.
    if (ours && (name == "OMP_PLACES" || name == "OMP_PROC_BIND")) continue;
    if (const Text value = variable(host, name)) values[clean(name)] = *value;
  }
  return values;
}

std::optional<std::vector<std::string>> loaded_modules(const Host& host) {
  const Text modules = variable(host, "LOADEDMODULES");
  return modules ? std::optional(split(modules, ':')) : std::nullopt;
}

/// What can be measured in addition to time, or why not.
void add_meters(Machine& machine, const Host& host) {
  const SocketEnergy energy(host);
  const EventCounter counter(host);
  if (energy.reason().empty()) {
    machine.energy = energy.of();
  } else {
    machine.energy_reason = energy.reason();
  }
  if (counter.reason().empty()) {
    machine.counters = counter.events();
  } else {
    machine.counters_reason = counter.reason();
  }
}

/// Fills each fact of the job from the variable of its name.
class FromVariables {
 public:
  explicit FromVariables(const Host& host) : host_(host) {}

  void later(const std::string& key, Text& fact) const {
    const bool slurmd = key == "nodename";
    const bool cuda = key == "cuda_visible_devices";
    fact = variable(host_, (slurmd ? "SLURMD_" : cuda ? "" : "SLURM_") + upper_case(key));
  }
  void keep(const Json& /*nothing*/) const {}

 private:
  const Host& host_;
};

}  // namespace

std::string node_name(const Host& host) {
  const std::string name = variable(host, "SLURMD_NODENAME").value_or("");
  return name.empty() ? host_name(host) : printable(name);
}

Machine machine(const Host& host) {
  const Text cpu = clean(first_cpu(host));
  const Topology topology = host.topology();
  utsname kernel{};
  uname(&kernel);
  Machine machine;
  machine.node = node_name(host);
  machine.host_name = host_name(host);
  machine.os = clean(operating_system(host));
  machine.kernel = kernel.release;
  machine.arch = kernel.machine;
  add_cpu_model(machine, cpu);
  add_cpu_counts(machine, host, topology);
  if (!topology.foreign.empty()) machine.topology_from = topology.foreign;
  machine.numa_nodes = if_any(numa_nodes(topology));
  machine.memory_nodes = memory_nodes(host);
  machine.caches = if_any(caches(topology));
  machine.governor = clean(governor(host));
  machine.frequency_mhz = frequency(host, cpu);
  machine.boost = boost(host);
  machine.isa_flags = if_any(isa_flags(cpu));
  machine.hypervisor = hypervisor(host, cpu);
  add_memory(machine, host);
  add_hardware(machine, host);
  add_meters(machine, host);
  machine.load_average = load_average(host);
  machine.running_tasks = running_tasks(host);
  machine.omp = openmp_variables(host);
  machine.mounts = mounts(host);
  machine.loaded_modules = loaded_modules(host);
  return machine;
}

std::optional<Slurm> slurm(const Host& host) {
  if (variable(host, "SLURM_JOB_ID").value_or("").empty()) return {};
  Slurm job;
  const FromVariables visit(host);
  fields(visit, job);
  return job;
}

}  // namespace bench
