#include "harness/tables/merge.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "harness/document/crossovers.hpp"
#include "harness/document/ratios.hpp"

namespace bench {
namespace {

/// True where both have the same inputs of every workload and size that both have at all.
bool same_inputs(const InputHashes& a, const InputHashes& b) {
  for (const auto& [workload, hashes] : a) {
    const auto here = b.find(workload);
    if (here == b.end()) continue;
    for (const auto& [size, hash] : hashes) {
      const auto other = here->second.find(size);
      if (other != here->second.end() && other->second != hash) return false;
    }
  }
  return true;
}

bool belong_together(const Document& a, const Document& b) {
  const RunRecord& run = a.context.run;
  const RunRecord& other = b.context.run;
  const bool same_run = run.node == other.node && run.seed == other.seed &&
                        run.cache == other.cache && run.threads == other.threads &&
                        same_inputs(run.input_hash, other.input_hash);
  const Json& machine = a.context.machine;
  const Json& other_machine = b.context.machine;
  if (!same_run || at(machine, "cpu_model") != at(other_machine, "cpu_model")) return false;
  const Json& gpu = at(machine, "gpu/name");
  const Json& other_gpu = at(other_machine, "gpu/name");
  if (!gpu.is_null() && !other_gpu.is_null() && gpu != other_gpu) return false;
  std::set<std::string> names;
  for (const CaseRecord& one : a.cases) names.insert(one.name);
  return std::none_of(b.cases.begin(), b.cases.end(),
                      [&](const CaseRecord& one) { return names.contains(one.name); });
}

Origin origin_of(const Context& context, const std::string& file) {
  const RunRecord& run = context.run;
  Origin origin{file, context.date(), context.build.revision, ""};
  if (context.build.dirty.value_or(false)) origin.revision += "-dirty";
  if (!run.finished) origin.ended_by = run.ended_by.value_or("?");
  return origin;
}

template <class T>
void take(std::vector<T>& into, std::vector<T>& from) {
  std::move(from.begin(), from.end(), std::back_inserter(into));
}

/// The ratios of one document of several; its cases were measured in the runs that they name.
void put_ratios(Document& whole, const std::vector<std::size_t>& run_of_case) {
  const auto run_of = [&](const CaseRecord& one) {
    return run_of_case[static_cast<std::size_t>(&one - whole.cases.data())];
  };
  const auto all = baselines(whole.cases);
  fill_shares(whole.cases, [&](const CaseRecord& one, const CaseRecord& other) {
    return run_of(one) == run_of(other);
  });
  for (CaseRecord& one : whole.cases) {
    const auto found = all.find(work_of(one));
    if (!one.measured() || one.beside || found == all.end()) continue;
    const auto& [serial, best_cpu] = found->second;
    if (serial != nullptr && run_of(*serial) != run_of(one)) {
      one.over_serial = ratio_over(*serial, one, false);
      one.no_ratio.reset();
      one.other_run = true;
    }
    if (best_cpu != nullptr && run_of(*best_cpu) != run_of(one)) {
      one.over_best_cpu = ratio_over(*best_cpu, one, false);
      one.other_run = true;
    }
  }
}

/// One document of several; `parts` is not empty. `run_of_case` becomes the part that each is from.
Document joined(std::vector<Document> parts, std::vector<std::size_t>& run_of_case) {
  Document whole = std::move(parts.front());
  run_of_case.assign(whole.cases.size(), 0);
  std::vector<std::string>& warnings = whole.context.run.warnings;
  for (std::size_t part = 1; part < parts.size(); ++part) {
    take(whole.cases, parts[part].cases);
    take(whole.scaling, parts[part].scaling);
    for (std::string& warning : parts[part].context.run.warnings) {
      const bool known = std::find(warnings.begin(), warnings.end(), warning) != warnings.end();
      if (!known) warnings.push_back(std::move(warning));
    }
    run_of_case.resize(whole.cases.size(), part);
  }
  put_ratios(whole, run_of_case);
  whole.crossovers = crossovers(whole.cases);
  return whole;
}

}  // namespace

std::vector<std::vector<std::size_t>> together(const std::vector<Document>& documents) {
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

std::vector<Merged> merge(std::vector<Document> documents, const std::vector<std::string>& files) {
  std::vector<Merged> all;
  for (const std::vector<std::size_t>& group : together(documents)) {
    Merged& merged = all.emplace_back();
    std::vector<Document> parts;
    for (const std::size_t i : group) {
      merged.origins.push_back(origin_of(documents[i].context, i < files.size() ? files[i] : ""));
      parts.push_back(std::move(documents[i]));
    }
    if (parts.size() == 1) {
      merged.document = std::move(parts.front());
      merged.origin_of_case.assign(merged.document.cases.size(), 0);
    } else {
      merged.document = joined(std::move(parts), merged.origin_of_case);
    }
  }
  return all;
}

}  // namespace bench
