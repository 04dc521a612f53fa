#include "harness/tables/render.hpp"

#include <utility>

#include "harness/base/json.hpp"

namespace bench {
namespace {

/// What a format shows where the user names no columns.
std::vector<std::string> columns_for(const TableOptions& options, Format format) {
  if (options.course) return {"version", "seconds", "speedup"};
  if (format == Format::csv) {
    return {"node",    "workload", "dtype", "size",     "cache",     "variant", "threads", "isa",
            "status",  "reason",   "time",  "interval", "bandwidth", "share",   "naive",   "best",
            "speedup", "file",     "date",  "revision", "cpu",       "gpu"};
  }
  const bool other = !options.baseline.empty();
  return {"variant", "time", "interval", "bandwidth", "share", other ? "speedup" : "naive", "best"};
}

}  // namespace

StyledText text_tables(std::vector<Merged> sources, const TableOptions& options) {
  const Sheets sheets =
      make_sheets(std::move(sources), options, columns_for(options, Format::text));
  return text_tables(folded(printed(sheets, options)), options);
}

std::string tables(std::vector<Merged> sources, const TableOptions& options, Format format) {
  if (format == Format::text) return unstyled(text_tables(std::move(sources), options));
  const Sheets sheets = make_sheets(std::move(sources), options, columns_for(options, format));
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
