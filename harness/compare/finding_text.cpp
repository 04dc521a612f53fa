#include "harness/compare/finding_text.hpp"

#include <fmt/args.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "harness/base/text.hpp"
#include "harness/node/nodelist.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

constexpr Wording all_wordings[] = {
    {Found::slow, "slow", "SLOW", ""},
    {Found::suspect, "suspects", "suspect",
     "{nodes}: {ratio} the time of the median node, slower in {slower_columns} of {columns} "
     "columns ({what})"},
    {Found::slower_since, "slower_since", "slower than before",
     "{nodes}: {ratio} since {since} ({what}){changed}"},
    {Found::all_slower_since, "all_slower_since", "slower than before",
     "all nodes ({hardware}): {ratio} since {since} ({what}){changed}"},
    {Found::expected, "expected", "expected", "{ratio}{verdict}"},
    {Found::failed, "failed", "wrong", "{nodes}: {case}: {reason}"},
    {Found::missing, "missing", "missing", "{nodes}"},
    {Found::waiting, "waiting", "waiting", "{nodes}: no job has begun there (squeue says why)"},
    {Found::ended, "ended", "failed", "{nodes}: {reason}"},
    {Found::left_out, "left_out", "left out", "{nodes}: {reason}"},
    {Found::absent, "absent", "absent", "{nodes}: {what} of {workload} {size}{more}: {reason}"},
    {Found::lacking, "lacking", "lacking", "{nodes}: {differs}"},
    {Found::still_running, "unfinished", "unfinished",
     "{nodes}: still running, or killed, {file} (bench --resume continues there)"},
    {Found::ended_by, "unfinished", "unfinished",
     "{nodes}: ended by {signal}, {file} (bench --resume continues there)"},
    {Found::unreadable, "unreadable", "unreadable", "{reason}"},
    {Found::unlike, "unlike", "not comparable", "{name}: {own} ({nodes}), others {others}"},
    {Found::unclear, "unclear", "unclear",
     "{count} ({nodes}): the interval reaches beyond {percent}\u00A0%; measure again, with the "
     "node alone or longer (--min-time 5 --max-time 20)"},
    {Found::longer, "longer", "warning",
     "{nodes}: a repetition takes {seconds}\u00A0s (others {others_seconds}\u00A0s), although no "
     "time in the tables is slow: it may be throttled between samples"},
    {Found::warned, "doubts", "warning", "{nodes}: {reasons}"},
    {Found::warned_in_some, "doubts", "warning",
     "{nodes}: in {said} of {passes} repetitions: {reasons}"},
    {Found::measured_once, "doubts", "warning",
     "{nodes}: slow, but measured only once, so it may be transient: repeat the measurement "
     "(jobs/submit nodes does so three times)"},
    {Found::several_surveys, "notes", "note",
     "runs of one node are in several folders ({folders}): for separate surveys, pass one folder"},
    {Found::other_runs, "notes", "note",
     "{count} other run{s} of the same nodes left out: the newest finished one of each counts"},
    {Found::one_node_twice, "notes", "note",
     "all runs are of one node: bench compare {first} {second} compares two of them"},
    {Found::looked_back, "notes", "note",
     "each node is compared with itself in {surveys} earlier surveys, from {first} to {last}; what "
     "is common to all nodes is removed"},
    {Found::not_there_before, "notes", "note",
     "not there before, or with other hardware or sizes, so left out: {nodes}"},
    {Found::common_change, "notes", "note",
     "{cpu_model}: each node is compared with itself before; all of them now take {factor} times "
     "their earlier time (this common change is removed)"},
    {Found::left_out_before, "notes", "note",
     "not there before, or with other hardware or sizes, so left out: {each}"},
    {Found::alone, "notes", "note", "no equal node to compare with: {nodes}"},
    {Found::not_recorded, "notes", "note", "expected: no recorded run of {processor}"},
    {Found::recorded_with_threads, "notes", "note",
     "expected: the recorded run of {processor} had {then} threads, these have {now}"},
    {Found::recorded_with_sizes, "notes", "note",
     "expected: the recorded run of {processor} had other sizes"},
    // Of one node, whose parts a line of its health has in this order.
    {Found::wrong, "health", "", "{case}: {reason}"},
    {Found::lacks, "health", "", "{part}{lacks}"},
    {Found::no_reference, "health", "", "no reference for {hardware}"},
    {Found::other_build, "health", "", "the reference is of another build of bench"},
    {Found::gpus_unseen, "health", "", "the reference has GPUs, for which this bench cannot look"},
    {Found::nothing_measured, "health", "", "nothing measured that the reference has"},
    {Found::slow_at_first, "health", "", "slow at first only"},
    {Found::slow_unconfirmed, "health", "", "slow, no time to confirm it"},
    {Found::not_judged, "health", "", "{reason}"},
    {Found::changed_at_work, "at work", "", "{at_work}"},
    {Found::not_compared, "not compared", "", "{what} not compared"},
    {Found::unread, "reference", "", "{count} of the reference unread"}};

