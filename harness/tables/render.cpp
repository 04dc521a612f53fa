#include "harness/tables/render.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "harness/base/json.hpp"
#include "harness/document/doubt.hpp"

namespace bench {
namespace {

/// True where user kernels are next to each other.
bool race_of_guests(const std::vector<Merged>& sources) {
  return std::any_of(sources.begin(), sources.end(), [](const Merged& source) {
    const auto& cases = source.document.cases;
    const auto guests = std::count_if(cases.begin(), cases.end(),
                                      [](const CaseRecord& one) { return submitted(one); });
    return guests > 1 && std::any_of(cases.begin(), cases.end(), [](const CaseRecord& one) {
             return one.standing && submitted(one);
           });
  });
}

template <class Has>
bool any_case(const std::vector<Merged>& sources, Has has) {
  return std::any_of(sources.begin(), sources.end(), [&](const Merged& source) {
    return std::any_of(source.document.cases.begin(), source.document.cases.end(), has);
  });
}

bool several_sizes(const std::vector<Merged>& sources) {
  std::map<std::string_view, std::string_view> sizes;  // the first of each workload
  return any_case(sources, [&sizes](const CaseRecord& one) {
    return sizes.try_emplace(one.workload, one.size).first->second != one.size;
  });
}

/// What was asked for in addition to time is shown.
void add_asked_for(std::vector<std::string>& columns, const std::vector<Merged>& sources) {
  if (any_case(sources, [](const CaseRecord& one) { return one.energy.has_value(); })) {
    columns.insert(columns.end(), {"energy", "less_energy"});
  }
  if (any_case(sources, [](const CaseRecord& one) { return one.counters.has_value(); })) {
    columns.insert(columns.end(), {"cycles", "ipc", "misses"});
  }
}

/// What a format shows where the user names no columns.
std::vector<std::string> columns_for(const std::vector<Merged>& sources,
                                     const TableOptions& options, Format format) {
  if (options.preset == Preset::course) return {"version", "seconds", "speedup"};
  if (options.preset == Preset::steps) {
    return several_sizes(sources)
               ? std::vector<std::string>{"step",    "variant",     "size",
                                          "seconds", "per_element", "speedup"}
               : std::vector<std::string>{"step", "variant", "seconds", "speedup"};
  }
  std::vector<std::string> columns;
  if (format == Format::csv) {
    columns = {"node",  "workload", "dtype",   "size",   "cache",    "variant",   "threads",
               "isa",   "status",   "reason",  "time",   "interval", "bandwidth", "share",
               "naive", "best",     "speedup", "file",   "date",     "revision",  "cpu",
               "gpu",   "rank",     "guest",   "waited", "same_as"};
  } else {
    columns = {"variant", "time", "interval"};
    // Empty columns are for programs only.
    const bool all = format == Format::json;
    const bool ours = any_case(sources, [](const CaseRecord& one) { return !one.imported(); });
    if (all || ours || any_case(sources, [](const CaseRecord& one) { return !!one.gb_per_s; })) {
      columns.emplace_back("bandwidth");
    }
    if (all || ours) columns.emplace_back("share");
    if (!options.baseline.empty()) {
      columns.emplace_back("speedup");
    } else if (all || any_case(sources, [](const CaseRecord& one) { return !!one.over_serial; })) {
      columns.emplace_back("naive");
    }
    if (all || any_case(sources, [](const CaseRecord& one) { return !!one.over_best_cpu; })) {
      columns.emplace_back("best");
    }
    if (race_of_guests(sources)) columns.insert(columns.begin() + 1, "rank");
  }
  add_asked_for(columns, sources);
  return columns;
}

}  // namespace

StyledText text_tables(std::vector<Merged> sources, const TableOptions& options) {
  const auto columns = columns_for(sources, options, Format::text);
  const Sheets sheets = make_sheets(std::move(sources), options, columns);
  return text_tables(folded(printed(sheets, options)), options);
}

std::string tables(std::vector<Merged> sources, const TableOptions& options, Format format) {
  if (format == Format::text) return unstyled(text_tables(std::move(sources), options));
  const auto columns = columns_for(sources, options, format);
  const Sheets sheets = make_sheets(std::move(sources), options, columns);
  if (format == Format::csv) return csv_tables(sheets, options);
  Printed all = printed(sheets, options);
  // Without a table the other formats would say nothing at all.
  if (all.tables.empty()) all.legend = all.titles;
  if (format == Format::json) return serialised(json_tables(all, sheets, options)) + "\n";
  all = folded(std::move(all));
  if (format == Format::markdown) return markdown_tables(all, options);
  if (format == Format::latex) return latex_tables(all, options);
  return html_tables(all, options);
}

StyledText text_tables(Document document, const TableOptions& options) {
  std::vector<Document> one;
  one.push_back(std::move(document));
  return text_tables(merge(std::move(one)), options);
}

}  // namespace bench
