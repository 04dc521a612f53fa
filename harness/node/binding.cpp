#include "harness/node/binding.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>

#include "harness/base/reasons.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/places.hpp"

namespace bench {
namespace {

/// The number that a text begins with, as far as it is one of nodes, tasks or CPUs; else 0.
std::size_t count(const Text& text) {
  constexpr int most = 1'000'000;
  return static_cast<std::size_t>(std::clamp(std::atoi(text.value_or("").c_str()), 0, most));
}

/// "OMP_PLACES={0}, OMP_PROC_BIND=master": those of the user's variables that bind threads.
std::string variables_that_bind(const Machine& machine) {
  std::string text;
  for (const char* name : binding_variables) {
    const auto found = machine.omp.find(name);
    if (found == machine.omp.end()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, found->second);
  }
  return text;
}

/// What to do about threads that are bound where they wait for each other.
Reason how_to_part(const Machine& machine) {
  const std::string variables = variables_that_bind(machine);
  return variables.empty() ? said<reasons::look_at_what_binds>()
                           : said<reasons::correct_or_unset>(variables);
}

/// What to do about threads that are not bound.
Reason how_to_bind(const Machine& machine) {
  const std::string variables = variables_that_bind(machine);
  return variables.empty() ? said<reasons::bind_them>()
                           : said<reasons::unset_and_bench_binds>(variables);
}

/// Lists of CPUs in the kernel's notation.
std::vector<std::vector<int>> lists_of_cpus(const std::vector<std::string>& texts) {
  std::vector<std::vector<int>> lists;
  for (const std::string& text : texts) lists.push_back(cpus_in(text));
  return lists;
}

bool includes(const std::vector<int>& all, const std::vector<int>& some) {
  return !some.empty() && std::includes(all.begin(), all.end(), some.begin(), some.end());
}

bool meet(const std::vector<int>& a, const std::vector<int>& b) {
  return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

/// Where the threads of a context may run, and what they have to choose from.
struct Threads {
  std::vector<std::vector<int>> cpus;   ///< of each thread
  std::vector<std::vector<int>> cores;  ///< the CPUs of each that the process may use
  std::vector<int> all;                 ///< CPUs of the process
};

Threads threads_of(const std::vector<std::string>& thread_cpus, const Machine& machine) {
  return {lists_of_cpus(thread_cpus),
          lists_of_cpus(machine.allowed_core_cpus.value_or(std::vector<std::string>())),
          cpus_in(machine.cpuset.value_or(""))};
}

/// True where more threads than CPUs are bound to the same ones, which is then said.
bool about_crowds(const Threads& threads, const Machine& machine, std::vector<Reason>& found) {
  std::map<std::vector<int>, std::size_t> threads_on;
  for (const std::vector<int>& cpus : threads.cpus) ++threads_on[cpus];
  for (const auto& [cpus, count] : threads_on) {
    if (cpus == threads.all || count <= cpus.size()) continue;
    const std::string list = cpu_list(cpus);
    const Reason remedy = how_to_part(machine);
    found.push_back(cpus.size() == 1 ? said<reasons::crowded_cpu>(count, list, remedy)
                                     : said<reasons::crowded_cpus>(count, list, remedy));
    return true;
  }
  return false;
}

/// Hyper-threads of one core at work while another core has nothing to do.
void about_cores(const Threads& threads, const Machine& machine, std::vector<Reason>& found) {
  const auto count = [&](const auto& is) {
    return std::count_if(threads.cpus.begin(), threads.cpus.end(), is);
  };
  const auto idle =
      std::count_if(threads.cores.begin(), threads.cores.end(), [&](const std::vector<int>& core) {
        return count([&](const std::vector<int>& cpus) { return meet(cpus, core); }) == 0;
      });
  for (const std::vector<int>& core : threads.cores) {
    const auto here = count([&](const std::vector<int>& cpus) { return includes(core, cpus); });
    if (idle == 0 || here < 2) continue;
    found.push_back(said<reasons::crowded_core>(here, cpu_list(core), idle, threads.cores.size(),
                                                how_to_part(machine)));
    return;
  }
}

/// The numbers of the NUMA nodes that have memory, and CPUs among these.
std::vector<int> nodes_of(const Machine& machine, const std::vector<int>& cpus) {
  std::vector<int> nodes;
  if (!machine.numa_nodes) return nodes;
  for (const NumaNode& node : *machine.numa_nodes) {
    if (node.memory_bytes > 0 && meet(cpus_in(node.cpus), cpus)) nodes.push_back(node.node);
  }
  return nodes;
}

/// Threads that the kernel may move: those of a job are worth binding, and a single one that would
/// leave its memory.
void about_moving(const Threads& threads, const Machine& machine, const std::optional<Slurm>& slurm,
                  std::vector<Reason>& found) {
  const auto moves = [&](const std::vector<int>& cpus) { return cpus == threads.all; };
  const bool any = std::any_of(threads.cpus.begin(), threads.cpus.end(), moves);
  if (!any || threads.cores.size() == 1) return;
  if (slurm && tasks_share_cpus(*slurm, threads.all.size())) return;
  const std::vector<int> nodes = nodes_of(machine, threads.all);
  if (slurm && threads.cpus.size() > 1) {
    found.push_back(said<reasons::threads_move>(threads.cpus.size(), cpu_list(threads.all),
                                                how_to_bind(machine)));
  } else if (moves(threads.cpus.front()) && nodes.size() > 1) {
    found.push_back(said<reasons::threads_leave_memory>(cpu_list(nodes), how_to_bind(machine)));
  }
}

void about_threads(const Threads& threads, const Machine& machine,
                   const std::optional<Slurm>& slurm, std::vector<Reason>& found) {
  if (threads.cpus.empty() || threads.all.size() < 2) return;
  if (!about_crowds(threads, machine, found)) about_cores(threads, machine, found);
  about_moving(threads, machine, slurm, found);
}

/// Memory that is near none of this process's CPUs.
void about_nodes(const Machine& machine, std::vector<Reason>& found) {
  const std::vector<int> near = nodes_of(machine, cpus_in(machine.cpuset.value_or("")));
  const std::vector<int> allowed = cpus_in(machine.memory_nodes.value_or(""));
  if (near.empty() || allowed.empty() || meet(near, allowed)) return;
  found.push_back(said<reasons::memory_is_far>(cpu_list(allowed), cpu_list(near)));
}

/// The entries of "a,b,c".
std::vector<std::string> entries(const Text& list) {
  std::vector<std::string> found(1);
  for (const char c : list.value_or("")) {
    if (c == ',') {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  return found;
}

/// True where two masks like 0xff00 have a bit in common.
bool overlap(const std::string& a, const std::string& b) {
  const auto digit = [](const std::string& mask, std::size_t from_right) -> unsigned {
    if (from_right >= mask.size()) return 0;
    const char c = mask[mask.size() - 1 - from_right];
    const std::size_t value = std::string_view("0123456789abcdef").find(c);
    return value == std::string_view::npos ? 0 : static_cast<unsigned>(value);  // the x of 0x
  };
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if ((digit(a, i) & digit(b, i)) != 0) return true;
  }
  return false;
}

/// True where Slurm has bound these tasks so, or where there are fewer CPUs.
bool share_cpus(const Slurm& job, std::size_t tasks, std::size_t allowed) {
  const bool masks = job.cpu_bind_type == "mask_cpu:";
  if (!masks && job.cpu_bind_type != "map_cpu:") {
    const std::size_t here = count(job.cpus_on_node);
    return here > 0 && tasks * allowed > here;
  }
  const std::vector<std::string> bound = entries(job.cpu_bind_list);
  const std::size_t own = count(job.localid);
  if (tasks > bound.size() || own >= bound.size()) return true;  // some entry is there for two
  for (std::size_t other = 0; other < tasks; ++other) {
    const bool same = masks ? overlap(bound[other], bound[own]) : bound[other] == bound[own];
    if (other != own && same) return true;
  }
  return false;
}

void about_tasks(const Slurm& job, const Machine& machine, std::vector<Reason>& found) {
  if (!tasks_share_cpus(job, static_cast<std::size_t>(machine.allowed_cpus.value_or(0)))) return;
  found.push_back(said<reasons::tasks_share_cpus>(tasks_here(job)));
}

}  // namespace

std::size_t tasks_here(const Slurm& job) {
  std::size_t nodes = 0;
  for (const std::string& entry : entries(job.step_tasks_per_node)) {
    const std::size_t times = entry.find("(x");
    nodes += times == std::string::npos ? 1 : count(entry.substr(times + 2));
    if (count(job.nodeid) < nodes) return count(entry);
  }
  return 0;
}

bool tasks_share_cpus(const Slurm& job, std::size_t allowed) {
  const std::size_t tasks = tasks_here(job);
  return tasks > 1 && share_cpus(job, tasks, allowed);
}

bool tasks_share_devices(const Slurm& job, std::size_t devices) {
  const std::size_t tasks = tasks_here(job);
  return tasks > 1 && tasks * devices > count(job.gpus_on_node);
}

std::vector<std::string> thread_cpus() {
  std::vector<std::string> cpus(static_cast<std::size_t>(omp_get_max_threads()));
  std::size_t threads = 1;
#pragma omp parallel
  {
    const int number = omp_get_thread_num();
    cpus[static_cast<std::size_t>(number)] = cpu_list(cpus_of_thread());
    if (number == 0) threads = static_cast<std::size_t>(omp_get_num_threads());
  }
  cpus.resize(threads);
  return cpus;
}

std::optional<Binder> bound_by(const std::vector<std::string>& thread_cpus, const Host& host) {
  const std::string all = cpu_list(host.cpus());
  const bool bound = std::any_of(thread_cpus.begin(), thread_cpus.end(),
                                 [&](const std::string& cpus) { return cpus != all; });
  if (!bound) return {};
  return places_are_ours(host) ? Binder::bench : Binder::user;
}

void about_binding(const std::vector<std::string>& thread_cpus, const Machine& machine,
                   const std::optional<Slurm>& slurm, std::vector<Reason>& doubts) {
  about_threads(threads_of(thread_cpus, machine), machine, slurm, doubts);
  about_nodes(machine, doubts);
  if (slurm) about_tasks(*slurm, machine, doubts);
}

}  // namespace bench
