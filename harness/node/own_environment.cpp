#include "harness/node/own_environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "harness/node/cpus.hpp"

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

bool chosen_by_user() {
  const auto set = [](const char* name) { return std::getenv(name) != nullptr; };
  return set("OMP_WAIT_POLICY") ||
         std::any_of(std::begin(waiting), std::end(waiting),
                     [&](const Waiting& one) { return set(one.variable); });
}

}  // namespace

void settle_environment(char** argv) {
  const std::vector<std::string> foreign = variables_of_engine();
  const bool settled = chosen_by_user();
  if (foreign.empty() && settled) return;
  for (const std::string& name : foreign) unsetenv(name.c_str());
  if (!settled) {
    for (const Waiting& one : waiting) setenv(one.variable, one.value, 1);
  }
  // An OpenMP runtime told to bind has pinned this thread already, and who is started inherits
  // that.
  unbind_thread();
  std::error_code none;
  execv(std::filesystem::read_symlink("/proc/self/exe", none).c_str(), argv);
  // Where that is not possible they may count.
}

}  // namespace bench
