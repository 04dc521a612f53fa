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

void about_load(const Json& machine, Doubts& found) {
  const Json& load = machine.at("load_average");
  const Json& cpus = machine.at("logical_cpus");
  if (!load.is_array() || load.empty() || !load.at(0).is_number() || !cpus.is_number()) return;
  const double running = load.at(0).get<double>();
  constexpr double busy_share = 0.5;
  if (running > busy_share * cpus.get<double>()) {
    found.push_back(
        fmt::format("load {:.1f} on {} cpus before the run: others were working here; "
                    "ask for the node alone (--exclusive)",
                    running, cpus.get<int>()));
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
  about_load(context.at("machine"), found);
  about_governor(context.at("machine"), found);
  return found;
}

}  // namespace bench
