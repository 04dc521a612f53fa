// Tables for programs that show them, such as the report page.

#include "harness/base/json.hpp"

#include <fmt/format.h>

#include "harness/tables/phrases.hpp"
#include "harness/tables/recorded.hpp"
#include "harness/tables/render.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

/// The raw figures of a row by column: a number, or several in a list.
Json values_of(const Row& row, const std::vector<const TableColumn*>& columns) {
  Json values = Json::object();
  for (const TableColumn* column : columns) {
    if (!column->measured_only) continue;
    const std::vector<Field>& fields = column->fields;
    Json value = Json::array();
    for (const Field& field : fields) value.push_back(field.value(row));
    const bool interval = column->key == "interval" || column->key == "speedup_interval";
    values[std::string(column->key)] = interval ? value : value.at(0);
  }
  return values;
}

Json row_json(const PrintedRow& printed, const std::vector<const TableColumn*>& columns,
              Language language) {
  const Json& result = printed.row->result;
  Json json{{"node", at(*printed.row->document, "context/run/node")}};
  for (const char* key : {"name", "workload", "backend", "variant", "dtype", "size", "cache",
                          "scope", "threads", "idea", "status", "reason"}) {
    json[key] = result.value(key, Json());
  }
  for (const char* key : {"idea", "reason"}) {
    const Json& text = json[key];
    json[fmt::format("{}_text", key)] =
        text.is_string() ? Json(translated(text.get<std::string>(), language)) : text;
  }
  json["library"] = result.value("library", false);
  json["other_run"] = printed.row->speedup.value("other_run", false);
  json["cells"] = printed.cells;
  json["instead"] = printed.instead.empty() ? Json() : Json(printed.instead);
  json["values"] = values_of(*printed.row, columns);
  return json;
}

Json table_json(const PrintedTable& table, const std::vector<const TableColumn*>& columns,
                Language language) {
  const Row& first = *table.rows.front().row;
  Json json{{"run", table.source},
            {"node", at(*first.document, "context/run/node")},
            {"workload", first.result.at("workload")},
            {"dtype", first.result.at("dtype")},
            {"size", first.result.at("size")},
            {"cache", first.result.at("cache")},
            {"title", table.title},
            {"caption", table.caption}};
  json["columns"] = Json::array();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    json["columns"].push_back({{"key", columns[i]->key},
                               {"heading", table.headings[i]},
                               {"align", columns[i]->number ? "right" : "left"}});
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
    Json files = Json::array();
    for (const Origin& origin : source.origins) files.push_back(origin.file);
    runs.push_back({{"node", at(source.document, "context/run/node")},
                    {"title", printed.titles[i]},
                    {"files", files},
                    {"warnings", printed.run_warnings[i]}});
  }
  Json all{{"schema", "bench-tables/1"}, {"lang", code(options.language)}, {"runs", runs}};
  all["tables"] = Json::array();
  for (const PrintedTable& table : printed.tables) {
    all["tables"].push_back(table_json(table, printed.columns, options.language));
  }
  all["legend"] = printed.legend;
  return all;
}

}  // namespace bench
