#include "harness/command/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "harness/command/option_kinds.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/terminal.hpp"
#include "harness/document/find.hpp"

namespace bench {
namespace {

/// A word that is neither a file nor has the look of one was meant for an option.
void check(const TableRequest& request) {
  const TableOptions& table = request.options;
  for (const std::string& file : request.files) {
    std::error_code none;
    const bool word = file.find_first_of("./") == std::string::npos;
    if (!word || file == "-" || std::filesystem::exists(file, none)) continue;
    for (const auto* list : {&table.filters, &table.columns, &table.sort, &table.dtypes,
                             &table.sizes, &table.scopes, &table.statuses, &table.nodes}) {
      if (list->empty()) continue;
      throw UsageError(
          fmt::format("{}: no such file; the parts of a list are separated by commas: {},{}", file,
                      list->back(), file));
    }
    throw UsageError(fmt::format("{0}: is not a file; to filter: --filter {0}", file));
  }
}

/// `only f32, f64 …`, of all that there are.
template <class T>
std::string only(const Choices<T>& all) {
  std::vector<std::string> names;
  for (const auto& [name, value] : all) names.push_back(name);
  return fmt::format("only {}", fmt::join(names, ", "));
}

}  // namespace

void add_options(CLI::App& app, TableRequest& request) {
  TableOptions& options = request.options;
  begin_group(app, option_group::shown);
  add_files(app, "FILE", request.files, "result files; - reads one from stdin");
  add_list(app, "--filter", options.filters,
           "only these: workload/backend/variant with wildcards; comma-separated list", "GLOB");
  add_list(app, "--dtype", options.dtypes, only(all_choices<Dtype>()), "TYPE");
  add_list(app, "--size", options.sizes, "only these sizes, as shown in the tables, or 1e7",
           "SIZE");
  add_list(app, "--scope", options.scopes, only(all_choices<Scope>()), "SCOPE");
  add_list(app, "--status", options.statuses, only(all_choices<Status>()), "STATUS");
  add_list(app, "--node", options.nodes, "only these nodes; wildcards are allowed", "GLOB");
  auto* columns = add_list(app, "--columns", options.columns,
                           "columns to show, in this order (bench help columns)", "NAME");
  add_list(app, "--sort", options.sort, "sort by these columns; -NAME: largest first", "NAME");
  add_text(app, "--baseline", options.baseline, "compute speedups over backend/variant", "VARIANT",
           "serial/naive");
  auto* preset = add_choice(
      app, "--preset", options.preset,
      {{"course", Preset::course}, {"steps", Preset::steps}, {"lesson", Preset::steps}},
      "course: the columns version, seconds and speedup; steps: the table of bench course", "NAME");
  exclude(columns, {preset});
  begin_group(app, option_group::output);
  add_choice(app, "--format", request.format,
             {{"text", Format::text},
              {"json", Format::json},
              {"csv", Format::csv},
              {"markdown", Format::markdown},
              {"latex", Format::latex},
              {"html", Format::html}},
             "text, markdown, latex, csv, html or json", "FORMAT", "text");
  add_language(app, options.language);
  finally(app, [&request] { check(request); });
}

int execute(TableRequest request, const Session& /*session*/) {
  request.options.width = text_width(STDOUT_FILENO);
  std::vector<std::string> unreadable;
  auto sources = read_for_tables(request.files, request.options, unreadable);
  if (request.format == Format::text) {
    print_text(text_tables(std::move(sources), request.options));
  } else {
    print(tables(std::move(sources), request.options, request.format));
  }
  for (const std::string& why : unreadable) complain(why);
  return unreadable.empty() ? Exit::fine : Exit::usage;
}

}  // namespace bench
