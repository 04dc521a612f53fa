// What a survey looks like: for people, for spreadsheets, for programs.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/base/text.hpp"
#include "harness/nodes/survey.hpp"
#include "harness/tables/escape.hpp"
#include "harness/tables/numbers.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t page_width = 80;
constexpr std::size_t most_rows = 40;

std::string_view name(Standing standing) {
  switch (standing) {
    case Standing::slow:
      return "slow";
    case Standing::fast:
      return "fast";
    case Standing::unclear:
      return "unclear";
    case Standing::alone:
      return "alone";
    case Standing::same:
      break;
  }
  return "same";
}

char mark(Standing standing) {
  switch (standing) {
    case Standing::slow:
      return '!';
    case Standing::fast:
      return '+';
    case Standing::unclear:
      return '?';
    case Standing::alone:
    case Standing::same:
      break;
  }
  return ' ';
}

std::string kind_text(const Kind& kind) {
  return (kind.cpu_model.empty() ? "unknown processor" : kind.cpu_model) +
         (kind.gpu.empty() ? "" : " · " + kind.gpu);
}

/// 10000000:256 as 1e7:256, to save room.
std::string short_size(const std::string& size) {
  std::string text;
  for (std::size_t at = 0; at < size.size();) {
    const std::size_t end = std::min(size.find_first_not_of("0123456789", at), size.size());
    const std::string digits = size.substr(at, end - at);
    const std::size_t zeros = digits.size() - 1 - digits.find_last_not_of('0');
    constexpr std::size_t many = 5;
    text += zeros >= many && zeros < digits.size()
                ? fmt::format("{}e{}", digits.substr(0, digits.size() - zeros), zeros)
                : digits;
    if (end < size.size()) text += size[end];
    at = end + 1;
  }
  return text;
}

