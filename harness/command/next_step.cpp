#include "harness/command/next_step.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/base/json.hpp"
#include "harness/base/shell_quoted.hpp"
#include "harness/node/nodelist.hpp"

namespace bench {
namespace {

namespace fs = std::filesystem;

/// The options that make `verify` see the inputs of this case again.
std::string same_inputs(const RunRecord& run, const CaseRecord& one) {
  std::string files;
  for (const InputFile& input : run.input_files) {
    files += (files.empty() ? "" : ",") + input.path;
  }
  if (!files.empty()) return "--input " + shell_quoted(files);
  std::string size = one.size;
  if (one.bins) size = fmt::format("{} --bins {}", fmt::join(one.shape, "x"), *one.bins);
  return fmt::format("--size {} --dtype {}", size, name_of(one.dtype));
}

/// Empty where nothing failed. A user kernel without a result would have none again.
std::string look_at_failure(const Document& document, const std::string& program) {
  const auto failed =
      std::find_if(document.cases.begin(), document.cases.end(), [](const CaseRecord& one) {
        return one.status == Status::failed && (!one.guest || one.verification.has_value());
      });
  if (failed == document.cases.end()) return "";
  const auto with = failed->guest ? "--with " + shell_quoted(*failed->guest) + " " : "";
  return fmt::format(
      "{} verify {} {}{} --show 10", program,
      shell_quoted(failed->guest ? failed->workload : failed->workload + "/" + failed->rung()),
      with, same_inputs(document.context.run, *failed));
}

/// What a shell makes the result files of this step of: task 0 may end before the others.
std::string documents_of_step(const Slurm& job, const fs::path& file) {
  const auto begin = fmt::format("{}-{}.{}-", job.cluster_name.value_or(""),
                                 job.job_id.value_or(""), job.step_id.value_or(""));
  const fs::path folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!file.filename().string().starts_with(begin)) return shell_quoted(folder.string());
  return shell_quoted((folder / begin).string()) + "*.json";
}

bool several_sizes(const Document& document) {
  std::map<std::string, std::set<std::string>> sizes;
  for (const CaseRecord& one : document.cases) {
    if (one.measured() && !one.reference) sizes[one.workload].insert(one.size);
  }
  return std::any_of(sizes.begin(), sizes.end(),
                     [](const auto& one) { return one.second.size() > 1; });
}

}  // namespace

std::string next_step(const Document& document, const fs::path& file, bool has_package,
                      const std::string& typed) {
  const std::string program = shell_quoted(typed);
  const std::string name = shell_quoted(file.string());
  const Slurm job = document.context.slurm.value_or(Slurm{});
  const std::string nodes = job.step_nodelist.value_or("");

  std::string command = look_at_failure(document, program);
  if (command.empty() && expand_nodelist(nodes).size() > 1) {
    // The other nodes of this step have written next to this one. With --nodes two result files are
    // two nodes, not before and after.
    command = fmt::format("{} compare {} --nodes {}", program, documents_of_step(job, file),
                          shell_quoted(nodes));
  }
  if (!command.empty()) return command;
  if (!has_package) return fmt::format("{} table {}", program, name);
  if (several_sizes(document)) return fmt::format("{} plot sweep {} -o pictures", program, name);
  if (!document.scaling.empty()) {
    return fmt::format("{} plot scaling {} -o pictures", program, name);
  }
  return fmt::format("{} report {} -o report.html", program, name);
}

}  // namespace bench
