#include "harness/command/effect.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/plan/filters.hpp"

namespace bench {
namespace {

/// The options for a GPU that are given. `--devices all` is what jobs ask for on any node.
std::vector<std::string> gpu_options(const Settings& settings) {
  std::vector<std::string> names;
  for (const auto& [name, is_given] : {std::pair("--block", !settings.blocks.empty()),
                                       std::pair("--grid", !settings.grids.empty()),
                                       std::pair("--scope", !settings.scopes.empty()),
                                       std::pair("--device", settings.gpu_number.has_value())}) {
    if (is_given) names.emplace_back(name);
  }
  return names;
}

/// A number of elements from here on is not mistaken for that of rows.
constexpr std::size_t beyond_rows = 100'000;

}  // namespace

void refuse_without_effect(const Settings& settings, const Suite& suite) {
  const auto& all = suite.workloads;
  if (!settings.bins.empty()) {
    std::vector<std::string> with_bins;
    bool any = false;
    for (const Workload* const one : all) {
      if (one->form != SizeFormat::binned) continue;
      with_bins.emplace_back(one->name);
      any = any || any_selected(settings, *one);
    }
    if (!any) {
      throw UsageError(fmt::format("--bins: no selected workload has bins ({} has)",
                                   fmt::join(with_bins, ", ")));
    }
  }
  const std::vector<std::string> options = gpu_options(settings);
  const bool on_gpu = !settings.guest_variants.empty() ||
                      std::any_of(all.begin(), all.end(), [&](const Workload* one) {
                        return any_selected(settings, *one, RunsOn::device);
                      });
  if (options.empty() || on_gpu) return;
  throw UsageError(fmt::format("{}: no selected variant runs on a GPU; select some: --backend cuda",
                               options.front()));
}

std::string note_on_sizes(const Document& document) {
  const auto& selection = document.context.run.selection;
  if (!selection) return "";
  for (const std::string& size : selection->sizes) {
    if (size.find_first_not_of("0123456789.e+") != std::string::npos) continue;
    const std::size_t elements = parse_count(size);
    const auto matrix =
        std::find_if(document.cases.begin(), document.cases.end(), [&](const CaseRecord& one) {
          return one.shape.size() >= 2 && one.shape[0] == one.shape[1] &&
                 one.elements <= elements && (one.shape[0] + 1) * (one.shape[1] + 1) > elements;
        });
    if (matrix == document.cases.end()) continue;
    if (matrix->elements == elements && elements > beyond_rows) continue;
    return fmt::format(
        "note: --size {} is the number of elements, for {} {}x{}; for {} rows and columns: "
        "--size {}x{}",
        size, matrix->workload, matrix->shape[0], matrix->shape[1], elements, elements, elements);
  }
  return "";
}

}  // namespace bench