std::string plural(std::size_t count, const char* word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

/// `1.37× [1.31, 1.44]`
std::string ratio_text(const Estimate& ratio) {
  const auto end = [](double value) {
    constexpr double most = 100;
    return value > most ? std::string("> 100") : fmt::format("{:.2f}", value);
  };
  return fmt::format("{:.2f}× [{}, {}]", ratio.value, end(ratio.ci95.low), end(ratio.ci95.high));
}

/// The tables of one kind of hardware.
class Tables {
 public:
  Tables(const Survey& survey, std::size_t kind) : survey_(survey), kind_(survey.kinds[kind]) {
    for (const Cell& cell : survey.cells) cells_[{cell.run, cell.column}] = &cell;
    for (const Middle& middle : survey.middles) {
      if (middle.kind == kind) middles_[middle.column] = &middle;
    }
    choose_rows();
    for (const std::size_t run : rows_) {
      names_width_ = std::max(names_width_, survey.runs[run].node.size());
    }
  }

  std::string text() const {
    std::string text =
        fmt::format("{} · {}{}\n", kind_text(kind_), plural(kind_.runs.size(), "node"), passes());
    std::vector<std::size_t> together;
    for (std::size_t column = 0; column < survey_.columns.size(); ++column) {
      if (!middles_.contains(column)) continue;
      if (!together.empty() && (!same_table(together.front(), column) || !fits(together, column))) {
        text += table(together);
        together.clear();
      }
      together.push_back(column);
    }
    if (!together.empty()) text += table(together);
    if (left_out_ > 0) {
      text += fmt::format("  … and {} without anything to remark (--format csv has all)\n",
                          plural(left_out_, "node"));
    }
    return text;
  }

 private:
  /// How often the nodes were measured, where that is more than once.
  std::string passes() const {
    std::size_t most = 1;
    for (const std::size_t run : kind_.runs) most = std::max(most, survey_.runs[run].passes);
    return most > 1 ? fmt::format(" · {} passes", most) : "";
  }

  const Cell* cell(std::size_t run, std::size_t column) const {
    const auto found = cells_.find({run, column});
    return found == cells_.end() ? nullptr : found->second;
  }

  /// All nodes, or those that there is something to say of, the slowest first.
  void choose_rows() {
    rows_ = kind_.runs;
    if (rows_.size() <= most_rows) return;
    std::map<std::size_t, std::pair<int, double>> worst;
    for (const std::size_t run : rows_) {
      for (std::size_t column = 0; column < survey_.columns.size(); ++column) {
        const Cell* one = cell(run, column);
        if (one == nullptr) continue;
        const int urgency = one->standing == Standing::slow      ? 2
                            : one->standing == Standing::unclear ? 1
                                                                 : 0;
        worst[run] = std::max(worst[run], {urgency, one->ratio.value});
      }
    }
    std::stable_sort(rows_.begin(), rows_.end(),
                     [&](std::size_t a, std::size_t b) { return worst[a] > worst[b]; });
    const auto remarkable = static_cast<std::size_t>(std::count_if(
        rows_.begin(), rows_.end(), [&](std::size_t run) { return worst[run].first > 0; }));
    const std::size_t kept = std::min(remarkable, most_rows);
    left_out_ = rows_.size() - kept;
    rows_.resize(kept);
  }

  bool same_table(std::size_t a, std::size_t b) const {
    const Column& first = survey_.columns[a];
    const Column& second = survey_.columns[b];
    return first.what == second.what && first.dtype == second.dtype &&
           first.parameters == second.parameters;
  }

  std::size_t width(std::size_t column) const {
    constexpr std::size_t narrowest = 9;  // a time and a blank
    const Column& one = survey_.columns[column];
    return 1 + std::max({one.workload.size() + 1, short_size(one.size).size() + 1, narrowest});
  }

  bool fits(const std::vector<std::size_t>& together, std::size_t column) const {
    std::size_t used = 2 + names_width_ + width(column);
    for (const std::size_t one : together) used += width(one);
    return used <= page_width;
  }

  std::string table(const std::vector<std::size_t>& together) const {
    const Column& first = survey_.columns[together.front()];
    std::string text = fmt::format("\n{} · {}{}\n", first.what, first.dtype, first.parameters);
    const auto line = [&](const std::string& head, auto cell_of) {
      std::string one = fmt::format("  {:{}}", head, names_width_);
      for (const std::size_t column : together) {
        const std::string content = cell_of(column);
        const std::size_t room = width(column);
        const std::size_t used = columns(content);
        one += std::string(used < room ? room - used : 0, ' ') + content;
      }
      one.erase(one.find_last_not_of(' ') + 1);
      text += one + "\n";
    };
    line("", [&](std::size_t column) { return survey_.columns[column].workload + " "; });
    line("", [&](std::size_t column) { return short_size(survey_.columns[column].size) + " "; });
    line("median", [&](std::size_t column) {
      return with_plain_blanks(duration(middles_.at(column)->time.seconds)) + " ";
    });
    for (const std::size_t run : rows_) {
      line(survey_.runs[run].node, [&](std::size_t column) {
        const Cell* one = cell(run, column);
        if (one == nullptr) return std::string("– ");
        return fmt::format("{:.2f}{}", one->ratio.value, mark(one->standing));
      });
    }
    return text;
  }

  const Survey& survey_;
  const Kind& kind_;
  std::map<std::pair<std::size_t, std::size_t>, const Cell*> cells_;
  std::map<std::size_t, const Middle*> middles_;
  std::vector<std::size_t> rows_;
  std::size_t left_out_ = 0;
  std::size_t names_width_ = 6;
};

std::string slow_text(const Survey& survey, const SlowNode& node) {
  constexpr std::size_t most_named = 4;
  std::string where;
  for (std::size_t i = 0; i < std::min(node.cells.size(), most_named); ++i) {
    const Cell& cell = survey.cells[node.cells[i]];
    const Column& column = survey.columns[cell.column];
    where += fmt::format("{}{} {} ({})", i > 0 ? ", " : "", column.workload, ratio_text(cell.ratio),
                         cell.time.variant);
  }
  if (node.cells.size() > most_named) {
    where += fmt::format(" and {} more", node.cells.size() - most_named);
  }
  std::string differs;
  for (const std::string& one : node.differences) differs += (differs.empty() ? "" : "; ") + one;
  if (differs.empty()) {
    differs = "nothing in its record; try 'bench doctor' there, then its memory and cooling";
  }
  return wrapped(fmt::format("SLOW {}: {} the time of the median node", survey.runs[node.run].node,
                             where),
                 page_width, 5) +
         "\n     " + wrapped("differs: " + differs, page_width, 14, 5) + "\n";
}

std::string expectation_text(const Survey& survey) {
  std::map<std::pair<std::size_t, std::string>, std::string> lines;
  for (const Expectation& one : survey.expectations) {
    std::string& line = lines[{one.kind, one.file}];
    line += fmt::format("{}{} {}{}", line.empty() ? "" : ", ", survey.columns[one.column].workload,
                        ratio_text(one.ratio),
                        one.standing == Standing::slow      ? " SLOW"
                        : one.standing == Standing::unclear ? " unclear"
                                                            : "");
  }
  std::string text;
  for (const auto& [key, line] : lines) {
    text += wrapped(fmt::format("expected: the median node takes, of the time in {}: {}",
                                key.second, line),
                    page_width, 10) +
            "\n";
  }
  return text;
}

/// Nodes that are neither slow nor clear.
std::string unclear_text(const Survey& survey) {
  std::map<std::size_t, std::size_t> unclear;
  for (const Cell& cell : survey.cells) {
    if (cell.standing == Standing::unclear) ++unclear[cell.run];
  }
  for (const SlowNode& node : survey.slow) unclear.erase(node.run);
  if (unclear.empty()) return "";
  constexpr std::size_t most_named = 6;
  std::string who;
  for (const auto& [run, count] : unclear) {
    if (std::count(who.begin(), who.end(), ',') + 1 >= static_cast<int>(most_named)) {
      who += ", …";
      break;
    }
    who += (who.empty() ? "" : ", ") + survey.runs[run].node;
  }
  return wrapped(fmt::format("unclear: {} ({}): the interval reaches beyond {:.3g} %; measure "
                             "again, alone on the node or longer (--min-time 5 --max-time 20)",
                             plural(unclear.size(), "node"), who, 100 * survey.threshold),
                 page_width, 9) +
         "\n";
}

Json ratio_json(const Estimate& ratio) {
  return {{"value", ratio.value}, {"ci95", {ratio.ci95.low, ratio.ci95.high}}};
}

Json column_json(const Column& column) {
  return {{"what", column.what},
          {"workload", column.workload},
          {"dtype", column.dtype},
          {"size", column.size},
          {"parameters", column.parameters}};
}

Json cell_json(const Survey& survey, const Cell& cell, double reference) {
  Json json{{"node", survey.runs[cell.run].node}};
  json.update(column_json(survey.columns[cell.column]));
  json.update({{"variant", cell.time.variant},
               {"seconds", cell.time.seconds},
               {"median_seconds", reference},
               {"ratio", ratio_json(cell.ratio)},
               {"verdict", name(cell.standing)}});
  return json;
}

/// The time of the median node that a cell was compared with.
double reference_seconds(const Cell& cell) { return cell.time.seconds / cell.ratio.value; }

}  // namespace

