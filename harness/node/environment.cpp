#include "harness/node/environment.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>

#include "harness/base/fields.hpp"
#include "harness/base/printable.hpp"
#include "harness/node/allowance.hpp"
#include "harness/node/cgroup.hpp"
#include "harness/node/energy.hpp"
#include "harness/node/event_counts.hpp"
#include "harness/node/own_environment.hpp"
#include "harness/node/places.hpp"
#include "harness/node/processor.hpp"
#include "harness/node/text_file.hpp"

namespace bench {
namespace {

Text variable(const Host& host, const std::string& name) {
  const char* value = host.env(name.c_str());
  return value == nullptr ? Text{} : value;
}

Json non_zero(std::size_t count) { return count > 0 ? Json(count) : Json(); }

/// The same document as valid JSON: bytes that are not UTF-8 replaced, NaN and infinity null.
Json clean(const Json& document) { return Json::parse(serialised(document)); }

/// The CPUs of each core, as far as this process may use them.
Json cores_to_use(const Host& host, const Topology& topology) {
  Json list;
  for (const OmpPlace& place : places(topology, {host.cpus(), {}, -1}))
    list.push_back(cpu_list(place));
  return list;
}

void add_cpu_counts(Json& document, const Host& host, const Topology& topology) {
  const std::vector<int> allowed = host.cpus();
  const std::size_t cores = topology.cores.size();
  const std::size_t cpus = topology.logical_cpus;
  document["sockets"] = non_zero(topology.sockets.size());
  document["cores"] = non_zero(cores);
  document["logical_cpus"] = non_zero(cpus);
  document["smt"] = cores > 0 && cpus > 0 ? Json(cores < cpus) : Json();
  document["cpuset"] = allowed.empty() ? Json() : Json(cpu_list(allowed));
  document["allowed_cpus"] = non_zero(allowed.size());
  document["allowed_cores"] = non_zero(cores_of(topology, allowed));
  document["allowed_core_cpus"] = cores_to_use(host, topology);
  document["cpu_quota"] = written(cpu_quota(host));
}

/// What the cgroup allows, and of that what a policy leaves.
Json memory_nodes(const Host& host) {
  std::vector<int> nodes =
      cpus_in(field(text_in(host.root / "proc/self/status"), "Mems_allowed_list").value_or(""));
  const std::vector<int> policy = host.policy_nodes();
  if (!policy.empty()) {
    std::erase_if(nodes, [&](int node) {
      return std::find(policy.begin(), policy.end(), node) == policy.end();
    });
  }
  return nodes.empty() ? Json() : Json(cpu_list(nodes));
}

Json numa_nodes(const Topology& topology) {
  Json nodes;
  for (const Topology::NumaNode& node : topology.numa_nodes) {
    nodes.push_back({{"node", node.number},
                     {"cpus", cpu_list(node.cpus)},
                     {"memory_bytes", node.memory_bytes}});
  }
  return nodes;
}

Json kinds_of_caches(const Topology& topology) {
  Json list;
  for (const Cache& cache : caches(topology)) {
    list.push_back({{"level", cache.level},
                    {"type", cache.type},
                    {"bytes", cache.bytes},
                    {"shared_by", cache.shared_by},
                    {"instances", cache.instances}});
  }
  return list;
}

Json memory_limit(const Host& host) {
  std::optional<std::size_t> lowest;
  for (const GroupMemory& group : memory_groups(host)) {
    lowest = std::min(lowest.value_or(group.limit), group.limit);
  }
  return written(lowest);
}

void add_memory(Json& document, const Host& host) {
  const Text information = text_in(host.root / "proc/meminfo");
  const auto huge_pages = host.root / "sys/kernel/mm/transparent_hugepage";
  document["memory_bytes"] = written(bytes(field(information, "MemTotal")));
  document["memory_available_bytes"] = written(bytes(field(information, "MemAvailable")));
  document["memory_limit_bytes"] = memory_limit(host);
  const auto allowance = memory_allowance(host);
  document["memory_allowance_bytes"] = allowance ? Json(allowance->bytes) : Json(nullptr);
  document["memory_limited_by"] = allowance ? Json(allowance->limited_by) : Json(nullptr);
  document["swap_bytes"] = written(bytes(field(information, "SwapTotal")));
  document["page_bytes"] = sysconf(_SC_PAGESIZE);
  document["transparent_huge_pages"] = {
      {"enabled", written(chosen(text_in(huge_pages / "enabled")))},
      {"defrag", written(chosen(text_in(huge_pages / "defrag")))}};
}

std::string host_name(const Host& host) {
  std::array<char, 256> buffer{};  // stays terminated: its last byte is not offered
  gethostname(buffer.data(), buffer.size() - 1);
  std::string name = text_in(host.root / "proc/sys/kernel/hostname").value_or(buffer.data());
  name = name.substr(0, name.find('.'));
  return name.empty() ? "unknown" : clean(name).get<std::string>();
}

Json operating_system(const Host& host) {
  Text name = field(text_in(host.root / "etc/os-release"), "PRETTY_NAME", '=');
  if (!name) return {};
  name->erase(std::remove(name->begin(), name->end(), '"'), name->end());
  return *name;
}

Json load_average(const Host& host) {
  std::istringstream in(text_in(host.root / "proc/loadavg").value_or(""));
  std::array<double, 3> load{};
  return in >> load[0] >> load[1] >> load[2] ? Json(load) : Json();
}

/// Tasks that run or wait for a processor now, this one among them: the fourth field is "3/512".
Json running_tasks(const Host& host) {
  std::istringstream in(text_in(host.root / "proc/loadavg").value_or(""));
  std::string skipped;
  int running = 0;
  return in >> skipped >> skipped >> skipped >> running ? Json(running) : Json();
}

Json openmp_variables(const Host& host) {
  std::map<std::string, std::string> values;  // sorted
  const bool ours = places_are_ours(host);
  for (const std::string& name : host.env_names()) {
    const std::string prefix = name.substr(0, name.find('_'));
    if (prefix != "OMP" && prefix != "GOMP" && prefix != "KMP") continue;
    // Which cores those are is of this run only; that of each thread is among its facts.
    if (ours && (name == "OMP_PLACES" || name == "OMP_PROC_BIND")) continue;
    if (const Text value = variable(host, name)) values[name] = *value;
  }
  return values;
}

Json loaded_modules(const Host& host) {
  const Text modules = variable(host, "LOADEDMODULES");
  return modules ? Json(split(modules, ':')) : Json();
}

/// What can be told beside time, or why not.
void add_meters(Json& document, const Host& host) {
  const SocketEnergy energy(host);
  const EventCounter counter(host);
  document["energy"] = energy.reason().empty() ? Json(energy.of()) : Json();
  document["energy_reason"] = energy.reason().empty() ? Json() : Json(energy.reason());
  document["counters"] = counter.reason().empty() ? Json(counter.events()) : Json();
  document["counters_reason"] = counter.reason().empty() ? Json() : Json(counter.reason());
}

/// Fills each fact of the job from the variable of its name.
class FromVariables {
 public:
  explicit FromVariables(const Host& host) : host_(host) {}

