#include "harness/document/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "harness/base/error.hpp"
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

/// The runs in a result file.
std::vector<Origin> origins_of(const Context& context, const std::string& file) {
  const RunRecord& run = context.run;
  if (run.merged) return *run.merged;
  const bool dirty = context.build.dirty.value_or(false);
  return {{file, context.date(), context.build.revision + (dirty ? "-dirty" : ""), run.finished,
           run.ended_by, run.argv}};
}

template <class T>
void take(std::vector<T>& into, std::vector<T>& from) {
  std::move(from.begin(), from.end(), std::back_inserter(into));
}

template <class T>
void take_new(std::vector<T>& into, std::vector<T>& from) {
  std::erase_if(
      from, [&](const T& one) { return std::find(into.begin(), into.end(), one) != into.end(); });
  take(into, from);
}

/// What a run says of itself, with what another one adds.
void take(Context& into, Context& from) {
  RunRecord& run = into.run;
  take_new(run.warnings, from.run.warnings);
  take_new(run.input_files, from.run.input_files);
  take_new(run.guests, from.run.guests);
  for (auto& [workload, hashes] : from.run.input_hash) run.input_hash[workload].merge(hashes);
  if (run.finished) run.ended_by = from.run.ended_by;
  run.finished = run.finished && from.run.finished;
  if (into.machine.gpu || !from.machine.gpu) return;
  into.machine.gpu = from.machine.gpu;
  into.machine.gpu_reason = from.machine.gpu_reason;
}

}  // namespace

std::string difference(const Document& a, const Document& b) {
  const RunRecord& run = a.context.run;
  const RunRecord& other = b.context.run;
  if (run.node != other.node) return "another node";
  if (run.seed != other.seed) return "another seed";
  if (run.cache != other.cache) return "another cache mode";
  if (run.threads != other.threads) return "another number of threads";
  if (run.isa != other.isa) return "another instruction set";
  if (!same_inputs(run.input_hash, other.input_hash)) return "other inputs";
  const Machine& machine = a.context.machine;
  const Machine& other_machine = b.context.machine;
  if (machine.cpu_model != other_machine.cpu_model) return "another processor";
  const Text gpu = gpu_name(machine);
  const Text other_gpu = gpu_name(other_machine);
  if (gpu && other_gpu && gpu != other_gpu) return "another GPU";
  std::set<std::string> names;
  for (const CaseRecord& one : a.cases) names.insert(one.name);
  for (const CaseRecord& one : b.cases) {
    if (names.contains(one.name)) return fmt::format("has {} too", one.name);
  }
  return "";
}

std::vector<std::vector<std::size_t>> together(const std::vector<Document>& documents) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& parts) {
      return std::all_of(parts.begin(), parts.end(), [&](std::size_t part) {
        return difference(documents[part], documents[i]).empty();
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

Document joined(std::vector<Document> parts, const std::vector<std::string>& names) {
  Document whole;
  std::vector<Origin> origins;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Document& part = parts[i];
    const std::size_t first = origins.size();
    std::vector<Origin> runs = origins_of(part.context, names[i]);
    take(origins, runs);
    for (CaseRecord& one : part.cases) one.origin = first + one.origin.value_or(0);
    if (i == 0) {
      whole = std::move(part);
      continue;
    }
    take(whole.cases, part.cases);
    take(whole.scaling, part.scaling);
    take(whole.context, part.context);
  }
  whole.context.run.merged = std::move(origins);
  fill_shares(whole.cases);
  put_ratios(whole.cases);
  whole.crossovers = crossovers(whole.cases);
  return whole;
}

std::vector<Merged> merge(std::vector<Document> documents, const std::vector<std::string>& files) {
  std::vector<Merged> all;
  for (const std::vector<std::size_t>& group : together(documents)) {
    Merged& merged = all.emplace_back();
    std::vector<Document> parts;
    for (const std::size_t i : group) {
      merged.files.push_back(i < files.size() ? files[i] : "");
      parts.push_back(std::move(documents[i]));
    }
    merged.document =
        parts.size() == 1 ? std::move(parts.front()) : joined(std::move(parts), merged.files);
    merged.origins = origins_of(merged.document.context, merged.files.front());
  }
  return all;
}

std::vector<Document> read_documents(std::vector<std::string>& files, Keep keep,
                                     std::vector<std::string>& unreadable) {
  std::vector<Document> documents(files.size());
  const auto reasons =
      read_each(files.size(), [&](std::size_t i) { documents[i] = read_document(files[i], keep); });
  std::size_t read = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!reasons[i].empty()) {
      unreadable.push_back(reasons[i]);
    } else if (read++ < i) {
      documents[read - 1] = std::move(documents[i]);
      files[read - 1] = files[i];
    }
  }
  documents.resize(read);
  files.resize(read);
  return documents;
}

std::vector<Document> read_documents(std::vector<std::string> files, Keep keep) {
  std::vector<std::string> unreadable;
  std::vector<Document> documents = read_documents(files, keep, unreadable);
  if (!unreadable.empty()) throw UsageError(unreadable.front());
  return documents;
}

}  // namespace bench
