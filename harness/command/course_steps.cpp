#include "harness/command/course_steps.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/plan/filters.hpp"
#include "harness/tables/steps.hpp"

namespace bench {
namespace {

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

}  // namespace

void choose_steps(Settings& settings) {
  auto& offered = settings.guest_variants;
  const auto workloads = std::exchange(settings.filters, {});
  for (const std::string& one : workloads) add_filters_of_steps(settings.filters, one, offered);
  std::erase_if(offered,
                [&](const GuestVariant& one) { return !selected(settings, path_of(one)); });
}

}  // namespace bench
