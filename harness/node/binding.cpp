#include "harness/node/binding.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>

#include "harness/base/json.hpp"
#include "harness/node/cpus.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

/// The number that a text begins with, as far as it is one of nodes, tasks or CPUs; else 0.
std::size_t count(const std::string& text) {
  constexpr int most = 1'000'000;
  return static_cast<std::size_t>(std::clamp(std::atoi(text.c_str()), 0, most));
}

/// One of Slurm's variables as a number.
std::size_t count_at(const Json& context, const char* path) {
  return count(text_at(context, path));
}

/// "OMP_PLACES={0}, OMP_PROC_BIND=master": those of the variables that bind threads that are set.
std::string binding_variables(const Json& machine) {
  const Json omp = machine.value("omp", Json::object());
  std::string text;
  for (const char* name : {"GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_PLACES", "OMP_PROC_BIND"}) {
    const Json value = omp.is_object() ? omp.value(name, Json()) : Json();
    if (!value.is_string()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value.get<std::string>());
  }
  return text;
}

void about_threads(const Json& context, std::vector<std::string>& found) {
  const Json& machine = context.at("machine");
  const Json threads = context.at("run").value("thread_cpus", Json());
  const Json cpuset = machine.value("cpuset", Json());
  if (!threads.is_array() || threads.size() < 2 || !cpuset.is_string()) return;
  const auto all = cpuset.get<std::string>();
  std::map<std::string, std::size_t> threads_on;
  for (const Json& cpus : threads) ++threads_on[cpus.get<std::string>()];
  const std::string variables = binding_variables(machine);
  for (const auto& [cpus, count] : threads_on) {
    if (cpus == all || count <= cpus_in(cpus).size()) continue;
    found.push_back(fmt::format(
        "{} threads are bound to cpu{} {}: they wait for each other; {}", count,
        cpus_in(cpus).size() == 1 ? "" : "s", cpus,
        variables.empty() ? "look at what binds them" : "correct or unset " + variables));
    return;
  }
  const bool in_job = context.value("slurm", Json()).is_object();
  if (in_job && threads_on.contains(all)) {
    found.push_back(
        fmt::format("{} threads may move between cpus {}: bind them with OMP_PROC_BIND=close "
                    "OMP_PLACES=cores",
                    threads.size(), all));
  }
}

/// The entries of "a,b,c".
std::vector<std::string> entries(const std::string& list) {
  std::vector<std::string> found(1);
  for (const char c : list) {
    if (c == ',') {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  return found;
}

/// How many tasks the step has on this node, 0 where that is unknown: of "2(x3),1" that of the
/// node's number.
std::size_t tasks_here(const Json& context) {
  std::size_t nodes = 0;
  for (const std::string& entry : entries(text_at(context, "slurm/step_tasks_per_node"))) {
    const std::size_t times = entry.find("(x");
    nodes += times == std::string::npos ? 1 : count(entry.substr(times + 2));
    if (count_at(context, "slurm/nodeid") < nodes) return count(entry);
  }
  return 0;
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

/// Whether another task of this node works on CPUs of ours: as Slurm has bound them, or because
/// there are not so many CPUs.
bool shares_cpus(const Json& context, std::size_t tasks) {
  const std::string type = text_at(context, "slurm/cpu_bind_type");
  const bool masks = type == "mask_cpu:";
  if (!masks && type != "map_cpu:") {
    const Json allowed = context.at("machine").value("allowed_cpus", Json());
    const std::size_t here = count_at(context, "slurm/cpus_on_node");
    return allowed.is_number() && here > 0 && tasks * allowed.get<std::size_t>() > here;
  }
  const std::vector<std::string> bound = entries(text_at(context, "slurm/cpu_bind_list"));
  const std::size_t own = count_at(context, "slurm/localid");
  if (tasks > bound.size() || own >= bound.size()) return true;  // some entry is there for two
  for (std::size_t other = 0; other < tasks; ++other) {
    const bool same = masks ? overlap(bound[other], bound[own]) : bound[other] == bound[own];
    if (other != own && same) return true;
  }
  return false;
}

void about_tasks(const Json& context, std::vector<std::string>& found) {
  const std::size_t tasks = tasks_here(context);
  if (tasks < 2 || !shares_cpus(context, tasks)) return;
  found.push_back(
      fmt::format("{} tasks on this node share cpus, and wait for each other: give each its own "
                  "with --cpus-per-task; look at --cpu-bind and --overcommit",
                  tasks));
}

}  // namespace

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

void about_binding(const Json& context, std::vector<std::string>& doubts) {
  about_threads(context, doubts);
  about_tasks(context, doubts);
}

}  // namespace bench
