#include "harness/tables/merge.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "harness/base/json.hpp"
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
                           "context/run/cache", "context/run/threads", "schema"}) {
    if (at(a, path) != at(b, path)) return false;
  }
  const Json& gpu = at(a, "context/machine/gpu/name");
  const Json& other_gpu = at(b, "context/machine/gpu/name");
  if (!gpu.is_null() && !other_gpu.is_null() && gpu != other_gpu) return false;
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

bool is_yardstick(const Json& one) { return !one.at("beside").is_null(); }

std::string group_of(const Json& beside) {
  return beside.at("workload").get<std::string>() + ":" + beside.at("size").get<std::string>();
}

std::map<std::string, Baselines> baselines(const Json& cases, const std::vector<std::size_t>& run) {
  std::map<std::string, Baselines> all;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Json& one = cases.at(i);
    if (!measured(one) || is_yardstick(one) || one.at("threads").is_null()) continue;
    if (one.at("library") == true) continue;
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
  Yardsticks fastest;
  for (const Json& one : cases) {
    if (!measured(one)) continue;
    // A yardstick's own ladder is measured by the fastest of it.
    const auto workload = one.at("workload").get<std::string>();
    const bool itself = !is_yardstick(one) && one.contains("share_of_" + workload);
    if (!is_yardstick(one) && !itself) continue;
    const std::string work =
        itself ? workload + ":" + one.at("size").get<std::string>() : group_of(one.at("beside"));
    double& best = fastest[place_of(one, work)][workload];
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

std::string text_at(const Json& document, const char* path) {
  const Json& value = at(document, path);
  return value.is_string() ? value.get<std::string>() : "";
}

Origin origin_of(const Json& document, const std::string& file) {
  Origin origin{file, text_at(document, "context/date"),
                text_at(document, "context/build/revision"), ""};
  if (at(document, "context/build/dirty") == true) origin.revision += "-dirty";
  if (at(document, "context/run/finished") == false) {
    origin.ended_by = text_at(document, "context/run/ended_by");
    if (origin.ended_by.empty()) origin.ended_by = "?";
  }
  return origin;
}

/// Each part says from which size on the GPU wins among its own sizes: what two parts say of the
/// same is true for neither the whole nor the table.
void drop_contradictions(Json& entries) {
  std::map<std::string, std::size_t> times;
  for (const Json& entry : entries) ++times[name_of(entry)];
  Json kept = Json::array();
  for (const Json& entry : entries) {
    if (times.at(name_of(entry)) == 1) kept.push_back(entry);
  }
  entries = kept;
}

/// One document of several; `parts` is not empty. `run` becomes the part that each case is from.
Json joined(const std::vector<Json>& parts, std::vector<std::size_t>& run) {
  Json whole = parts.front();
  run.assign(whole.at("cases").size(), 0);
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
  if (whole.contains("crossovers")) drop_contradictions(whole["crossovers"]);
  Json& cases = whole["cases"];
  const auto all = baselines(cases, run);
  const Yardsticks fastest = yardsticks(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Json& one = cases.at(i);
    const auto found = all.find(work_of(one));
    if (!measured(one) || is_yardstick(one) || found == all.end()) continue;
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

std::vector<std::vector<std::size_t>> together(const std::vector<Json>& documents) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& parts) {
      return std::all_of(parts.begin(), parts.end(), [&](std::size_t part) {
        return belong_together(documents[part], documents[i]);
      });
    });
    if (group == groups.end()) {
      groups.push_back({i});
    } else {
      group->push_back(i);
    }
  }
  return groups;
}

std::vector<Merged> merge(std::vector<Json> documents, const std::vector<std::string>& files) {
  std::vector<Merged> all;
  for (const std::vector<std::size_t>& group : together(documents)) {
    Merged& merged = all.emplace_back();
    std::vector<Json> parts;
    for (const std::size_t i : group) {
      merged.origins.push_back(origin_of(documents[i], i < files.size() ? files[i] : ""));
      parts.push_back(std::move(documents[i]));
    }
    if (parts.size() == 1) {
      merged.document = std::move(parts.front());
      merged.origin_of_case.assign(merged.document.at("cases").size(), 0);
    } else {
      merged.document = joined(parts, merged.origin_of_case);
    }
  }
  return all;
}

}  // namespace bench
