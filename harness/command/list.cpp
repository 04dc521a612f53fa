#include "harness/command/list.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "harness/base/text.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/terminal.hpp"

namespace bench {
namespace {

std::string row(const std::string& path, const std::string& text, std::size_t width) {
  constexpr std::size_t column = 24;
  const std::string begin = fmt::format("  {:{}} ", path, column - 3);
  return begin + wrapped(text, width, column, columns(begin)) + "\n";
}

/// The selected variants of a workload, empty where there are none.
std::string variants(const Workload& workload, const Selection& selection, std::size_t width) {
  const auto problem = workload.make(Dtype::f32, workload.tiny);
  std::string text;
  for (const BoundVariant& rung : problem->rungs(simd::Isa::baseline)) {
    const std::string path = fmt::format("{}/{}", rung.backend, rung.variant);
    if (selected(selection, fmt::format("{}/{}", workload.name, path))) {
      text += row(path, rung.idea, width);
    }
  }
  const std::string cuda = fmt::format("{}/cuda/*", workload.name);
  if (!cuda::built_with_cuda() && selected(selection, cuda)) {
    text += row("cuda/*", "not in this program: built without CUDA", width);
  }
  return text;
}

}  // namespace

void add_options(CLI::App& app, ListRequest& request) { add_filters(app, request.selection); }

int execute(const ListRequest& request, const Session& session) {
  const std::size_t width = text_width(STDOUT_FILENO);
  require_known_filters(session.registry, request.selection);
  for (const Workload* workload : session.registry) {
    const std::string rows = variants(*workload, request.selection, width);
    if (rows.empty()) continue;
    const auto size = [&](const Shape& shape) { return label(workload->form, shape); };
    const std::string name = fmt::format("{}  ", workload->name);
    print(name + wrapped(workload->formula, width, 4, columns(name)) + "\n");
    print("  " +
          wrapped(fmt::format("sizes: tiny {}, default {}, course {}", size(workload->tiny),
                              size(workload->standard), size(workload->course)),
                  width, 4, 2) +
          "\n" + rows + "\n");
  }
  return Exit::fine;
}

}  // namespace bench
