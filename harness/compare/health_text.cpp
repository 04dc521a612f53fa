#include "harness/compare/health_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/base/utf8.hpp"
#include "harness/compare/finding_text.hpp"

namespace bench {
namespace {

std::string ratio_text(const PartHealth& part) {
  return fmt::format("{} {:.2f}x", part.name, part.ratio.value);
}

/// `memory 1.31x [1.27, 1.35] of expected (copy, hypot)`
std::string with_interval(const PartHealth& part, bool with_workloads) {
  const auto& [low, high] = part.ratio.ci95;
  std::string text = fmt::format("{} [{:.2f}, {}] of {}", ratio_text(part), low,
                                 high > 100 ? "> 100" : fmt::format("{:.2f}", high), part.of);
  if (with_workloads && !part.workloads.empty())
    text += fmt::format(" ({})", fmt::join(part.workloads, ", "));
  return text;
}

/// The pieces of the line, the most urgent first.
std::vector<std::string> pieces(const Health& health, bool with_workloads) {
  std::vector<std::string> all;
  const auto add = [&](const char* list) {
    for (const Finding& one : of_list(health.findings, list)) all.push_back(sentence(one));
  };
  add("health");
  for (const PartHealth& part : health.parts) {
    if (part.verdict != NodeVerdict::same) all.push_back(with_interval(part, with_workloads));
  }
  add("at work");
  add("not compared");
  for (const PartHealth& part : health.parts) {
    if (part.verdict == NodeVerdict::same) all.push_back(ratio_text(part));
  }
  add("reference");
  if (health.word == HealthWord::ok && !health.parts.empty()) {
    const auto last = std::max_element(
        health.parts.begin(), health.parts.end(),
        [](const PartHealth& a, const PartHealth& b) { return a.slow_from < b.slow_from; });
    all.push_back(fmt::format("slow from {:.2f}x", last->slow_from));
  }
  return all;
}

/// The text, or its beginning and two dots: at most that many bytes.
std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most - 2;
  while (end > 0 && continues_character(text[end])) --end;
  return text.substr(0, end) + "..";
}

/// As many pieces as fit; nothing where not all do, or, if some may be left out, not even the
/// first.
std::optional<std::string> fitted(std::string line, const std::vector<std::string>& pieces,
                                  const std::string& end, std::size_t most, bool all) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t left = pieces.size() - i - 1;
    const std::string next = (i == 0 ? " " : ", ") + pieces[i];
    const std::string rest = left == 0 ? "" : fmt::format(", +{}", left);
    if ((line + next + rest + end).size() > most) {
      if (i == 0 || all) return {};
      return fmt::format("{}, +{}{}", line, left + 1, end);
    }
    line += next;
  }
  return line + end;
}

}  // namespace

std::string health_line(const std::string& node, const Health& health, double seconds) {
  constexpr std::size_t most = 80;
  constexpr std::size_t longest_name = 24;
  const std::string begin =
      fmt::format("{} {}", shortened(node, longest_name), name_of(health.word));
  const std::string end = fmt::format("; {:.0f} s", std::ceil(seconds));
  for (const bool whole : {true, false}) {
    for (const bool with_workloads : {true, false}) {
      const auto line = fitted(begin, pieces(health, with_workloads), end, most, whole);
      if (line) return *line;
    }
  }
  const auto all = pieces(health, false);
  if (all.empty()) return begin + end;
  const std::size_t room = most - (begin + " " + end).size();
  return begin + " " + shortened(all.front(), room) + end;
}

std::string performance_data(const Health& health, double seconds) {
  std::string text = fmt::format("time={:.1f}s", seconds);
  for (const PartHealth& one : health.parts)
    text += fmt::format(" '{}'={:.3f};{:.3f}", one.name, one.ratio.value, one.slow_from);
  return text;
}

std::string health_metrics(const std::string& node, const Health& health, int code, double seconds,
                           const CheckTimes& times) {
  const auto quoted = [](const std::string& text) { return Json(text).dump(); };
  const std::string of_node = "node=" + quoted(node);
  std::string text;
  const auto metric = [&text](const char* name, const char* help) {
    text += fmt::format("# HELP bench_check_{0} {1}\n# TYPE bench_check_{0} gauge\n", name, help);
  };
  const auto value = [&](const char* name, const std::string& labels, double figure) {
    text += fmt::format("bench_check_{}{{{}{}}} {:.6g}\n", name, of_node,
                        labels.empty() ? "" : "," + labels, figure);
  };
  metric("status", "1 for the word of the last check, 0 for the others.");
  for (const auto& [word, name] : NamesOf<HealthWord>::all) {
    value("status", fmt::format("status=\"{}\"", name), word == health.word ? 1 : 0);
  }
  metric("exit_code", "Exit code of the last check.");
  value("exit_code", "", code);
  const auto of_parts = [&](const char* name, const char* help, auto figure) {
    metric(name, help);
    for (const PartHealth& one : health.parts) value(name, "part=" + quoted(one.name), figure(one));
  };
  of_parts("ratio", "Time of a part of the node over that of its reference.",
           [](const PartHealth& part) { return part.ratio.value; });
  of_parts("ratio_low", "Lower end of the interval of the ratio.",
           [](const PartHealth& part) { return part.ratio.ci95.low; });
  of_parts("ratio_high", "Upper end of the interval of the ratio.",
           [](const PartHealth& part) { return part.ratio.ci95.high; });
  of_parts("slow_from_ratio", "Ratio from which on the part is SLOW.",
           [](const PartHealth& part) { return part.slow_from; });
  of_parts("passes", "How often the part was measured, spread over the check.",
           [](const PartHealth& part) { return static_cast<double>(part.passes); });
  metric("duration_seconds", "How long the last check took.");
  value("duration_seconds", "", seconds);
  const auto moment = [&](const char* name, const char* help, double when) {
    metric(name, help);
    text += fmt::format("bench_check_{}{{{}}} {:.0f}\n", name, of_node, when);
  };
  moment("end_timestamp_seconds", "When the last check ended, in seconds since 1970.", times.ended);
  moment("verdict_timestamp_seconds",
         "When the last check ended that said OK, SLOW, ABSENT or WRONG; 0: none has.",
         times.verdict);
  return text + "# EOF\n";
}

double last_verdict(const std::string& metrics) {
  const std::size_t line = metrics.find("\nbench_check_verdict_timestamp_seconds{");
  const std::size_t value = line == std::string::npos ? line : metrics.find("} ", line);
  return value == std::string::npos ? 0 : std::strtod(metrics.c_str() + value + 1, nullptr);
}

}  // namespace bench
