// What a comparison looks like: for people, for spreadsheets, for programs.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/base/text.hpp"
#include "harness/compare/node_comparison.hpp"
#include "harness/compare/node_differences.hpp"
#include "harness/words/escape.hpp"
#include "harness/words/labelled.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

constexpr std::size_t most_rows = 40;

char mark(NodeVerdict verdict) {
  switch (verdict) {
    case NodeVerdict::slow:
      return '!';
    case NodeVerdict::fast:
      return '+';
    case NodeVerdict::unclear:
      return '?';
    case NodeVerdict::alone:
    case NodeVerdict::same:
      break;
  }
  return ' ';
}

std::string kind_text(const HardwareClass& kind, Language language) {
  return (kind.cpu_model.empty() ? say(language, phrases::unknown_processor) : kind.cpu_model) +
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

/// What a column is of, as its heading says it.
std::string workload_text(const Column& column, Language language) {
  if (column.pooled.empty()) return column.workload;
  if (!column.of_limits()) return say(language, phrases::all);
  return say(language, column.workload == Column::memory_limit ? phrases::memory : phrases::cores);
}

std::string size_text(const Column& column, Language language) {
  return column.pooled.empty()
             ? short_size(column.size)
             : say(language, phrases::sizes, std::to_string(column.pooled.size()));
}

std::string variant_text(const NodeTime& time, Language language) {
  return time.column.pooled.empty() ? time.variant : say(language, phrases::all_together);
}

std::string nodes_text(std::size_t count, Language language) {
  return say(language, count == 1 ? phrases::one_node : phrases::nodes_count,
             std::to_string(count));
}

std::string two_decimals(double value, Language language) {
  return localised(fmt::format("{:.2f}", value), language);
}

std::string percent_text(const NodeComparison& comparison) {
  return localised(figure(100 * comparison.threshold, 3), comparison.language);
}

/// `1.37× [1.31, 1.44]`
std::string ratio_text(const Estimate& ratio, Language language) {
  const auto end = [language](double value) {
    constexpr double least = 0.01;
    constexpr double most = 100;
    if (value < least) return "< " + two_decimals(least, language);
    return value > most ? std::string("> 100") : two_decimals(value, language);
  };
  return two_decimals(ratio.value, language) + "× " +
         bracketed(end(ratio.ci95.low), end(ratio.ci95.high), language);
}

/// The tables of one kind of hardware.
class Tables {
 public:
  Tables(const NodeComparison& comparison, std::size_t kind)
      : comparison_(comparison),
        kind_(comparison.kinds[kind]),
        language_(comparison.language),
        median_(phrases::median.in(language_)),
        names_width_(columns(median_)) {
    for (const Cell& cell : comparison.cells) cells_[{cell.run, cell.column}] = &cell;
    for (const Middle& middle : comparison.middles) {
      if (middle.kind == kind) middles_[middle.column] = &middle;
    }
    choose_rows();
    for (const std::size_t run : rows_) {
      names_width_ = std::max(names_width_, comparison.runs[run].node.size());
    }
  }

  std::string text() const {
    std::string text = fmt::format("{} · {}{}\n", kind_text(kind_, language_),
                                   nodes_text(kind_.runs.size(), language_), passes());
    std::vector<std::size_t> together;
    for (std::size_t column = 0; column < comparison_.columns.size(); ++column) {
      if (!middles_.contains(column)) continue;
      if (!together.empty() && (!same_table(together.front(), column) || !fits(together, column))) {
        text += table(together);
        together.clear();
      }
      together.push_back(column);
    }
    if (!together.empty()) text += table(together);
    if (left_out_ > 0) {
      text += "  " + say(language_, phrases::unremarkable, nodes_text(left_out_, language_)) + "\n";
    }
    return text;
  }

 private:
  /// How often the nodes were measured, where that is more than once.
  std::string passes() const {
    std::size_t most = 1;
    for (const std::size_t run : kind_.runs) most = std::max(most, comparison_.runs[run].passes);
    return most > 1 ? " · " + say(language_, phrases::passes, std::to_string(most)) : "";
  }

  const Cell* cell(std::size_t run, std::size_t column) const {
    const auto found = cells_.find({run, column});
    return found == cells_.end() ? nullptr : found->second;
  }

  /// All nodes, or those that there is something to say of, the slowest first.
  void choose_rows() {
    rows_ = kind_.runs;
    if (rows_.size() <= most_rows) return;
    const std::set<std::size_t> unclear = unclear_runs(comparison_);
    std::map<std::size_t, std::pair<int, double>> worst;
    for (const std::size_t run : rows_) {
      for (std::size_t column = 0; column < comparison_.columns.size(); ++column) {
        const Cell* one = cell(run, column);
        if (one == nullptr) continue;
        const int urgency = one->verdict == NodeVerdict::slow ? 2 : unclear.contains(run) ? 1 : 0;
        worst[run] = std::max(worst[run], {urgency, one->ratio.value});
      }
    }
    for (const Suspect& one : comparison_.suspects) {
      const Cell& cell = comparison_.cells[one.cell];
      worst[cell.run] = std::max(worst[cell.run], {1, cell.ratio.value});
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
    const Column& first = comparison_.columns[a];
    const Column& second = comparison_.columns[b];
    return first.what == second.what && first.dtype == second.dtype &&
           first.parameters == second.parameters;
  }

  std::size_t width(std::size_t column) const {
    constexpr std::size_t narrowest = 9;  // a time and a blank
    const Column& one = comparison_.columns[column];
    return 1 + std::max({columns(workload_text(one, language_)) + 1,
                         columns(size_text(one, language_)) + 1, narrowest});
  }

  bool fits(const std::vector<std::size_t>& together, std::size_t column) const {
    std::size_t used = 2 + names_width_ + width(column);
    for (const std::size_t one : together) used += width(one);
    return used <= page_width;
  }

  std::string table(const std::vector<std::size_t>& together) const {
    const Column& first = comparison_.columns[together.front()];
    std::string text = fmt::format("\n{} · {}{}\n", translated(first.what, language_), first.dtype,
                                   first.parameters);
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
    line("", [&](std::size_t column) {
      return workload_text(comparison_.columns[column], language_) + " ";
    });
    line("", [&](std::size_t column) {
      return size_text(comparison_.columns[column], language_) + " ";
    });
    line(median_, [&](std::size_t column) {
      return duration(middles_.at(column)->time.seconds, language_) + " ";
    });
    for (const std::size_t run : rows_) {
      line(comparison_.runs[run].node, [&](std::size_t column) {
        const Cell* one = cell(run, column);
        if (one == nullptr) return std::string("– ");
        return two_decimals(one->ratio.value, language_) + mark(one->verdict);
      });
    }
    return text;
  }

  const NodeComparison& comparison_;
  const HardwareClass& kind_;
  Language language_;
  std::string median_;
  std::map<std::pair<std::size_t, std::size_t>, const Cell*> cells_;
  std::map<std::size_t, const Middle*> middles_;
  std::vector<std::size_t> rows_;
  std::size_t left_out_ = 0;
  std::size_t names_width_;
};

std::string limit_text(const Phrase& limit, const LimitRatio& one, Language language) {
  const auto number = [language](double value) { return ratio(value, language); };
  return say(language, limit,
             say(language, phrases::limit_ratio, number(one.middle), number(one.half.low),
                 number(one.half.high)));
}

/// What of a slow node is slow.
std::string limits_text(const SlowLimits& limits, Language language) {
  std::vector<std::string> ratios{limit_text(phrases::limit_of_memory, limits.memory, language)};
  if (limits.in_cache) {
    ratios.push_back(limit_text(phrases::limit_in_cache, *limits.in_cache, language));
  }
  const std::string where = limits.on_gpu ? say(language, phrases::gpu) + ", " : "";
  std::string text = where + say(language, phrases::limits_over_others,
                                 std::to_string(limits.memory.cases), listed(ratios, language));
  const auto therefore = [&](const Phrase& part) {
    return say(language, phrases::because, text, say(language, part));
  };
  switch (limits.part) {
    case SlowPart::memory:
      return therefore(phrases::slow_memory);
    case SlowPart::computing:
      return therefore(phrases::slow_computing);
    case SlowPart::both:
      return therefore(phrases::slow_both);
    case SlowPart::unknown:
      break;
  }
  return text;
}

std::string slow_text(const NodeComparison& comparison, const SlowNode& node) {
  const Language language = comparison.language;
  constexpr std::size_t most_named = 4;
  std::string where;
  for (std::size_t i = 0; i < std::min(node.cells.size(), most_named); ++i) {
    const Cell& cell = comparison.cells[node.cells[i]];
    const Column& column = comparison.columns[cell.column];
    where += fmt::format("{}{} {} ({})", i > 0 ? ", " : "", workload_text(column, language),
                         ratio_text(cell.ratio, language), variant_text(cell.time, language));
  }
  if (node.cells.size() > most_named) {
    where += " " + say(language, phrases::and_more, std::to_string(node.cells.size() - most_named));
  }
  const std::string differs = node.differences.empty() ? say(language, phrases::nothing_differs)
                                                       : listed(node.differences, language);
  const std::string head =
      say(language, phrases::named_slow) + " " + comparison.runs[node.run].node;
  constexpr std::size_t indent = 5;
  std::string limits;
  for (const SlowLimits& one : node.limits) {
    limits += std::string(indent, ' ') +
              labelled(phrases::limits, limits_text(one, language), language, indent) + "\n";
  }
  return wrapped(
             say(language, phrases::because, head, say(language, phrases::times_the_median, where)),
             page_width, indent) +
         "\n" + std::string(indent, ' ') + labelled(phrases::differs, differs, language, indent) +
         "\n" + limits;
}

std::string suspect_text(const NodeComparison& comparison, const Suspect& one) {
  const Language language = comparison.language;
  const Cell& cell = comparison.cells[one.cell];
  const Column& column = comparison.columns[cell.column];
  const std::string slower = say(language, phrases::slower_in_columns, std::to_string(one.slower),
                                 std::to_string(one.columns), translated(column.what, language));
  const std::string part = column.of_limits() ? workload_text(column, language) + " " : "";
  return say(language, phrases::because, comparison.runs[cell.run].node,
             say(language, phrases::times_the_median, part + ratio_text(cell.ratio, language)) +
                 ", " + slower);
}

std::string longer_text(const NodeComparison& comparison, const LongerAtWork& one) {
  const Language language = comparison.language;
  std::vector<std::string> nodes;
  for (const std::size_t run : one.runs) nodes.push_back(comparison.runs[run].node);
  const auto [least, most] = std::minmax_element(one.seconds.begin(), one.seconds.end());
  std::string range = figure(*least, 3);
  if (nodes.size() > 1) range += "–" + figure(*most, 3);
  return say(language, phrases::because, names(nodes, language),
             say(language, phrases::takes_longer, localised(range, language),
                 localised(figure(one.others, 3), language)));
}

/// `n5: 1.08× [1.06, 1.10] since 2026-08-03 (best CPU variant); kernel 6.19 (before 6.18)`
std::string since_text(const NodeComparison& comparison, const SlowerSince& one,
                       const std::string& name) {
  const Language language = comparison.language;
  const std::string part = one.column.of_limits() ? workload_text(one.column, language) + " " : "";
  std::string text = say(language, phrases::because, name,
                         say(language, phrases::since_date, part + ratio_text(one.ratio, language),
                             one.date, translated(one.column.what, language)));
  if (!one.changed.empty()) text += "; " + changes_text(one.changed, language);
  return text;
}

/// The processor of all nodes that became slower together.
std::string hardware_text(const NodeComparison& comparison, const SlowerSince& one) {
  const NodeRun& run = comparison.runs[one.run];
  return say(comparison.language, phrases::all_nodes_of,
             kind_text({run.cpu_model, run.gpu, {}}, comparison.language));
}

std::string expectation_text(const NodeComparison& comparison) {
  const Language language = comparison.language;
  std::map<std::pair<std::size_t, std::string>, std::string> lines;
  for (const Expectation& one : comparison.expectations) {
    std::string recorded = one.file;
    if (one.recorded > 1) {
      recorded += " " + say(language, phrases::and_more, std::to_string(one.recorded - 1));
    }
    std::string& line = lines[{one.kind, recorded}];
    line += (line.empty() ? "" : ", ") + workload_text(comparison.columns[one.column], language) +
            " " + ratio_text(one.ratio, language);
    if (one.verdict == NodeVerdict::slow) line += " " + say(language, phrases::named_slow);
    if (one.verdict == NodeVerdict::unclear) line += " " + say(language, phrases::unclear);
  }
  std::string text;
  for (const auto& [key, line] : lines) {
    text += labelled(phrases::expected, say(language, phrases::of_expected_time, key.second, line),
                     language) +
            "\n";
  }
  return text;
}

/// Nodes that are neither slow nor clear.
std::string unclear_text(const NodeComparison& comparison) {
  const std::set<std::size_t> unclear = unclear_runs(comparison);
  if (unclear.empty()) return "";
  std::vector<std::string> nodes;
  for (const std::size_t run : unclear) nodes.push_back(comparison.runs[run].node);
  const Language language = comparison.language;
  return labelled(phrases::unclear,
                  say(language, phrases::reaches_beyond, nodes_text(unclear.size(), language),
                      names(nodes, language), percent_text(comparison)),
                  language) +
         "\n";
}

template <class All, class Line>
std::vector<std::string> lines_of(const All& all, Line line) {
  std::vector<std::string> lines;
  std::transform(all.begin(), all.end(), std::back_inserter(lines), line);
  return lines;
}

std::size_t nodes_slower_since(const NodeComparison& comparison) {
  std::set<std::size_t> runs;
  for (const SlowerSince& one : comparison.past.slower) runs.insert(one.run);
  return runs.size();
}

/// The last line, which alone may be read: it agrees with the exit code.
std::string conclusion(const NodeComparison& comparison) {
  const Language language = comparison.language;
  const auto measured = static_cast<std::size_t>(
      std::count_if(comparison.runs.begin(), comparison.runs.end(),
                    [](const NodeRun& run) { return !run.times.empty(); }));
  const auto& expected = comparison.expectations;
  const auto slow = std::count_if(expected.begin(), expected.end(), [](const Expectation& one) {
    return one.verdict == NodeVerdict::slow;
  });
  const std::string nodes = nodes_text(measured, language);
  std::string text = nothing_compared(comparison)
                         ? say(language, phrases::compared_with_nothing, nodes)
                         : say(language, phrases::compared_and_slow, nodes,
                               std::to_string(comparison.slow.size()));
  if (slow > 0) {
    text += say(language, phrases::and_expected_slow, std::to_string(slow),
                std::to_string(expected.size()));
  }
  const auto add = [&](const Phrase& phrase, std::size_t count) {
    if (count > 0) text += say(language, phrase, std::to_string(count));
  };
  add(phrases::without_time, comparison.runs.size() - measured);
  add(phrases::and_faulty, comparison.faulty.size());
  add(phrases::and_ended, comparison.ended.size());
  add(phrases::and_missing, comparison.missing.size());
  add(phrases::and_waiting, comparison.waiting.size());
  add(phrases::and_slower_since, nodes_slower_since(comparison));
  if (!comparison.past.common.empty()) text += say(language, phrases::and_all_slower_since);
  add(phrases::and_suspected, comparison.suspects.size());
  add(phrases::and_unclear, unclear_runs(comparison).size());
  return wrapped(text, page_width, 2);
}

Json column_json(const Column& column) {
  return {{"what", column.what.text},
          {"workload", column.workload},
          {"dtype", column.dtype},
          {"size", column.size},
          {"parameters", column.parameters}};
}

Json cell_json(const NodeComparison& comparison, const Cell& cell, double reference) {
  Json json{{"node", comparison.runs[cell.run].node}};
  json.update(column_json(comparison.columns[cell.column]));
  json.update({{"variant", cell.time.variant},
               {"seconds", cell.time.seconds},
               {"median_seconds", reference},
               {"ratio", written(cell.ratio)},
               {"verdict", name_of(cell.verdict)}});
  return json;
}

/// The time of the median node that a cell was compared with.
double reference_seconds(const Cell& cell) { return cell.time.seconds / cell.ratio.value; }

}  // namespace

std::string node_comparison_text(const NodeComparison& comparison) {
  const Language language = comparison.language;
  const auto words = [language](const Phrase& phrase, const auto&... texts) {
    return say(language, phrase, texts...);
  };
  std::string text = wrapped(words(phrases::time_of_nodes), page_width, 0) + "\n" +
                     wrapped(words(phrases::marks, percent_text(comparison)), page_width, 0) + "\n";
  for (std::size_t kind = 0; kind < comparison.kinds.size(); ++kind) {
    text += "\n" + Tables(comparison, kind).text();
  }
  text += '\n';
  for (std::size_t i = 0; i < std::min(comparison.slow.size(), most_rows); ++i) {
    text += slow_text(comparison, comparison.slow[i]);
  }
  if (comparison.slow.size() > most_rows) {
    text += words(phrases::because, words(phrases::named_slow),
                  words(phrases::rest_in_csv, std::to_string(comparison.slow.size() - most_rows))) +
            "\n";
  }
  const auto list = [&](const Phrase& title, const std::vector<std::string>& lines) {
    text += each_labelled(title, lines, 20, language);
  };
  list(phrases::nodes_suspected, lines_of(comparison.suspects, [&](const Suspect& one) {
         return suspect_text(comparison, one);
       }));
  list(phrases::nodes_slower_since, lines_of(comparison.past.slower, [&](const SlowerSince& one) {
         return since_text(comparison, one, comparison.runs[one.run].node);
       }));
  list(phrases::nodes_slower_since, lines_of(comparison.past.common, [&](const SlowerSince& one) {
         return since_text(comparison, one, hardware_text(comparison, one));
       }));
  text += expectation_text(comparison);
  list(phrases::nodes_failed, comparison.failed);
  const auto named = [&](const std::vector<std::string>& nodes) {
    return nodes.empty() ? nodes : std::vector{names(nodes, language, most_rows)};
  };
  list(phrases::nodes_missing, named(comparison.missing));
  list(phrases::nodes_waiting, lines_of(named(comparison.waiting), [&](const std::string& nodes) {
         return words(phrases::not_begun, nodes);
       }));
  const auto list_by_reason = [&](const Phrase& title, const std::vector<LeftOut>& nodes) {
    std::map<std::string, std::vector<std::string>> by_reason;
    for (const LeftOut& one : nodes) by_reason[one.reason].push_back(one.node);
    list(title, lines_of(by_reason, [&](const auto& one) {
           return words(phrases::because, names(one.second, language, most_rows), one.first);
         }));
  };
  list_by_reason(phrases::nodes_ended, comparison.ended);
  list_by_reason(phrases::nodes_left_out, comparison.left_out);
  list(phrases::absent, comparison.absent);
  list(phrases::lacking, comparison.lacking);
  list(phrases::nodes_unfinished, comparison.unfinished);
  list(phrases::unreadable, comparison.unreadable);
  list(phrases::nodes_unlike, comparison.unlike);
  text += unclear_text(comparison);
  list(phrases::doubt, lines_of(comparison.longer, [&](const LongerAtWork& one) {
         return longer_text(comparison, one);
       }));
  list(phrases::doubt, comparison.doubts);
  list(phrases::nodes_notes, comparison.notes);
  text += conclusion(comparison);
  return with_plain_blanks(text + "\n");
}

std::string node_comparison_csv(const NodeComparison& comparison) {
  std::string text =
      "node,cpu_model,gpu,what,workload,dtype,size,parameters,variant,seconds,median_seconds,"
      "ratio,ratio_low,ratio_high,verdict,file,suspect,since,since_ratio,date\n";
  std::set<const Cell*> suspected;
  for (const Suspect& one : comparison.suspects) suspected.insert(&comparison.cells[one.cell]);
  std::map<std::pair<std::size_t, Column>, const SlowerSince*> since;
  for (const SlowerSince& one : comparison.past.slower) since[{one.run, one.column}] = &one;
  for (const Cell& cell : comparison.cells) {
    const NodeRun& run = comparison.runs[cell.run];
    const Column& column = comparison.columns[cell.column];
    std::string line;
    for (const std::string& field :
         {run.node, run.cpu_model, run.gpu, column.what.text, column.workload, column.dtype,
          column.size, column.parameters, cell.time.variant}) {
      line += csv_field(field) + ",";
    }
    const Interval& ci = cell.ratio.ci95;
    line += fmt::format("{},{},{},{},{},{},{},{},", cell.time.seconds, reference_seconds(cell),
                        cell.ratio.value, ci.low, ci.high, name_of(cell.verdict),
                        csv_field(run.file), suspected.contains(&cell) ? "yes" : "no");
    const auto found = since.find({cell.run, column});
    line += found == since.end()
                ? ","
                : fmt::format("{},{}", found->second->date, found->second->ratio.value);
    text += line + "," + csv_field(run.started) + "\n";
  }
  return text;
}

Json limit_json(const LimitRatio& one) {
  return {
      {"value", one.middle}, {"quartiles", {one.half.low, one.half.high}}, {"cases", one.cases}};
}

Json limits_json(const std::vector<SlowLimits>& limits) {
  Json all = Json::array();
  for (const SlowLimits& one : limits) {
    all.push_back({{"of", one.on_gpu ? "gpu" : "cpu"},
                   {"memory", limit_json(one.memory)},
                   {"in_cache", one.in_cache ? limit_json(*one.in_cache) : Json(nullptr)},
                   {"slow", name_of(one.part)}});
  }
  return all;
}

Json since_json(const SlowerSince& one, Json json) {
  Json changed = Json::array();
  for (const ChangedFact& fact : one.changed) {
    changed.push_back(
        {{"name", fact.name}, {"now", fact.now.value}, {"before", fact.before.value}});
  }
  json.update(column_json(one.column));
  json.update({{"since", one.date},
               {"ratio", written(one.ratio)},
               {"surveys_before", one.before},
               {"surveys_since", one.since},
               {"changed", changed}});
  return json;
}

Json node_comparison_json(const NodeComparison& comparison, bool forced) {
  Json kinds = Json::array();
  for (const HardwareClass& kind : comparison.kinds) {
    Json nodes = Json::array();
    for (const std::size_t run : kind.runs) {
      const NodeRun& one = comparison.runs[run];
      std::map<std::string, std::string> words;
      for (const auto& [name, fact] : one.facts) words[name] = text_of_fact(fact.value);
      nodes.push_back({{"node", one.node},
                       {"file", one.file},
                       {"finished", one.finished},
                       {"passes", one.passes},
                       {"warnings", written(one.doubts)},
                       {"facts", words},
                       {"figures", one.figures}});
    }
    kinds.push_back({{"cpu_model", kind.cpu_model}, {"gpu", kind.gpu}, {"nodes", nodes}});
  }
  Json cells = Json::array();
  for (const Cell& cell : comparison.cells) {
    cells.push_back(cell_json(comparison, cell, reference_seconds(cell)));
  }
  Json slow = Json::array();
  for (const SlowNode& node : comparison.slow) {
    Json where = Json::array();
    for (const std::size_t cell : node.cells) {
      where.push_back(
          cell_json(comparison, comparison.cells[cell], reference_seconds(comparison.cells[cell])));
    }
    slow.push_back({{"node", comparison.runs[node.run].node},
                    {"where", where},
                    {"differs", node.differences},
                    {"limits", limits_json(node.limits)}});
  }
  Json suspects = Json::array();
  for (const Suspect& one : comparison.suspects) {
    const Cell& cell = comparison.cells[one.cell];
    Json json = cell_json(comparison, cell, reference_seconds(cell));
    json.update({{"slower_columns", one.slower}, {"columns", one.columns}});
    suspects.push_back(json);
  }
  Json longer = Json::array();
  for (const LongerAtWork& one : comparison.longer) {
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
      longer.push_back({{"node", comparison.runs[one.runs[i]].node},
                        {"seconds", one.seconds[i]},
                        {"others_seconds", one.others}});
    }
  }
  Json slower_since = Json::array();
  for (const SlowerSince& one : comparison.past.slower) {
    slower_since.push_back(since_json(one, {{"node", comparison.runs[one.run].node}}));
  }
  Json all_slower_since = Json::array();
  for (const SlowerSince& one : comparison.past.common) {
    const NodeRun& run = comparison.runs[one.run];
    all_slower_since.push_back(since_json(one, {{"cpu_model", run.cpu_model}, {"gpu", run.gpu}}));
  }
  Json expected = Json::array();
  for (const Expectation& one : comparison.expectations) {
    const HardwareClass& kind = comparison.kinds[one.kind];
    Json json{{"cpu_model", kind.cpu_model}, {"gpu", kind.gpu}};
    json.update(column_json(comparison.columns[one.column]));
    json.update({{"file", one.file},
                 {"recorded_runs", one.recorded},
                 {"expected_seconds", one.seconds},
                 {"ratio", written(one.ratio)},
                 {"verdict", name_of(one.verdict)}});
    expected.push_back(json);
  }
  const auto with_reasons = [](const std::vector<LeftOut>& nodes) {
    Json all = Json::array();
    for (const LeftOut& one : nodes) all.push_back({{"node", one.node}, {"reason", one.reason}});
    return all;
  };
  Json unclear = Json::array();
  for (const std::size_t run : unclear_runs(comparison)) {
    unclear.push_back(comparison.runs[run].node);
  }
  return {{"schema", "bench-nodes/1"},
          {"exit_code", exit_code(comparison, forced)},
          {"threshold", comparison.threshold},
          {"slow", slow},
          {"suspects", suspects},
          {"longer", longer},
          {"slower_since", slower_since},
          {"all_slower_since", all_slower_since},
          {"missing", comparison.missing},
          {"waiting", comparison.waiting},
          {"ended", with_reasons(comparison.ended)},
          {"left_out", with_reasons(comparison.left_out)},
          {"unclear", unclear},
          {"absent", comparison.absent},
          {"lacking", comparison.lacking},
          {"doubts", comparison.doubts},
          {"unfinished", comparison.unfinished},
          {"unreadable", comparison.unreadable},
          {"failed", comparison.failed},
          {"unlike", comparison.unlike},
          {"notes", comparison.notes},
          {"expected", expected},
          {"kinds", kinds},
          {"cells", cells}};
}

}  // namespace bench
