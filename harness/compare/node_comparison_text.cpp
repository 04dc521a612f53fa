// What a comparison looks like for people: a table of each hardware, what was found, a conclusion.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/text.hpp"
#include "harness/compare/finding_text.hpp"
#include "harness/compare/node_comparison.hpp"
#include "harness/words/labelled.hpp"
#include "harness/words/numbers.hpp"

namespace bench {
namespace {

constexpr std::size_t most_rows = 40;

char mark(NodeVerdict verdict) {
  return verdict == NodeVerdict::slow      ? '!'
         : verdict == NodeVerdict::fast    ? '+'
         : verdict == NodeVerdict::unclear ? '?'
                                           : ' ';
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

/// The tables of one kind of hardware.
class Tables {
 public:
  Tables(const NodeComparison& comparison, std::size_t kind)
      : comparison_(comparison), kind_(comparison.kinds[kind]), names_width_(columns(slow_from)) {
    for (const Cell& cell : comparison.cells) cells_[{cell.run, cell.column}] = &cell;
    for (std::size_t i = 0; i < comparison.middles.size(); ++i) {
      const Cell& middle = comparison.cells[comparison.middles[i]];
      if (middle.kind == kind) middles_[middle.column] = {&middle, comparison.slow_from[i]};
    }
    choose_rows();
    for (const std::size_t run : rows_) {
      names_width_ = std::max(names_width_, comparison.runs[run].node.size());
    }
  }

  std::string text() const {
    std::string text = fmt::format("{}{}{} · {}{}\n", hardware_text(kind_.cpu_model, kind_.gpu),
                                   kind_.amounts.empty() ? "" : " · ", kind_.amounts,
                                   nodes_text(hosts_of(kind_.runs)), passes());
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
      text += fmt::format("  … and {} that are unremarkable (--format csv has all)\n",
                          nodes_text(left_out_));
    }
    return text;
  }

 private:
  static constexpr const char* median = "median";
  static constexpr const char* slow_from = "slow from";

  /// Each GPU of a node is a run.
  std::size_t hosts_of(const std::vector<std::size_t>& runs) const {
    std::set<std::string> hosts;
    for (const std::size_t run : runs) hosts.insert(comparison_.runs[run].host);
    return hosts.size();
  }

  /// How often the nodes were measured, where that is more than once.
  std::string passes() const {
    std::size_t most = 1;
    for (const std::size_t run : kind_.runs) most = std::max(most, comparison_.runs[run].passes);
    return most > 1 ? fmt::format(" · {} repetitions", most) : "";
  }

  const Cell* cell(std::size_t run, std::size_t column) const {
    const auto found = cells_.find({run, column});
    return found == cells_.end() ? nullptr : found->second;
  }

  /// All nodes, or those that there is something to say of, the slowest first.
  void choose_rows() {
    rows_ = kind_.runs;
    if (rows_.size() <= most_rows) return;
    std::set<std::string> unclear;
    for (const Finding& one : comparison_.found({Found::unclear})) {
      unclear.insert(one.nodes.begin(), one.nodes.end());
    }
    std::map<std::size_t, std::pair<int, double>> worst;
    for (const std::size_t run : rows_) {
      const int of_node = unclear.contains(comparison_.runs[run].node) ? 1 : 0;
      for (std::size_t column = 0; column < comparison_.columns.size(); ++column) {
        const Cell* one = cell(run, column);
        if (one == nullptr) continue;
        const int urgency = one->verdict == NodeVerdict::slow ? 2 : of_node;
        worst[run] = std::max(worst[run], {urgency, one->ratio.value});
      }
    }
    for (const Finding& one : comparison_.found({Found::suspect})) {
      auto& its = worst[comparison_.cells[one.cells.front()].run];
      its = std::max(its, {1, one.ratio.value});
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
    return 1 + std::max({columns(one.workload) + 1, columns(short_size(one.size)) + 1, narrowest});
  }

  bool fits(const std::vector<std::size_t>& together, std::size_t column) const {
    std::size_t used = 2 + names_width_ + width(column);
    for (const std::size_t one : together) used += width(one);
    return used <= page_width;
  }

  std::string table(const std::vector<std::size_t>& together) const {
    const Column& first = comparison_.columns[together.front()];
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
    line("", [&](std::size_t column) { return comparison_.columns[column].workload + " "; });
    line("",
         [&](std::size_t column) { return short_size(comparison_.columns[column].size) + " "; });
    line(median, [&](std::size_t column) {
      return duration(middles_.at(column).first->time.seconds) + " ";
    });
    line(slow_from, [&](std::size_t column) {
      const auto from = middles_.at(column).second;
      return from ? fmt::format("{:.2f} ", *from) : "– ";
    });
    for (const std::size_t run : rows_) {
      line(comparison_.runs[run].node, [&](std::size_t column) {
        const Cell* one = cell(run, column);
        if (one == nullptr) return std::string("– ");
        return fmt::format("{:.2f}{}", one->ratio.value, mark(one->verdict));
      });
    }
    return text;
  }

  const NodeComparison& comparison_;
  const HardwareClass& kind_;
  std::map<std::pair<std::size_t, std::size_t>, const Cell*> cells_;
  std::map<std::size_t, std::pair<const Cell*, std::optional<double>>> middles_;
  std::vector<std::size_t> rows_;
  std::size_t left_out_ = 0;
  std::size_t names_width_;
};

std::string limit_text(const char* limit, const Json& one) {
  const Json& half = one["quartiles"];
  return fmt::format("{} {}× ({} to {})", limit, ratio(one["value"].get<double>()),
                     ratio(half[0].get<double>()), ratio(half[1].get<double>()));
}

/// What of a slow node is slow.
std::string limits_text(const Json& limits) {
  static const std::map<std::string, const char*> causes{
      {"memory", ": its memory is slow, its cores are not"},
      {"computing", ": its cores are slow (see clock, power limit, neighbours), its memory is not"},
      {"both", ": memory and cores are slow"},
      {"unknown", ""}};
  std::string text = fmt::format("{}time over that of the others (the middle half of {} cases): {}",
                                 limits["of"] == "gpu" ? "GPU, " : "",
                                 limits["memory"]["cases"].get<std::size_t>(),
                                 limit_text("memory", limits["memory"]));
  if (!limits["in_cache"].is_null()) {
    text += "; " + limit_text("the same code in the nearest cache", limits["in_cache"]);
  }
  return text + causes.at(limits["slow"].get<std::string>());
}

std::string slow_text(const NodeComparison& comparison, const Finding& node) {
  constexpr std::size_t most_named = 4;
  std::string where;
  for (std::size_t i = 0; i < std::min(node.cells.size(), most_named); ++i) {
    const Cell& cell = comparison.cells[node.cells[i]];
    where +=
        fmt::format("{}{} {} ({})", i > 0 ? ", " : "", comparison.columns[cell.column].workload,
                    ratio_text(cell.ratio), cell.time.variant);
  }
  if (node.cells.size() > most_named) {
    where += fmt::format(" and {} more", node.cells.size() - most_named);
  }
  constexpr std::size_t indent = 5;
  const auto below = [](const char* label, const std::string& text) {
    return std::string(indent, ' ') + labelled(label, text, indent) + "\n";
  };
  std::string text =
      wrapped(fmt::format("SLOW {}: {} the time of the median node", node.nodes.front(), where),
              page_width, indent) +
      "\n";
  text += below("differs", node.differs.empty()
                               ? "its result file shows no difference; try 'bench doctor' there, "
                                 "then its memory and cooling"
                               : differences_text(node.differs));
  for (const Json& limits : node.values["limits"]) text += below("limits", limits_text(limits));
  return text;
}

std::string slow_nodes_text(const NodeComparison& comparison) {
  const Findings slow = comparison.found({Found::slow});
  std::string text;
  for (std::size_t i = 0; i < std::min(slow.size(), most_rows); ++i) {
    text += slow_text(comparison, slow[i]);
  }
  if (slow.size() > most_rows) {
    text += fmt::format("SLOW: and {} more (--format csv has all)\n", slow.size() - most_rows);
  }
  return text;
}

/// A line for each kind of nodes and what it is expected to be like.
std::string expectation_text(const Findings& all) {
  std::vector<std::pair<Json, std::string>> lines;
  for (const Finding& one : all) {
    const Json& values = one.values;
    const Json key{values["cpu_model"], values["gpu"], values["file"], values["recorded_runs"]};
    const bool next = lines.empty() || lines.back().first != key;
    if (next) lines.emplace_back(key, "");
    lines.back().second += (next ? "" : ", ") + sentence(one);
  }
  std::string text;
  for (const auto& [key, line] : lines) {
    const auto others = key[3].get<std::size_t>() - 1;
    text += labelled("expected",
                     fmt::format("the median node takes, of the time in {}{}: {}",
                                 key[2].get<std::string>(),
                                 others > 0 ? fmt::format(" and {} more", others) : "", line)) +
            "\n";
  }
  return text;
}

/// Nodes that have the same reason as one, in the order of the reasons.
Findings by_reason(const Findings& all) {
  std::map<std::string, Finding> found;
  for (const Finding& one : all) {
    const auto [same, is_new] = found.try_emplace(one.values["reason"].get<std::string>(), one);
    if (!is_new) same->second.nodes.push_back(one.nodes.front());
  }
  Findings sorted;
  for (const auto& [reason, one] : found) sorted.push_back(one);
  return sorted;
}

/// The lines of one list of findings.
std::string list_text(const NodeComparison& comparison, const Wording& wording) {
  constexpr std::size_t most_lines = 20;
  const Findings found = of_list(comparison.findings, wording.list);
  switch (wording.key) {
    case Found::slow:
      return slow_nodes_text(comparison);
    case Found::expected:
      return expectation_text(found);
    case Found::unclear:
      return found.empty() ? "" : labelled(wording.label, sentence(found.front())) + "\n";
    default:
      break;
  }
  const bool with_reason = wording.key == Found::ended || wording.key == Found::left_out;
  std::vector<std::string> lines;
  for (const Finding& one : with_reason ? by_reason(found) : found) lines.push_back(sentence(one));
  return each_labelled(wording.label, lines, most_lines);
}

/// The last line, which alone may be read: it agrees with the exit code.
std::string conclusion(const NodeComparison& comparison) {
  std::set<std::string> there;
  std::set<std::string> with_time;
  for (const NodeRun& run : comparison.runs) {
    there.insert(run.host);
    if (!run.times.empty()) with_time.insert(run.host);
  }
  const std::size_t measured = with_time.size();
  const Findings expected = comparison.found({Found::expected});
  const auto slower = std::count_if(expected.begin(), expected.end(), [](const Finding& one) {
    return one.verdict == NodeVerdict::slow;
  });
  const auto nodes = [&](std::initializer_list<Found> keys) {
    std::set<std::string> found;
    for (const Finding& one : comparison.found(keys)) {
      found.insert(one.nodes.begin(), one.nodes.end());
    }
    return found.size();
  };
  std::string text =
      comparison.compared
          ? fmt::format("{} compared, {} slow", nodes_text(measured), nodes({Found::slow}))
          : nodes_text(measured) + " measured, no equal node to compare with";
  if (slower > 0) {
    text += fmt::format(", slower than expected in {} of {} columns", slower, expected.size());
  }
  const auto add = [&](std::size_t count, const char* what) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  };
  add(there.size() - measured, "without any time");
  add(nodes({Found::absent, Found::lacking}), "with something absent or lacking");
  add(comparison.found({Found::ended}).size(), "failed");
  add(nodes({Found::missing}), "missing");
  add(nodes({Found::waiting}), "waiting");
  add(nodes({Found::slower_since}), "slower than before");
  if (nodes({Found::all_slower_since}) > 0) text += ", all slower than before";
  add(nodes({Found::suspect}), "suspected");
  add(nodes({Found::unclear}), "unclear");
  return wrapped(text, page_width, 2);
}

}  // namespace

std::string node_comparison_text(const NodeComparison& comparison) {
  std::string text =
      "time of each node's best variant ÷ that of the median node of its hardware\n" +
      wrapped(fmt::format("! slow, + fast: the whole interval is outside ±{}\u00A0%; ? unclear: a "
                          "part of it; slow from: the ratio from which on a node is slow",
                          figure(100 * comparison.threshold, 3)),
              page_width, 0) +
      "\n";
  for (std::size_t kind = 0; kind < comparison.kinds.size(); ++kind) {
    text += "\n" + Tables(comparison, kind).text();
  }
  text += '\n';
  std::string_view list;
  for (const Wording& one : wordings()) {
    if (list != one.list) text += list_text(comparison, one);
    list = one.list;
  }
  return with_plain_blanks(text + conclusion(comparison) + "\n");
}

}  // namespace bench
