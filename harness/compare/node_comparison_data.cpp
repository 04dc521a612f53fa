// What a comparison looks like for programs, and for spreadsheets.

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/compare/finding_text.hpp"
#include "harness/compare/node_comparison.hpp"
#include "harness/words/escape.hpp"

namespace bench {
namespace {

Json column_json(const Column& column) {
  return {{"what", column.what},
          {"workload", column.workload},
          {"dtype", column.dtype},
          {"size", column.size},
          {"parameters", column.parameters}};
}

/// The time of the median node that a cell was compared with.
double reference_seconds(const Cell& cell) { return cell.time.seconds / cell.ratio.value; }

Json cell_json(const NodeComparison& comparison, const Cell& cell) {
  Json json{{"node", comparison.runs[cell.run].node}};
  json.update(column_json(comparison.columns[cell.column]));
  json.update({{"variant", cell.time.variant},
               {"seconds", cell.time.seconds},
               {"median_seconds", reference_seconds(cell)},
               {"ratio", written(cell.ratio)},
               {"verdict", name_of(cell.verdict)}});
  return json;
}

/// These values of a finding.
Json picked(const Finding& one, std::initializer_list<const char*> names) {
  Json json = Json::object();
  for (const char* const name : names) json[name] = one.values[name];
  return json;
}

Json slow_json(const NodeComparison& comparison, const Finding& one) {
  Json where = Json::array();
  for (const std::size_t cell : one.cells) {
    where.push_back(cell_json(comparison, comparison.cells[cell]));
  }
  Json differs = Json::array();
  for (const Difference& difference : one.differs)
    differs.push_back(differences_text({difference}));
  return {{"node", one.nodes.front()},
          {"where", where},
          {"differs", differs},
          {"limits", one.values["limits"]}};
}

Json since_json(const Finding& one, Json json) {
  json.update(column_json(one.columns.front()));
  json.update(picked(one, {"since"}));
  json["ratio"] = written(one.ratio);
  json.update(picked(one, {"surveys_before", "surveys_since", "changed"}));
  return json;
}

Json expected_json(const Finding& one) {
  Json json = picked(one, {"cpu_model", "gpu"});
  json.update(column_json(one.columns.front()));
  json.update(picked(one, {"file", "recorded_runs", "expected_seconds"}));
  json.update({{"ratio", written(one.ratio)}, {"verdict", name_of(one.verdict)}});
  return json;
}

/// Adds what programs read of a finding to its list.
void add_json(const NodeComparison& comparison, const Finding& one, Json& list) {
  switch (one.key) {
    case Found::slow:
      list.push_back(slow_json(comparison, one));
      break;
    case Found::suspect:
      list.push_back(cell_json(comparison, comparison.cells[one.cells.front()]));
      list.back().update(one.values);
      break;
    case Found::slower_since:
      list.push_back(since_json(one, {{"node", one.nodes.front()}}));
      break;
    case Found::all_slower_since:
      list.push_back(since_json(one, picked(one, {"cpu_model", "gpu"})));
      break;
    case Found::expected:
      list.push_back(expected_json(one));
      break;
    case Found::ended:
    case Found::left_out:
      list.push_back({{"node", one.nodes.front()}, {"reason", one.values["reason"]}});
      break;
    case Found::missing:
    case Found::waiting:
    case Found::unclear:
      for (const std::string& node : one.nodes) list.push_back(node);
      break;
    case Found::longer:
      for (std::size_t i = 0; i < one.nodes.size(); ++i) {
        list.push_back({{"node", one.nodes[i]},
                        {"seconds", one.values["seconds"][i]},
                        {"others_seconds", one.values["others_seconds"]}});
      }
      break;
    default:
      list.push_back(sentence(one));
  }
}

/// The ratios from which on a node of a kind is slow, by column.
Json slow_from_json(const NodeComparison& comparison, std::size_t kind) {
  Json list = Json::array();
  for (std::size_t i = 0; i < comparison.middles.size(); ++i) {
    const Cell& middle = comparison.cells[comparison.middles[i]];
    if (middle.kind != kind || !comparison.slow_from[i]) continue;
    list.push_back(column_json(comparison.columns[middle.column]));
    list.back()["ratio"] = *comparison.slow_from[i];
  }
  return list;
}

Json kind_json(const NodeComparison& comparison, std::size_t number) {
  const HardwareClass& kind = comparison.kinds[number];
  Json nodes = Json::array();
  for (const std::size_t run : kind.runs) {
    const NodeRun& one = comparison.runs[run];
    std::map<std::string, std::string> words;
    for (const auto& [name, fact] : one.facts) {
      words[name] = name == facts::since_then ? value_text(name, fact) : text_of_fact(fact);
    }
    nodes.push_back({{"node", one.node},
                     {"file", one.file},
                     {"finished", one.finished},
                     {"passes", one.passes},
                     {"warnings", written(one.doubts)},
                     {"facts", words},
                     {"figures", one.figures}});
  }
  return {{"cpu_model", kind.cpu_model},
          {"gpu", kind.gpu},
          {"amounts", kind.amounts},
          {"slow_from", slow_from_json(comparison, number)},
          {"nodes", nodes}};
}

}  // namespace

std::string node_comparison_csv(const NodeComparison& comparison) {
  std::string text =
      "node,cpu_model,gpu,what,workload,dtype,size,parameters,variant,seconds,median_seconds,"
      "ratio,ratio_low,ratio_high,verdict,file,suspect,since,since_ratio,date\n";
  std::set<const Cell*> suspected;
  for (const Finding& one : comparison.found({Found::suspect})) {
    suspected.insert(&comparison.cells[one.cells.front()]);
  }
  std::map<std::pair<std::string, Column>, std::string> since;
  for (const Finding& one : comparison.found({Found::slower_since})) {
    since[{one.nodes.front(), one.columns.front()}] =
        fmt::format("{},{}", text_of_fact(one.values["since"]), one.ratio.value);
  }
  for (const Cell& cell : comparison.cells) {
    const NodeRun& run = comparison.runs[cell.run];
    const Column& column = comparison.columns[cell.column];
    std::string line;
    for (const std::string& field :
         {run.node, run.cpu_model, run.gpu, column.what, column.workload, column.dtype, column.size,
          column.parameters, cell.time.variant}) {
      line += csv_field(field) + ",";
    }
    const Interval& ci = cell.ratio.ci95;
    line += fmt::format("{},{},{},{},{},{},{},{},", cell.time.seconds, reference_seconds(cell),
                        cell.ratio.value, ci.low, ci.high, name_of(cell.verdict),
                        csv_field(run.file), suspected.contains(&cell) ? "yes" : "no");
    const auto found = since.find({run.node, column});
    line += found == since.end() ? "," : found->second;
    text += line + "," + csv_field(run.started) + "\n";
  }
  return text;
}

Json node_comparison_json(const NodeComparison& comparison, bool forced) {
  Json json{{"schema", "bench-nodes/1"},
            {"exit_code", exit_code(comparison, forced)},
            {"threshold", comparison.threshold}};
  for (const char* const name :
       {"slow", "suspects", "longer", "slower_since", "all_slower_since", "missing", "waiting",
        "ended", "left_out", "unclear", "absent", "lacking", "doubts", "unfinished", "unreadable",
        "failed", "unlike", "notes", "expected"}) {
    Json& list = json[name] = Json::array();
    for (const Finding& one : of_list(comparison.findings, name)) add_json(comparison, one, list);
  }
  Json kinds = Json::array();
  for (std::size_t i = 0; i < comparison.kinds.size(); ++i)
    kinds.push_back(kind_json(comparison, i));
  Json cells = Json::array();
  for (const Cell& cell : comparison.cells) cells.push_back(cell_json(comparison, cell));
  json.update({{"kinds", kinds}, {"cells", cells}});
  return json;
}

}  // namespace bench
