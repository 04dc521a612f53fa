// Tables for programs that show them, such as the report page.

#include "harness/base/json.hpp"

#include "harness/document/ratios.hpp"
#include "harness/tables/render.hpp"
#include "harness/tables/user_kernels.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

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
void put_text(Json& json, const std::string& key, const std::optional<Reason>& text,
              Language language) {
  json[key] = written(text);
  json[key + "_text"] = text ? Json(translated(*text, language)) : Json();
}

/// What a class wants of a file.
void put_guest(Json& json, const Row& row, const std::vector<Row>& rows, Language language) {
  json["why"] = why_slow(row, rows, language);
  json["compiler"] = compiler_text({row}, language);
  json["standing"] = written(row.result->standing);
  json["over_best_cpu"] = written(row.result->over_best_cpu);
  for (const char* const key : {"date", "rank", "waited", "same_as"}) {
    for (const Field& field : column(key, "--columns").fields) {
      json[std::string(field.name)] = field.value(row);
    }
  }
}

Json row_json(const PrintedRow& printed, const std::vector<const TableColumn*>& columns,
              const std::vector<Row>& rows, Language language) {
  const CaseRecord& one = *printed.row->result;
  const auto share_ci95 = nearest_share(one).ci95;
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
            {"share_of", share_reference(one)},
            {"share_ci95", share_ci95 ? written(*share_ci95) : Json()}};
  if (one.on_processor) json["on_processor"] = written(*one.on_processor);
  if (one.guest) put_guest(json, *printed.row, rows, language);
  put_text(json, "idea", one.idea, language);
  put_text(json, "reason", one.reason, language);
  put_text(json, "unchecked", one.unchecked, language);
  json["cells"] = printed.cells;
  json["doubtful"] = printed.doubtful;
  const std::string status = status_text(one.status, language);
  json["status_text"] = status;
  json["before_reason"] = say(language, phrases::because, status, "");
  json["instead"] = printed.instead.empty() ? Json() : Json(printed.instead);
  json["values"] = values_of(*printed.row, columns);
  return json;
}

Json table_json(const PrintedTable& table, const std::vector<const TableColumn*>& columns,
                const std::vector<Row>& rows, Language language) {
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
  for (const PrintedRow& row : table.rows) {
    json["rows"].push_back(row_json(row, columns, rows, language));
  }
  json["folded"] = Json::array();
  for (const Folded& some : table.folded) {
    json["folded"].push_back({{"backend", some.backend}, {"text", some.text}, {"rows", some.rows}});
  }
  json["conclusion"] = table.conclusion;
  json["notes"] = table.notes;
  return json;
}

/// A ratio without the name of its baseline, which the answer has once.
Json ratio_json(const std::optional<RatioRecord>& ratio) {
  return ratio ? Json{{"value", ratio->value}, {"ci95", written(ratio->ci95)}} : Json();
}

Json entry_json(const std::optional<Row>& row) {
  if (!row) return {};
  const CaseRecord& one = *row->result;
  const auto [reference, share, ci95, arithmetic] = nearest_share(one);
  const auto& over = row->over_baseline;
  return {{"name", one.name},
          {"variant", one.rung()},
          {"threads", written(one.threads)},
          {"parameters", written(one.parameters)},
          {"seconds", one.seconds->median},
          {"ci95", written(one.seconds->ci95)},
          {"gb_per_s", written(one.gb_per_s)},
          {"over_baseline", ratio_json(over)},
          {"over_best_cpu", ratio_json(one.over_best_cpu)},
          {"share_of_copy", written(share)},
          {"share_of", share_reference(one)},
          {"doubtful", doubtful(one) || (over && doubtful(*row, *over))}};
}

/// What the ratios of a table are over; null where it was not measured.
Json baseline_json(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const CaseRecord* const one =
        row.over_baseline ? baseline_of(row, *row.over_baseline) : nullptr;
    if (one != nullptr) return {{"variant", one->rung()}, {"seconds", one->seconds->median}};
  }
  return {};
}

Json limit_json(const std::optional<LimitShown>& limit) {
  if (!limit) return {};
  return {{"by", name_of(limit->by)},
          {"of", limit->of.empty() ? Json() : Json(limit->of)},
          {"share", limit->share.value},
          {"ci95", written(limit->share.ci95)}};
}

Json answer_json(const Sheet& sheet, std::size_t table) {
  const Row& first = sheet.rows.front();
  const CaseRecord& one = *first.result;
  const Answer& answer = *sheet.answer;
  Json all = {{"table", table},
              {"run", sheet.source},
              {"node", first.document->context.run.node},
              {"workload", one.workload},
              {"dtype", written(one.dtype)},
              {"size", one.size},
              {"elements", one.elements},
              {"bins", written(one.bins)},
              {"cache", written(one.cache)},
              {"baseline", baseline_json(sheet.rows)},
              {"best_cpu", entry_json(answer.best_cpu)},
              {"gpu", entry_json(answer.gpu)},
              {"gpu_with_transfers", entry_json(answer.gpu_with_transfers)},
              {"python", entry_json(answer.python)},
              {"limit", limit_json(answer.limit)},
              {"cautions", sheet.cautions},
              {"sentence", sheet.conclusion}};
  if (one.steps) all["steps"] = *one.steps;
  return all;
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
  for (std::size_t i = 0; i < printed.tables.size(); ++i) {
    all["tables"].push_back(
        table_json(printed.tables[i], printed.columns, sheets.sheets[i].rows, options.language));
  }
  all["legend"] = printed.legend;
  all["answer"] = Json::array();
  for (std::size_t i = 0; i < sheets.sheets.size(); ++i) {
    if (sheets.sheets[i].answer) all["answer"].push_back(answer_json(sheets.sheets[i], i));
  }
  return all;
}

}  // namespace bench
