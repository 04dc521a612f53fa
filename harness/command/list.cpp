#include "harness/command/list.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/base/text.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/terminal.hpp"
#include "harness/command/this_node.hpp"
#include "harness/plan/filters.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

std::string row(const std::string& path, const std::string& text, std::size_t width) {
  constexpr std::size_t column = 24;
  const std::string begin = fmt::format("  {:{}} ", path, column - 3);
  return begin + wrapped(text, width, column, columns(begin)) + "\n";
}

/// The variants of a workload: of its first precision, and what others have behind them.
std::vector<BoundVariant> all_variants(const Workload& workload) {
  std::vector<BoundVariant> all;
  for (const Dtype dtype : workload.dtypes) {
    for (BoundVariant& rung : workload.make(dtype, workload.tiny)->rungs(simd::Isa::baseline)) {
      const auto is_it = [&](const BoundVariant& one) {
        return one.backend == rung.backend && one.variant == rung.variant;
      };
      if (std::any_of(all.begin(), all.end(), is_it)) continue;
      const auto last = std::find_if(all.rbegin(), all.rend(), [&](const BoundVariant& one) {
        return one.backend == rung.backend && one.library == rung.library;
      });
      all.insert(last == all.rend() ? all.end() : last.base(), std::move(rung));
    }
  }
  return all;
}

/// The selected ones.
std::vector<BoundVariant> listed_variants(const Workload& workload, const Selection& selection) {
  auto rungs = all_variants(workload);
  std::erase_if(rungs,
                [&](const BoundVariant& one) { return !selected(selection, workload, one); });
  return rungs;
}

/// One line each, empty where there are none.
std::string variants(const Workload& workload, const ListRequest& request, std::size_t width) {
  const Selection& selection = request.selection;
  std::string text;
  for (const BoundVariant& rung : listed_variants(workload, selection)) {
    const std::string path = fmt::format("{}/{}", rung.backend, rung.variant);
    text += row(path + (rung.wrong ? " ✗" : ""), translated(rung.idea, request.language), width);
  }
  const std::string cuda = fmt::format("{}/cuda/*", workload.name);
  if (!cuda::built_with_cuda() && selected(selection, cuda)) {
    text += row("cuda/*", "not in this program: built without CUDA", width);
  }
  for (const Backend* const absent : absent_models()) {
    if (!asked_for(selection, workload, *absent)) continue;
    text += row(fmt::format("{}/*", absent->name),
                fmt::format("not in this program: built without {}", absent->needs), width);
  }
  return text;
}

/// A workload and its selected variants, empty where there are none.
std::string description(const Workload& workload, const ListRequest& request, std::size_t width) {
  const std::string rows = variants(workload, request, width);
  if (rows.empty()) return "";
  const auto size = [&](const Shape& shape) { return label(workload.form, shape); };
  std::string facts = fmt::format("sizes: tiny {}, default {}, course {}", size(workload.tiny),
                                  size(workload.default_shape), size(workload.course));
  if (workload.only_by_name) facts += "; measured only if named";
  const std::string name = fmt::format("{}  ", workload.name);
  return name + wrapped(workload.formula, width, 4, columns(name)) + "\n  " +
         wrapped(facts, width, 4, 2) + "\n" + rows + "\n";
}

/// A column for each backend that is not a model.
template <class Content>
std::string columns_of_backends(Content content) {
  std::string row;
  for (const Backend& one : backends::all) {
    if (is_elsewhere(one) || one.model) continue;
    row += fmt::format("{:>{}}", content(one.name), one.name.size() + 2);
  }
  return row + "  ";
}

/// A line per workload.
std::string overview_row(const Workload& workload, std::size_t width) {
  const auto all = listed_variants(workload, {});
  const auto count = [&](std::string_view backend) {
    const auto found = std::count_if(all.begin(), all.end(),
                                     [&](const auto& one) { return one.backend == backend; });
    return found > 0 ? std::to_string(found) : "–";
  };
  const std::string begin =
      fmt::format("{} {:15}{:>12}", workload.only_by_name ? ' ' : '*', workload.name,
                  label(workload.form, workload.default_shape)) +
      columns_of_backends(count);
  return begin + wrapped(workload.formula, width, columns(begin), columns(begin)) + "\n";
}

/// Texts of workloads by the title above them, in the order in which the registry comes to them.
template <class Text>
std::vector<std::pair<std::string, std::string>> by_title(const Session& session, Text text_of) {
  std::vector<std::pair<std::string, std::string>> titles;
  for (const Workload* workload : session.suite.workloads) {
    const std::string text = text_of(*workload);
    if (text.empty()) continue;
    const auto same = std::find_if(titles.begin(), titles.end(),
                                   [&](const auto& one) { return one.first == workload->lesson; });
    if (same == titles.end()) {
      titles.emplace_back(workload->lesson, text);
    } else {
      same->second += text;
    }
  }
  return titles;
}

