#include "harness/command/course.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/suggest.hpp"
#include "harness/command/option_kinds.hpp"

namespace bench {
namespace {

/// Pure Python takes minutes for more.
constexpr std::size_t python_elements = 100'000;

const Workload& workload_of(const std::string& name, const Suite& suite) {
  if (const Workload* const found = workload_named(suite.workloads, name)) return *found;
  std::vector<std::string> names;
  for (const Workload* const one : suite.workloads) names.emplace_back(one->name);
  refuse("course", name,
         fmt::format("is not a workload{}; 'bench list' shows all", did_you_mean(name, names)));
}

}  // namespace

void add_options(CLI::App& app, CourseRequest& request, const Abilities& node) {
  begin_group(app, option_group::what);
  add_words(app, "WORKLOAD", request.workloads, "what is computed", "NAME", "energy");
  request.run.wanted.settings.peers = true;
  request.run.preset = Preset::steps;
  add_measuring(app, request.run, node);
  leave_out(app, {"--sweep", "--no-baseline", "--graded"});
  by_default(options_of(app, {"--size"}).front(), "course; of pure Python 100000");
}

int execute(CourseRequest request, const Session& session) {
  if (request.workloads.empty()) request.workloads = {"energy"};
  std::size_t most = 0;
  for (const std::string& name : request.workloads) {
    most = std::max(most, workload_of(name, session.suite).course.elements());
  }
  Settings& settings = request.run.wanted.settings;
  settings.filters = request.workloads;
  if (settings.sizes == Selection().sizes && request.run.wanted.inputs.empty()) {
    const std::size_t slow = std::max(settings.most_elements, python_elements);
    settings.sizes = {"course"};
    if (slow < most) settings.sizes.push_back(std::to_string(slow));
  }
  return execute(std::move(request.run), session);
}

}  // namespace bench
