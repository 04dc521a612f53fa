#include "harness/node/own_environment.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/node/binding.hpp"
#include "harness/node/cpus.hpp"
#include "harness/node/environment.hpp"
#include "harness/node/job_gpu.hpp"
#include "harness/node/places.hpp"

namespace bench {
namespace {

std::vector<std::string> variables_of_engine() {
  std::vector<std::string> names;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    if (text.starts_with("BENCHMARK_")) names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

/// How the threads of GCC's and of LLVM's runtime wait.
struct Waiting {
  const char* variable;
  const char* value;
};
constexpr Waiting waiting[] = {{"GOMP_SPINCOUNT", "20000"}, {"KMP_BLOCKTIME", "1"}};

bool is_set(const char* variable) { return std::getenv(variable) != nullptr; }

bool waiting_is_chosen() {
  return is_set("OMP_WAIT_POLICY") ||
         std::any_of(std::begin(waiting), std::end(waiting),
                     [](const Waiting& one) { return is_set(one.variable); });
}

bool binding_is_chosen() {
  return std::any_of(std::begin(binding_variables), std::end(binding_variables), is_set);
}

/// Where the threads must run; nowhere where there is no choice, or no way to bind them.
std::vector<OmpPlace> places_to_take() {
  const std::vector<int> cpus = allowed_cpus();
  const auto job = slurm();
  if (cpus.size() < 2 || (job && tasks_share_cpus(*job, cpus.size()))) return {};
  std::vector<OmpPlace> found = places(this_topology(), {cpus, cpus_near_gpu(), sched_getcpu()});
  if (found.size() < 2 || !bind_thread(found.front())) return {};
  return found;
}

/// Spread: fewer threads than cores have all of the node's memory and caches, and each sits on the
/// first of the cores whose threads have touched its part of the arrays.
void take(const std::vector<OmpPlace>& places) {
  const std::string text = omp_places(places);
  setenv("OMP_PLACES", text.c_str(), 1);
  setenv("OMP_PROC_BIND", "spread", 1);
  setenv(own_places_variable, text.c_str(), 1);
}

void give_up_places() {
  for (const char* const name : {"OMP_PLACES", "OMP_PROC_BIND", own_places_variable}) {
    unsetenv(name);
  }
}

}  // namespace

void give_up_own_environment() {
  if (places_are_ours()) give_up_places();
  const auto is_ours = [](const Waiting& one) {
    const char* const value = std::getenv(one.variable);
    return value != nullptr && value == std::string_view(one.value);
  };
  if (!std::all_of(std::begin(waiting), std::end(waiting), is_ours)) return;
  for (const Waiting& one : waiting) unsetenv(one.variable);
}

std::filesystem::path this_program() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none);
}

void settle_environment(char** argv) {
  const std::vector<std::string> foreign = variables_of_engine();
  const bool settled = waiting_is_chosen();
  const std::vector<OmpPlace> places =
      binding_is_chosen() ? std::vector<OmpPlace>() : places_to_take();
  if (foreign.empty() && settled && places.empty()) return;
  for (const std::string& name : foreign) unsetenv(name.c_str());
  if (!settled) {
    for (const Waiting& one : waiting) setenv(one.variable, one.value, 1);
  }
  if (!places.empty()) take(places);
  // An OpenMP runtime told to bind has pinned this thread already, and a started process inherits
  // that.
  unbind_thread();
  execv(this_program().c_str(), argv);
  // Where that is not possible they may count.
  if (!places.empty()) give_up_places();
}

}  // namespace bench