std::string survey_text(const Survey& survey) {
  std::string text = fmt::format(
      "time of each node's best variant ÷ that of the median node of its hardware\n"
      "! slow, + fast: the whole interval lies beyond {:.3g} %; ? unclear: a part of it\n",
      100 * survey.threshold);
  for (std::size_t kind = 0; kind < survey.kinds.size(); ++kind) {
    text += "\n" + Tables(survey, kind).text();
  }
  text += "\n";
  for (std::size_t i = 0; i < std::min(survey.slow.size(), most_rows); ++i) {
    text += slow_text(survey, survey.slow[i]);
  }
  if (survey.slow.size() > most_rows) {
    text +=
        fmt::format("SLOW: and {} more (--format csv has all)\n", survey.slow.size() - most_rows);
  }
  const auto list = [&text](const char* title, const std::vector<std::string>& lines) {
    constexpr std::size_t most_lines = 20;
    for (std::size_t i = 0; i < std::min(lines.size(), most_lines); ++i) {
      text += wrapped(fmt::format("{}: {}", title, lines[i]), page_width, 2) + "\n";
    }
    if (lines.size() > most_lines) {
      text += fmt::format("{}: and {} more\n", title, lines.size() - most_lines);
    }
  };
  text += expectation_text(survey);
  list("wrong", survey.failed);
  list("missing", survey.missing);
  list("absent", survey.absent);
  list("lacking", survey.lacking);
  list("unfinished", survey.unfinished);
  list("unreadable", survey.unreadable);
  list("not comparable", survey.unlike);
  text += unclear_text(survey);
  list("doubt", survey.doubts);
  list("note", survey.notes);
  const auto measured = static_cast<std::size_t>(
      std::count_if(survey.runs.begin(), survey.runs.end(),
                    [](const NodeRun& run) { return !run.times.empty(); }));
  text += fmt::format("{} compared, {} slow", plural(measured, "node"), survey.slow.size());
  if (measured < survey.runs.size()) {
    text += fmt::format(", {} without any time", survey.runs.size() - measured);
  }
  if (!survey.missing.empty()) text += fmt::format(", {} missing", survey.missing.size());
  return text + "\n";
}