std::string changes_text(const Json& changes) {
  std::string text;
  for (const Json& one : changes) {
    const auto name = one["name"].get<std::string>();
    text += fmt::format("{}{} {} (before {})", text.empty() ? "" : "; ", name,
                        value_text(name, one["now"]), value_text(name, one["before"]));
  }
  return text;
}

/// `40–50`, of the least and the most.
std::string range_text(const std::vector<double>& values) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return figure(*least, 3) + (values.size() > 1 ? "–" + figure(*most, 3) : "");
}

/// `cpus 1 of 2`, `isa avx2, not avx512`
std::string lacking_text(const Difference& one) {
  std::string name = one.name == facts::cpus ? "cpus" : one.name;
  const std::string unit = (one.unit.empty() ? "" : " ") + one.unit;
  const std::string own = value_text(one.name, one.own);
  const std::string others = value_text(one.name, one.others);
  if (one.own.is_array()) {
    return fmt::format("{} not mounted", fmt::join(missing_in(one.own, one.others), ", "));
  }
  if (one.own == true) return name;
  if (one.others.is_null()) return fmt::format("{}: {}{}", name, own, unit);
  if (!one.amount) return fmt::format("{} {}, not {}", name, own, others);
  return fmt::format("{} {} of {}{}", name, own, others, unit);
}

/// A setting, which may be as long as a compiler's options.
std::string setting_text(const std::string& value) {
  constexpr std::size_t longest = 40;
  if (value.empty()) return "unknown";
  return value.size() > longest ? value.substr(0, longest) + "…" : value;
}

/// A value of a finding.
std::string place_text(const Finding& one, const std::string& name) {
  const Json& value = one.values[name];
  if (name == "changed") return value.empty() ? "" : "; " + changes_text(value);
  if (name == "seconds") return range_text(value.get<std::vector<double>>());
  if (name == "factor") return ratio(value.get<double>());
  if (value.is_number_float()) return figure(value.get<double>(), 3);
  if (!value.is_string()) return value.dump();
  return one.key == Found::unlike ? setting_text(text_of_fact(value)) : text_of_fact(value);
}

const Wording& wording(Found key) {
  return *std::find_if(std::begin(all_wordings), std::end(all_wordings),
                       [key](const Wording& one) { return one.key == key; });
}

/// Nodes of a survey, not of its findings.
bool names_many(Found key) {
  return key == Found::alone || key == Found::missing || key == Found::waiting ||
         key == Found::ended || key == Found::left_out;
}

}  // namespace

std::span<const Wording> wordings() { return all_wordings; }

Findings of_list(const Findings& all, std::string_view list) {
  Findings found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [list](const Finding& one) { return list == wording(one.key).list; });
  return found;
}

