// Tables for programs that show them, such as the report page.

#include "harness/base/json.hpp"

#include <fmt/format.h>

#include "harness/document/ratios.hpp"
#include "harness/tables/phrases.hpp"
#include "harness/tables/render.hpp"
#include "harness/tables/translated.hpp"

namespace bench {
namespace {

/// The raw figures of a row by column: a number, or several in a list.
Json values_of(const Row& row, const std::vector<const TableColumn*>& columns) {
  Json values = Json::object();
  for (const TableColumn* column : columns) {
    if (!column->traits.measured_only) continue;
    const std::vector<Field>& fields = column->fields;
    Json value = Json::array();
    for (const Field& field : fields) value.push_back(field.value(row));
    values[std::string(column->key)] = column->traits.interval ? value : value.at(0);
  }
  return values;
}

/// A text recorded in English, and as this language says it.
void put_text(Json& json, const std::string& key, const std::optional<std::string>& text,
              Language language) {
  json[key] = written(text);
  json[key + "_text"] = text ? Json(translated(*text, language)) : Json();
}

Json row_json(const PrintedRow& printed, const std::vector<const TableColumn*>& columns,
              Language language) {
  const CaseRecord& one = *printed.row->result;
  Json json{{"node", printed.row->document->context.run.node},
            {"name", one.name},
            {"workload", one.workload},
            {"backend", one.backend},
            {"variant", one.variant},
            {"dtype", written(one.dtype)},
            {"size", one.size},
            {"cache", written(one.cache)},
            {"scope", written(one.scope)},
            {"threads", written(one.threads)},
            {"status", written(one.status)},
            {"library", one.library},
            {"guest", written(one.guest)},
            {"other_run", one.other_run},
            {"over_baseline", written(printed.row->over_baseline)},
            {"share_of", share_reference(one)}};
  put_text(json, "idea", one.idea, language);
  put_text(json, "reason", one.reason, language);
  json["cells"] = printed.cells;
  json["instead"] = printed.instead.empty() ? Json() : Json(printed.instead);
  json["values"] = values_of(*printed.row, columns);
  return json;
}

Json table_json(const PrintedTable& table, const std::vector<const TableColumn*>& columns,
                Language language) {
  const Row& first = *table.rows.front().row;
  Json json{{"run", table.source},
            {"node", first.document->context.run.node},
            {"workload", first.result->workload},
            {"dtype", written(first.result->dtype)},
            {"size", first.result->size},
            {"elements", first.result->elements},
            {"cache", written(first.result->cache)},
            {"title", table.title},
            {"caption", table.caption}};
  json["columns"] = Json::array();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    json["columns"].push_back({{"key", columns[i]->key},
                               {"heading", table.headings[i]},
                               {"align", columns[i]->traits.number ? "right" : "left"}});
  }
  json["rows"] = Json::array();
  for (const PrintedRow& row : table.rows) json["rows"].push_back(row_json(row, columns, language));
  json["folded"] = Json::array();
  for (const Folded& some : table.folded) {
    json["folded"].push_back({{"backend", some.backend}, {"text", some.text}, {"rows", some.rows}});
  }
  json["conclusion"] = table.conclusion;
  json["notes"] = table.notes;
  return json;
}

}  // namespace

Json json_tables(const Printed& printed, const Sheets& sheets, const TableOptions& options) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < sheets.sources.size(); ++i) {
    const Merged& source = sheets.sources[i];
    runs.push_back({{"node", source.document.context.run.node},
                    {"title", printed.titles[i]},
                    {"files", source.files},
                    {"warnings", printed.run_warnings[i]}});
  }
  Json all{{"schema", "bench-tables/1"}, {"lang", name_of(options.language)}, {"runs", runs}};
  all["tables"] = Json::array();
  for (const PrintedTable& table : printed.tables) {
    all["tables"].push_back(table_json(table, printed.columns, options.language));
  }
  all["legend"] = printed.legend;
  return all;
}

}  // namespace bench