std::string survey_csv(const Survey& survey) {
  std::string text =
      "node,cpu_model,gpu,what,workload,dtype,size,parameters,variant,seconds,median_seconds,"
      "ratio,ratio_low,ratio_high,verdict,file\n";
  for (const Cell& cell : survey.cells) {
    const NodeRun& run = survey.runs[cell.run];
    const Column& column = survey.columns[cell.column];
    std::string line;
    for (const std::string& field :
         {run.node, run.cpu_model, run.gpu, column.what, column.workload, column.dtype, column.size,
          column.parameters, cell.time.variant}) {
      line += csv_field(field) + ",";
    }
    const Interval& ci = cell.ratio.ci95;
    line +=
        fmt::format("{},{},{},{},{},{},{}\n", cell.time.seconds, reference_seconds(cell),
                    cell.ratio.value, ci.low, ci.high, name(cell.standing), csv_field(run.file));
    text += line;
  }
  return text;
}

Json survey_json(const Survey& survey, bool forced) {
  Json kinds = Json::array();
  for (const Kind& kind : survey.kinds) {
    Json nodes = Json::array();
    for (const std::size_t run : kind.runs) {
      const NodeRun& one = survey.runs[run];
      nodes.push_back({{"node", one.node},
                       {"file", one.file},
                       {"finished", one.finished},
                       {"passes", one.passes},
                       {"facts", one.words},
                       {"figures", one.figures}});
    }
    kinds.push_back({{"cpu_model", kind.cpu_model}, {"gpu", kind.gpu}, {"nodes", nodes}});
  }
  Json cells = Json::array();
  for (const Cell& cell : survey.cells) {
    cells.push_back(cell_json(survey, cell, reference_seconds(cell)));
  }
  Json slow = Json::array();
  for (const SlowNode& node : survey.slow) {
    Json where = Json::array();
    for (const std::size_t cell : node.cells) {
      where.push_back(cell_json(survey, survey.cells[cell], reference_seconds(survey.cells[cell])));
    }
    slow.push_back(
        {{"node", survey.runs[node.run].node}, {"where", where}, {"differs", node.differences}});
  }
  Json expected = Json::array();
  for (const Expectation& one : survey.expectations) {
    const Kind& kind = survey.kinds[one.kind];
    Json json{{"cpu_model", kind.cpu_model}, {"gpu", kind.gpu}};
    json.update(column_json(survey.columns[one.column]));
    json.update({{"file", one.file},
                 {"expected_seconds", one.seconds},
                 {"ratio", ratio_json(one.ratio)},
                 {"verdict", name(one.standing)}});
    expected.push_back(json);
  }
  return {{"schema", "bench-nodes/1"},
          {"exit_code", exit_code(survey, forced)},
          {"threshold", survey.threshold},
          {"slow", slow},
          {"missing", survey.missing},
          {"absent", survey.absent},
          {"lacking", survey.lacking},
          {"doubts", survey.doubts},
          {"unfinished", survey.unfinished},
          {"unreadable", survey.unreadable},
          {"failed", survey.failed},
          {"unlike", survey.unlike},
          {"notes", survey.notes},
          {"expected", expected},
          {"kinds", kinds},
          {"cells", cells}};
}

}  // namespace bench