  void later(const std::string& key, Text& fact) const {
    const bool slurmd = key == "nodename";
    const bool cuda = key == "cuda_visible_devices";
    fact = variable(host_, (slurmd ? "SLURMD_" : cuda ? "" : "SLURM_") + upper_case(key));
    if (fact) fact = clean(*fact).get<std::string>();
  }
  void keep(const Json& /*nothing*/) const {}

 private:
  const Host& host_;
};

}  // namespace

std::string node_name(const Host& host) {
  const std::string name = variable(host, "SLURMD_NODENAME").value_or("");
  return name.empty() ? host_name(host) : printable(clean(name).get<std::string>());
}

Json machine(const Host& host) {
  const Text cpu = first_cpu(host);
  const Topology topology = host.topology();
  utsname kernel{};
  uname(&kernel);
  Json document;
  document["node"] = node_name(host);
  document["host_name"] = host_name(host);
  document["os"] = operating_system(host);
  document["kernel"] = kernel.release;
  document["arch"] = kernel.machine;
  add_cpu_model(document, cpu);
  add_cpu_counts(document, host, topology);
  document["numa_nodes"] = numa_nodes(topology);
  document["memory_nodes"] = memory_nodes(host);
  document["caches"] = kinds_of_caches(topology);
  document["governor"] = governor(host);
  document["frequency_mhz"] = frequency(host, cpu);
  document["boost"] = boost(host);
  document["isa_flags"] = isa_flags(cpu);
  document["hypervisor"] = hypervisor(host, cpu);
  add_memory(document, host);
  add_meters(document, host);
  document["load_average"] = load_average(host);
  document["running_tasks"] = running_tasks(host);
  document["omp"] = openmp_variables(host);
  document["loaded_modules"] = loaded_modules(host);
  return clean(document);
}

std::optional<Slurm> slurm(const Host& host) {
  if (variable(host, "SLURM_JOB_ID").value_or("").empty()) return {};
  Slurm job;
  const FromVariables visit(host);
  fields(visit, job);
  return job;
}

}  // namespace bench