void print_overview(const Session& session) {
  constexpr std::size_t widest = 100;
  const std::size_t width = std::min(terminal_width(STDOUT_FILENO), widest);
  print(fmt::format("  {:15}{:>12}{}formula\n", "workload", "default size",
                    columns_of_backends([](std::string_view backend) { return backend; })));
  for (const auto& [title, rows] :
       by_title(session, [&](const Workload& one) { return overview_row(one, width); })) {
    print(wrapped(title, width, 2) + "\n" + rows);
  }
  print(
      wrapped(
          "* measured by default, others if named. Variants: bench list WORKLOAD, bench list --all",
          width, 2) +
      "\n");
}

void print_variants(const ListRequest& request, const Session& session) {
  const std::size_t width = text_width(STDOUT_FILENO);
  for (const auto& [title, text] :
       by_title(session, [&](const Workload& one) { return description(one, request, width); })) {
    if (!title.empty()) print(wrapped(title, width, 2) + "\n\n");
    print(text);
  }
}

Json json_of_variants(const Workload& workload, const Selection& selection) {
  Json all = Json::array();
  for (const BoundVariant& one : listed_variants(workload, selection)) {
    all.push_back(
        {{"backend", one.backend},
         {"variant", one.variant},
         {"idea", one.idea},
         {"wrong", one.wrong},
         {"library", one.library},
         {"transfers", one.transfers},
         {"most_elements", one.most_elements == any_size ? Json() : Json(one.most_elements)}});
  }
  return all;
}

Json json_of_workload(const Workload& workload, const Json& variants_of_it) {
  const auto problem = workload.make(workload.dtypes.front(), workload.default_shape);
  const auto elements = static_cast<double>(workload.default_shape.elements());
  const auto size = [&](const Shape& shape) { return label(workload.form, shape); };
  Json dtypes = Json::array();
  for (const Dtype one : workload.dtypes) dtypes.push_back(name_of(one));
  Json parameters = Json::array();
  for (const Parameter& one : problem->parameters) {
    parameters.push_back({{"name", one.name}, {"value", one.value}});
  }
  return {{"name", workload.name},
          {"formula", workload.formula},
          {"lesson", workload.lesson},
          {"form", name_of(workload.form)},
          {"dtypes", dtypes},
          {"sizes",
           {{"tiny", size(workload.tiny)},
            {"default", size(workload.default_shape)},
            {"course", size(workload.course)}}},
          {"most_bins", workload.max_bins > 0 ? Json(workload.max_bins) : Json()},
          {"measured_by_default", !workload.only_by_name},
          {"bytes_per_element", static_cast<double>(problem->bytes) / elements},
          {"flops_per_element", static_cast<double>(problem->flops) / elements},
          {"memory_bound", workload.memory_bound},
          {"arithmetic_bound",
           workload.nearer_reference != nullptr && workload.nearer_reference->arithmetic_reference},
          {"inputs", problem->inputs.size()},
          {"no_own_inputs", workload.own_inputs != nullptr ? Json(workload.own_inputs) : Json()},
          {"parameters", parameters},
          {"variants", variants_of_it}};
}

Json json_of_backends() {
  Json all = Json::array();
  for (const Backend& one : backends::all) {
    all.push_back({{"name", one.name},
                   {"runs_on", name_of(one.runs_on)},
                   {"ladder", ladder_of(one.name)},
                   {"needs", one.needs.empty() ? Json() : Json(one.needs)},
                   {"built", is_built(one)}});
  }
  return all;
}

void print_json(const ListRequest& request, const Session& session) {
  Json workloads = Json::array();
  for (const Workload* const one : session.suite.workloads) {
    const Json of_it = json_of_variants(*one, request.selection);
    if (!of_it.empty()) workloads.push_back(json_of_workload(*one, of_it));
  }
  print(serialised({{"built_with_cuda", cuda::built_with_cuda()},
                    {"backends", json_of_backends()},
                    {"workloads", workloads}}) +
        "\n");
}

}  // namespace

void add_options(CLI::App& app, ListRequest& request) {
  add_filters(app, request.selection);
  add_flag(app, "--all", request.all, "list the variants of every workload");
  add_format(app, request.format, "text, or json with everything that is known");
  add_language(app, request.language);
}

int execute(const ListRequest& request, const Session& session) {
  const Selection& selection = request.selection;
  require_known_filters(session.suite.workloads, selection, absent_models());
  if (request.format == Format::json) {
    print_json(request, session);
  } else if (request.all || !selection.filters.empty() || !selection.backends.empty()) {
    print_variants(request, session);
  } else {
    print_overview(session);
  }
  return Exit::fine;
}

}  // namespace bench
