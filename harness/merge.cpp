#include "harness/merge.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "harness/document.hpp"
#include "harness/result.hpp"
#include "harness/statistics.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

std::string name_of(const Json& one) { return one.at("name").get<std::string>(); }

bool measured(const Json& one) { return one.at("status") == "measured"; }

/// True where both have the same inputs of every workload and size that both have at all.
bool same_inputs(const Json& a, const Json& b) {
  for (const auto& [workload, sizes] : a.items()) {
    for (const auto& [size, hash] : sizes.items()) {
      const auto here = b.find(workload);
      if (here != b.end() && here->value(size, hash) != hash) return false;
    }
  }
  return true;
}

bool belong_together(const Json& a, const Json& b) {
  for (const char* path : {"context/run/node", "context/machine/cpu_model", "context/run/seed",
                           "context/run/cache", "schema"}) {
    if (at(a, path) != at(b, path)) return false;
  }
  if (!same_inputs(at(a, "context/run/input_hash"), at(b, "context/run/input_hash"))) return false;
  std::set<std::string> names;
  for (const Json& one : a.at("cases")) names.insert(name_of(one));
  const Json& cases = b.at("cases");
  return std::none_of(cases.begin(), cases.end(),
                      [&](const Json& one) { return names.contains(name_of(one)); });
}

/// What may stand in one ratio: the same work on the same bytes.
std::string work_of(const Json& one) {
  std::string key;
  for (const char* part : {"workload", "dtype", "size", "cache"}) {
    key += one.at(part).get<std::string>() + "/";
  }
  return key;
}

/// A case and the run that it was measured in.
struct Measured {
  const Json* result = nullptr;
  std::size_t run = 0;

  double seconds() const { return result->at("seconds").at("median").get<double>(); }
  std::vector<double> samples() const {
    return result->at("seconds").at("samples").get<std::vector<double>>();
  }
};

/// The baselines of one work, over all runs.
struct Baselines {
  Measured serial;
  Measured best_cpu;
};

bool beside(const Json& one) { return name_of(one).find(",beside=") != std::string::npos; }

std::map<std::string, Baselines> baselines(const Json& cases, const std::vector<std::size_t>& run) {
  std::map<std::string, Baselines> all;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Json& one = cases.at(i);
    if (!measured(one) || beside(one) || one.at("threads").is_null()) continue;
    Baselines& here = all[work_of(one)];
    const Measured found{&one, run[i]};
    if (one.at("backend") == "serial" && one.at("variant") == "naive") here.serial = found;
    if (here.best_cpu.result == nullptr || found.seconds() < here.best_cpu.seconds()) {
      here.best_cpu = found;
    }
  }
  return all;
}

/// Where a yardstick counts: beside which work, with how many threads, with or without transfers.
std::string place_of(const Json& one, const std::string& work) {
  return work + "/" + one.at("dtype").get<std::string>() + "/" +
         one.at("scope").get<std::string>() + "/" + one.at("threads").dump();
}

/// The fastest yardsticks of all runs in GB/s: place → workload → speed.
using Yardsticks = std::map<std::string, std::map<std::string, double>>;

Yardsticks yardsticks(const Json& cases) {
  static const std::string key = ",beside=";
  Yardsticks fastest;
  for (const Json& one : cases) {
    if (!measured(one) || !beside(one)) continue;
    const std::string name = name_of(one);
    const std::string rest = name.substr(name.find(key) + key.size());
    double& best = fastest[place_of(one, rest.substr(0, rest.find(',')))]
                          [one.at("workload").get<std::string>()];
    best = std::max(best, one.at("gb_per_s").get<double>());
  }
  return fastest;
}

void put_shares(Json& one, Json& speedup, const Yardsticks& fastest) {
  const auto found = fastest.find(place_of(
      one, one.at("workload").get<std::string>() + ":" + one.at("size").get<std::string>()));
  if (found == fastest.end()) return;
  for (const auto& [yardstick, best] : found->second) {
    const double share = one.at("gb_per_s").get<double>() / best;
    one["share_of_" + yardstick] = share;
    speedup["share_of_" + yardstick] = share;
  }
}

Json over(const Measured& baseline, const Measured& one) {
  const Estimate ratio = drifting_ratio(baseline.samples(), one.samples());
  return {{"value", ratio.value}, {"ci95", {ratio.ci95.low, ratio.ci95.high}}};
}

void take(Json& into, const Json& from, const char* list) {
  for (const Json& one : from.value(list, Json::array())) into[list].push_back(one);
}

/// One document of several; `parts` is not empty.
Json joined(const std::vector<Json>& parts) {
  Json whole = parts.front();
  std::vector<std::size_t> run(whole.at("cases").size(), 0);
  for (std::size_t part = 1; part < parts.size(); ++part) {
    for (const char* list : {"cases", "speedups", "scaling", "crossovers"}) {
      take(whole, parts[part], list);
    }
    Json& warnings = whole["context"]["run"]["warnings"];
    for (const Json& warning : parts[part].at("context").at("run").at("warnings")) {
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
        warnings.push_back(warning);
      }
    }
    run.resize(whole.at("cases").size(), part);
  }
  Json& cases = whole["cases"];
  const auto all = baselines(cases, run);
  const Yardsticks fastest = yardsticks(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Json& one = cases.at(i);
    const auto found = all.find(work_of(one));
    if (!measured(one) || beside(one) || found == all.end()) continue;
    Json& speedup = whole["speedups"].at(i);
    put_shares(one, speedup, fastest);
    const Measured here{&one, run[i]};
    const auto& [serial, best_cpu] = found->second;
    if (serial.result != nullptr && serial.run != run[i]) {
      speedup["over_serial"] = over(serial, here);
      speedup["reason"] = nullptr;
      speedup["other_run"] = true;
    }
    if (best_cpu.result != nullptr && best_cpu.run != run[i]) {
      speedup["over_best_cpu"] = over(best_cpu, here);
      speedup["over_best_cpu"]["baseline"] = name_of(*best_cpu.result);
      speedup["other_run"] = true;
    }
  }
  return whole;
}

}  // namespace

std::vector<Json> merge(std::vector<Json> documents) {
  std::vector<std::vector<Json>> groups;
  for (Json& document : documents) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& parts) {
      return std::all_of(parts.begin(), parts.end(),
                         [&](const Json& part) { return belong_together(part, document); });
    });
    if (group == groups.end()) {
      groups.push_back({std::move(document)});
    } else {
      group->push_back(std::move(document));
    }
  }
  std::vector<Json> all;
  for (std::vector<Json>& parts : groups) {
    all.push_back(parts.size() == 1 ? std::move(parts.front()) : joined(parts));
  }
  return all;
}

}  // namespace bench
