#include "harness/command/list.hpp"

#include <fmt/format.h>

#include "harness/base/text.hpp"

namespace bench {
namespace {

std::string row(const std::string& path, const std::string& text, std::size_t width) {
  constexpr std::size_t column = 24;
  const std::string begin = fmt::format("  {:{}} ", path, column - 3);
  return begin + wrapped(text, width, column, columns(begin)) + "\n";
}

/// The selected variants of a workload, empty where there are none.
std::string variants(const Workload& workload, const Settings& settings, std::size_t width) {
  const auto problem = workload.make(Dtype::f32, workload.tiny);
  std::string text;
  for (const Rung& rung : problem->rungs(simd::Isa::baseline)) {
    const std::string path = fmt::format("{}/{}", rung.backend, rung.variant);
    if (selected(settings, fmt::format("{}/{}", workload.name, path))) {
      text += row(path, rung.idea, width);
    }
  }
  const std::string cuda = fmt::format("{}/cuda/*", workload.name);
  if (!settings.with_cuda && selected(settings, cuda)) {
    text += row("cuda/*", "not in this program: built without CUDA", width);
  }
  return text;
}

}  // namespace

std::string list(std::span<const Workload* const> registry, const Settings& settings,
                 std::size_t width) {
  require_known_filters(registry, settings);
  std::string text;
  for (const Workload* workload : registry) {
    const std::string rows = variants(*workload, settings, width);
    if (rows.empty()) continue;
    const auto size = [&](const Shape& shape) { return label(workload->form, shape); };
    const std::string name = fmt::format("{}  ", workload->name);
    text += name + wrapped(workload->formula, width, 4, columns(name)) + "\n";
    text += "  " +
            wrapped(fmt::format("sizes: tiny {}, default {}, course {}", size(workload->tiny),
                                size(workload->standard), size(workload->course)),
                    width, 4, 2) +
            "\n" + rows + "\n";
  }
  return text;
}

}  // namespace bench
