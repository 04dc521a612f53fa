#include "harness/command/course.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/suggest.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/plan/filters.hpp"
#include "harness/tables/steps.hpp"

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

/// A filter for each step that a workload has. `offered`: backend/variant of what Python offers.
void add_filters_of_steps(std::vector<std::string>& filters, const std::string& workload,
                          const std::vector<GuestVariant>& offered) {
  for (const Step& step : all_steps()) {
    std::vector<std::string> variants;
    for (const GuestVariant& one : offered) {
      if (one.workload == workload && one.backend == step.backend) variants.push_back(one.variant);
    }
    const auto python = variant_of(step, variants);
    if (!python.empty()) {
      filters.push_back(fmt::format("{}/{}/{}", workload, step.backend, python));
    } else if (step.built_in) {
      const auto& named = step.variants;
      filters.push_back(
          fmt::format("{}/{}/{}", workload, step.backend, named.empty() ? "*" : named.front()));
    }
  }
}

/// All others are left out.
void choose(Settings& settings, const std::vector<std::string>& workloads) {
  auto& offered = settings.guest_variants;
  settings.filters.clear();
  for (const std::string& one : workloads) add_filters_of_steps(settings.filters, one, offered);
  std::erase_if(offered,
                [&](const GuestVariant& one) { return !selected(settings, path_of(one)); });
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
  request.run.choose = [all = request.workloads](Settings& chosen) { choose(chosen, all); };
  return execute(std::move(request.run), session);
}

}  // namespace bench
