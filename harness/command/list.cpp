#include "harness/command/list.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/base/text.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/terminal.hpp"
#include "harness/measure/filters.hpp"

namespace bench {
namespace {

std::string row(const std::string& path, const std::string& text, std::size_t width) {
  constexpr std::size_t column = 24;
  const std::string begin = fmt::format("  {:{}} ", path, column - 3);
  return begin + wrapped(text, width, column, columns(begin)) + "\n";
}

/// The selected variants of a workload, empty where there are none.
std::string variants(const Workload& workload, const Selection& selection, std::size_t width) {
  const auto problem = workload.make(workload.dtypes.front(), workload.tiny);
  std::string text;
  for (const BoundVariant& rung : problem->rungs(simd::Isa::baseline)) {
    const std::string path = fmt::format("{}/{}", rung.backend, rung.variant);
    if (selected(selection, fmt::format("{}/{}", workload.name, path))) {
      text += row(path + (rung.wrong ? " ✗" : ""), rung.idea, width);
    }
  }
  const std::string cuda = fmt::format("{}/cuda/*", workload.name);
  if (!cuda::built_with_cuda() && selected(selection, cuda)) {
    text += row("cuda/*", "not in this program: built without CUDA", width);
  }
  return text;
}

/// A workload and its selected variants, empty where there are none.
std::string description(const Workload& workload, const Selection& selection, std::size_t width) {
  const std::string rows = variants(workload, selection, width);
  if (rows.empty()) return "";
  const auto size = [&](const Shape& shape) { return label(workload.form, shape); };
  std::string facts = fmt::format("sizes: tiny {}, default {}, course {}", size(workload.tiny),
                                  size(workload.default_shape), size(workload.course));
  if (workload.only_by_name) facts += "; measured where it is named";
  const std::string name = fmt::format("{}  ", workload.name);
  return name + wrapped(workload.formula, width, 4, columns(name)) + "\n  " +
         wrapped(facts, width, 4, 2) + "\n" + rows + "\n";
}

}  // namespace

void add_options(CLI::App& app, ListRequest& request) { add_filters(app, request.selection); }

int execute(const ListRequest& request, const Session& session) {
  const std::size_t width = text_width(STDOUT_FILENO);
  require_known_filters(session.suite.workloads, request.selection);
  // By lesson, in the order in which the registry comes to them.
  std::vector<std::pair<std::string, std::string>> lessons;
  for (const Workload* workload : session.suite.workloads) {
    const std::string text = description(*workload, request.selection, width);
    if (text.empty()) continue;
    const auto same = std::find_if(lessons.begin(), lessons.end(),
                                   [&](const auto& one) { return one.first == workload->lesson; });
    if (same == lessons.end()) {
      lessons.emplace_back(workload->lesson, text);
    } else {
      same->second += text;
    }
  }
  for (const auto& [lesson, text] : lessons) {
    if (!lesson.empty()) print(wrapped(lesson, width, 2) + "\n\n");
    print(text);
  }
  return Exit::fine;
}

}  // namespace bench
