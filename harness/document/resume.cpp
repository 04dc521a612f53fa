#include "harness/document/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "harness/base/error.hpp"
#include "harness/base/json.hpp"
#include "harness/document/ratios.hpp"

namespace bench {
namespace {

std::string shown(const Json& value) {
  constexpr std::size_t longest = 60;
  std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  if (text.size() > longest) text = text.substr(0, longest) + "…";
  return text;
}

/// How often Slurm has started the job again, 0 outside of Slurm.
int restarts(const Context& context) {
  const Text count = context.slurm ? context.slurm->restart_count : Text();
  return std::atoi(count.value_or("").c_str());
}

/// What two runs must have in common to be one, and how to say that they have not.
struct Fact {
  const char* what;
  Json (*value)(const Context&);
};

constexpr Fact facts[] = {
    {"on node", [](const Context& of) { return written(of.run.node); }},
    {"on a processor", [](const Context& of) { return written(of.machine.cpu_model); }},
    {"by another build,", [](const Context& of) { return written(of.build.revision); }},
    {"by another build, changed since its commit:",
     [](const Context& of) { return written(of.build.dirty); }},
    {"by another build, of", [](const Context& of) { return written(of.build.compiler); }},
    {"by another build, of type", [](const Context& of) { return written(of.build.build_type); }},
    {"by another build, with", [](const Context& of) { return written(of.build.flags); }},
    {"by another build, with", [](const Context& of) { return written(of.build.kernel_flags); }},
    {"by another build, with CUDA", [](const Context& of) { return written(of.build.cuda); }},
    {"with threads:", [](const Context& of) { return written(of.run.threads); }},
    {"with the instruction set", [](const Context& of) { return written(of.run.isa); }},
    {"with seed", [](const Context& of) { return written(of.run.seed); }},
    {"with cache mode", [](const Context& of) { return written(of.run.cache); }},
    {"with --samples", [](const Context& of) { return written(of.run.max_samples); }},
    {"with --min-time", [](const Context& of) { return written(of.run.min_time_s); }},
    {"with --max-time", [](const Context& of) { return written(of.run.max_time_s); }},
    {"with input", [](const Context& of) { return written(of.run.input_files); }},
    {"with guests", [](const Context& of) { return written(of.run.guests); }},
    {"with GPU", [](const Context& of) { return written(gpu_name(of.machine)); }}};

}  // namespace

std::string obstacle(const Context& before, const Context& now) {
  if (before.run.merged) return "it holds several runs";
  if (before.run.executions && !before.run.finished && !now.run.executions) {
    return "it holds several executions, this is one run";
  }
  for (const Fact& fact : facts) {
    const Json then = fact.value(before);
    const Json here = fact.value(now);
    if (then == here) continue;
    return fmt::format("it was begun {} {}, this is {}", fact.what, shown(then), shown(here));
  }
  const Json then = written(before.run.selection);
  const Json here = written(now.run.selection);
  for (const auto& [key, value] : here.items()) {
    if (at(then, key) == value) continue;
    return fmt::format("it was begun with {} {}, this is {}", key, shown(at(then, key)),
                       shown(value));
  }
  return "";
}

void take_out_ended(Document& earlier) {
  std::set<std::string> ended;
  for (const CaseRecord& one : earlier.cases) {
    if (one.measured() && one.seconds->stop == Stop::signal) ended.insert(rounds_of(one));
  }
  std::erase_if(earlier.cases,
                [&](const CaseRecord& one) { return ended.contains(rounds_of(one)); });
}

bool holds(const Document& earlier, const PlannedGroup& group, const std::string& file) {
  std::set<std::string> names;
  for (const CaseRecord& one : earlier.cases) names.insert(one.name);
  const auto held = static_cast<std::size_t>(std::count_if(
      group.cases.begin(), group.cases.end(),
      [&](const PlannedCase& planned) { return names.contains(planned.identity.name); }));
  if (held > 0 && held < group.cases.size()) {
    throw UsageError(
        fmt::format("--resume {}: holds a part of {} {} {} only, and a group is measured as one: "
                    "was it edited? measure again",
                    file, group.workload, name_of(group.dtype), group.size));
  }
  return held > 0 || group.cases.empty();
}

bool requeued(const Context& before, const Context& now) {
  return before.slurm && now.slurm && before.slurm->job_id == now.slurm->job_id &&
         before.slurm->step_id == now.slurm->step_id && restarts(before) < restarts(now);
}

}  // namespace bench
