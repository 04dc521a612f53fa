#include "harness/doctor.hpp"

#include <fmt/format.h>

namespace bench {
namespace {

using Json = nlohmann::ordered_json;
using Doubts = std::vector<std::string>;

void about_build(const Json& build, Doubts& found) {
  const Json& type = build.at("build_type");
  if (type != "Release" && type != "RelWithDebInfo") {
    found.push_back(fmt::format("built as {}: configure with -DCMAKE_BUILD_TYPE=Release",
                                type.is_string() ? type.get<std::string>() : "unknown type"));
  }
}

void about_threads(const Json& run, const Json& machine, Doubts& found) {
  const int threads = run.at("threads").get<int>();
  if (threads == 1) {
    found.emplace_back(
        "one thread only: ask for more with srun --cpus-per-task or OMP_NUM_THREADS");
  }
  const Json& allowed = machine.at("allowed_cpus");
  if (allowed.is_number() && threads > allowed.get<int>()) {
    found.push_back(
        fmt::format("{} threads on {} cpus: they wait for each other; set "
                    "OMP_NUM_THREADS to {}",
                    threads, allowed.get<int>(), allowed.get<int>()));
  }
}

/// Tasks that run at this moment, without this one. The load average of the last minute would also
/// count the build that went before.
void about_others(const Json& machine, Doubts& found) {
  const Json& running = machine.at("running_tasks");
  if (!running.is_number()) return;
  const int others = running.get<int>() - 1;
  if (others > 0) {
    found.push_back(
        fmt::format("{} other task{} running when the measurement began; ask for the "
                    "node alone (--exclusive)",
                    others, others == 1 ? " was" : "s were"));
  }
}

void about_governor(const Json& machine, Doubts& found) {
  const Json& governor = machine.at("governor");
  if (governor.is_string() && governor.get<std::string>().find("powersave") != std::string::npos) {
    found.emplace_back("the powersave governor may lower the clock: srun --cpu-freq=performance");
  }
}

}  // namespace

std::vector<std::string> doubts(const Json& context) {
  Doubts found;
  about_build(context.at("build"), found);
  about_threads(context.at("run"), context.at("machine"), found);
  about_others(context.at("machine"), found);
  about_governor(context.at("machine"), found);
  return found;
}

}  // namespace bench
