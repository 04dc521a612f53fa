#include "harness/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "harness/cli.hpp"
#include "harness/document.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

std::string shown(const Json& value) {
  constexpr std::size_t longest = 60;
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (text.size() > longest) text = text.substr(0, longest) + "…";
  return text;
}

/// How often Slurm has started the job again, 0 outside of Slurm.
int restarts(const Json& slurm) {
  const Json& count = at(slurm, "restart_count");
  return count.is_string() ? std::atoi(count.get_ref<const std::string&>().c_str()) : 0;
}

}  // namespace

std::string obstacle(const Json& earlier, const Json& context) {
  const Json& before = earlier.at("context");
  const auto differs = [&](const char* part, const char* key, const char* what) -> std::string {
    const Json& a = at(at(before, part), key);
    const Json& b = at(at(context, part), key);
    if (a == b) return "";
    return fmt::format("it was begun {} {}, this is {}", what, shown(a), shown(b));
  };
  struct Fact {
    const char* part;
    const char* key;
    const char* what;
  };
  static constexpr Fact facts[] = {
      {"run", "node", "on node"},
      {"machine", "cpu_model", "on a processor"},
      {"build", "revision", "by another build,"},
      {"build", "dirty", "by another build, changed since its commit:"},
      {"build", "compiler", "by another build, of"},
      {"build", "build_type", "by another build, of type"},
      {"build", "flags", "by another build, with"},
      {"build", "kernel_flags", "by another build, with"},
      {"build", "cuda", "by another build, with CUDA"},
      {"run", "threads", "with threads:"},
      {"run", "isa", "with the instruction set"},
      {"run", "seed", "with seed"},
      {"run", "cache", "with cache mode"},
      {"run", "max_samples", "with --samples"},
      {"run", "min_time_s", "with --min-time"},
      {"run", "max_time_s", "with --max-time"},
      {"run", "input_files", "with input"}};
  for (const Fact& fact : facts) {
    std::string why = differs(fact.part, fact.key, fact.what);
    if (!why.empty()) return why;
  }
  if (at(before, "machine/gpu/name") != at(context, "machine/gpu/name")) {
    return fmt::format("it was begun with GPU {}, this has {}",
                       shown(at(before, "machine/gpu/name")),
                       shown(at(context, "machine/gpu/name")));
  }
  return "";
}

bool holds(const Json& earlier, const PlannedGroup& group, const std::string& file) {
  std::set<std::string> names;
  for (const Json& result : earlier.at("cases")) names.insert(result.at("name").get<std::string>());
  const auto held = static_cast<std::size_t>(std::count_if(
      group.cases.begin(), group.cases.end(),
      [&](const PlannedCase& planned) { return names.contains(planned.identity.name); }));
  if (held > 0 && held < group.cases.size()) {
    throw UsageError(
        fmt::format("--resume {}: holds a part of {} {} {} only, and a group is measured as one: "
                    "was it edited? measure anew",
                    file, group.workload, group.dtype, group.size));
  }
  return held > 0 || group.cases.empty();
}

bool requeued(const Json& earlier, const Json& context) {
  const Json& before = at(earlier, "context/slurm");
  const Json& now = at(context, "slurm");
  return now.is_object() && at(before, "job_id") == at(now, "job_id") &&
         at(before, "step_id") == at(now, "step_id") && restarts(before) < restarts(now);
}

std::vector<std::string> arguments_of(const Json& earlier, const std::string& file) {
  const Json& argv = at(earlier, "context/run/argv");
  const auto is_text = [](const Json& word) { return word.is_string(); };
  if (!argv.is_array() || argv.empty() || !std::all_of(argv.begin(), argv.end(), is_text)) {
    throw UsageError(fmt::format("--resume {}: does not say how it was begun", file));
  }
  auto words = argv.get<std::vector<std::string>>();
  words.erase(words.begin());
  return words;
}

}  // namespace bench