std::string sentence(const Finding& one) {
  fmt::dynamic_format_arg_store<fmt::format_context> places;
  const auto place = [&places](const char* name, const std::string& text) {
    places.push_back(fmt::arg(name, text));
  };
  constexpr std::size_t many = 40;
  place("nodes", names_many(one.key) ? names(one.nodes, many) : names(one.nodes));
  place("each", fmt::format("{}", fmt::join(one.nodes, "; ")));
  place("differs", differences_text(one.differs));
  place("at_work", differences_text(one.differs, "at first"));
  if (one.key == Found::lacks) place("lacks", lacking_text(one.differs.front()));
  place("verdict", one.verdict == NodeVerdict::slow      ? " SLOW"
                   : one.verdict == NodeVerdict::unclear ? " unclear"
                                                         : "");
  if (one.key == Found::unclear) place("count", nodes_text(one.nodes.size()));
  if (one.key == Found::other_runs) place("s", one.values["count"] == 1 ? "" : "s");
  if (!one.reasons.empty()) place("reasons", said_together(one.reasons));
  if (!one.columns.empty()) {
    const Column& column = one.columns.front();
    const std::size_t more = one.columns.size() - 1;
    place("what", column.what);
    place("workload", column.workload);
    place("size", column.size);
    place("more", more > 0 ? fmt::format(" and {} more", more) : "");
    const bool named = column.of_limits() || one.key == Found::expected;
    place("ratio", (named ? column.workload + " " : "") + ratio_text(one.ratio));
  }
  if (one.values.contains("gpu")) {
    const std::string cpu_model = text_of_fact(one.values["cpu_model"]);
    const std::string gpu = text_of_fact(one.values["gpu"]);
    place("hardware", hardware_text(cpu_model, gpu));
    place("processor", cpu_model + (gpu.empty() ? "" : " with " + gpu));
  }
  for (const auto& [name, value] : one.values.items()) {
    place(name.c_str(), place_text(one, name));
  }
  return fmt::vformat(wording(one.key).sentence, places);
}

std::string value_text(const std::string& name, const Json& value) {
  if (name == facts::since_then) return value.empty() ? "none" : changes_text(value);
  std::string text = text_of_fact(value);
  if (!text.empty()) return text;
  return name == facts::quota ? "none" : "unknown";
}

std::string differences_text(const std::vector<Difference>& differs, const char* others) {
  std::string text;
  for (const Difference& one : differs) {
    text += fmt::format("{}{} {}{}{} ({} {})", text.empty() ? "" : "; ", one.name,
                        value_text(one.name, one.own), one.unit.empty() ? "" : " ", one.unit,
                        others, value_text(one.name, one.others));
  }
  return text;
}

std::string ratio_text(const Estimate& ratio) {
  const auto end = [](double value) {
    if (value < 0.01) return std::string("< 0.01");
    return value > 100 ? std::string("> 100") : fmt::format("{:.2f}", value);
  };
  return fmt::format("{:.2f}× [{}, {}]", ratio.value, end(ratio.ci95.low), end(ratio.ci95.high));
}

std::string names(const std::vector<std::string>& nodes, std::size_t most_ranges) {
  std::string text;
  std::size_t shown = 0;
  std::size_t more = 0;
  for (const NodeRange& range : node_ranges(nodes)) {
    if (++shown > most_ranges) {
      more += range.nodes;
    } else {
      text += (text.empty() ? "" : ", ") + range.text;
    }
  }
  return more > 0 ? fmt::format("{} and {} more", text, more) : text;
}

std::string nodes_text(std::size_t count) {
  return count == 1 ? "1 node" : fmt::format("{} nodes", count);
}

std::string hardware_text(const std::string& cpu_model, const std::string& gpu) {
  return (cpu_model.empty() ? "unknown processor" : cpu_model) + (gpu.empty() ? "" : " · " + gpu);
}

}  // namespace bench
