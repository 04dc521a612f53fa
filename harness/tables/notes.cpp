#include "harness/tables/notes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/base/json.hpp"
#include "harness/document/doubt.hpp"
#include "harness/plan/result.hpp"
#include "harness/tables/columns.hpp"
#include "harness/words/numbers.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

/// A whole number below a million, its thousands apart.
std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  if (digits.size() > 3) digits.insert(digits.size() - 3, no_break_space);
  return digits;
}

double two_digits(double value) {
  const double unit = value < 100 ? 1 : std::pow(10, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

/// Two digits or, from 100 on, all: 3.1, 42, 310; 1 for 1.04.
std::string short_number(double value, Language language) {
  std::string digits = fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0);
  if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
  return localised(digits, language);
}

/// `12 kB`, `3.1 MB`
std::string bytes_text(double bytes, Language language) {
  const bool kilo = bytes < 999.5e3;
  return short_number(bytes / (kilo ? 1e3 : 1e6), language) + no_break_space +
         say(language, kilo ? phrases::kilobyte : phrases::megabyte);
}

// What would be rounded up to the next unit has it already.
constexpr double first_million = 995e3;
constexpr double first_billion = 999.5e6;

bool in_millions(double value) { return value >= first_million && value < first_billion; }

double smallest(const CrossoverRecord& entry) {
  return static_cast<double>(entry.points.front().elements);
}

double largest(const CrossoverRecord& entry) {
  return static_cast<double>(entry.points.back().elements);
}

/// A size that was measured, exact below a million.
std::string measured_text(double elements, Language language) {
  return elements < first_million ? grouped(elements) : elements_text(elements, language);
}

/// ` (31 000 … 55 000)`. Where all is in millions, that has been said.
std::string interval_text(const CrossoverRecord& entry, Language language) {
  const auto [low, high] = entry.ci95;
  const auto millions = [](const std::optional<std::size_t>& value) {
    return value && in_millions(static_cast<double>(*value));
  };
  const auto end = [&](const std::optional<std::size_t>& value, const Phrase& open, double bound) {
    return value ? elements_text(static_cast<double>(*value), language)
                 : say(language, open, measured_text(bound, language));
  };
  if (millions(low) && millions(entry.size) && millions(high)) {
    return fmt::format(" ({} … {})", short_number(static_cast<double>(*low) / 1e6, language),
                       short_number(static_cast<double>(*high) / 1e6, language));
  }
  return fmt::format(" ({} … {})", end(low, phrases::below, smallest(entry)),
                     end(high, phrases::above, largest(entry)));
}

/// `from 42 000 elements on (31 000 … 55 000)`. The second of two sizes goes without the word
/// `elements`.
std::string size_text(const CrossoverRecord& entry, bool first, Language language) {
  switch (entry.verdict) {
    case CrossoverVerdict::from:
      if (!entry.size) {
        return say(language, first ? phrases::latest_from_elements_on : phrases::latest_from_on,
                   elements_text(static_cast<double>(*entry.ci95[1]), language));
      }
      return say(language, first ? phrases::from_elements_on : phrases::from_on,
                 elements_text(static_cast<double>(*entry.size), language),
                 interval_text(entry, language));
    case CrossoverVerdict::always:
      return say(language, first ? phrases::always_from_elements_on : phrases::always_from_on,
                 measured_text(smallest(entry), language));
    case CrossoverVerdict::never:
    case CrossoverVerdict::unclear:
      break;
  }
  return say(language, phrases::up_to_elements, measured_text(largest(entry), language));
}

bool end_to_end(const CrossoverRecord& entry) { return entry.scope == Scope::end_to_end; }

/// The same with transfers or without.
const CrossoverRecord* partner(const std::vector<CrossoverRecord>& crossovers,
                               const CrossoverRecord& entry) {
  const auto found = std::find_if(crossovers.begin(), crossovers.end(), [&](const auto& other) {
    return end_to_end(other) != end_to_end(entry) && other.workload == entry.workload &&
           other.dtype == entry.dtype && other.bins == entry.bins && other.steps == entry.steps &&
           other.parameters == entry.parameters;
  });
  return found == crossovers.end() ? nullptr : &*found;
}

std::string subject(const CrossoverRecord& entry, Language language) {
  const std::string name = fmt::format("{} {}", entry.workload, name_of(entry.dtype));
  return entry.bins ? say(language, phrases::bins, name, std::to_string(*entry.bins)) : name;
}

/// The sentences of a verdict.
struct Says {
  const Phrase& kernel;
  const Phrase& with_transfers;
  const Phrase& too;  ///< as a second part, where both scopes have the same size
  const Phrase& and_with_transfers;
};

const Says& says(CrossoverVerdict verdict) {
  static const Says wins{phrases::gpu_wins, phrases::gpu_wins_with_transfers,
                         phrases::with_transfers_too, phrases::and_with_transfers};
  static const Says never{phrases::gpu_never_wins, phrases::gpu_never_wins_with_transfers,
                          phrases::nor_with_transfers, phrases::and_never_with_transfers};
  static const Says unclear{phrases::gpu_not_shown, phrases::gpu_not_shown_with_transfers,
                            phrases::nor_with_transfers, phrases::and_not_shown_with_transfers};
  if (verdict == CrossoverVerdict::never) return never;
  return verdict == CrossoverVerdict::unclear ? unclear : wins;
}

bool same_size(const CrossoverRecord& entry, const CrossoverRecord& other) {
  return entry.verdict == other.verdict && entry.verdict != CrossoverVerdict::from &&
         smallest(entry) == smallest(other) && largest(entry) == largest(other);
}

/// `with_transfers` is null where that was not measured.
std::string line(const CrossoverRecord& entry, const CrossoverRecord* with_transfers,
                 Language language) {
  const Says& mine = says(entry.verdict);
  std::string text = say(language, end_to_end(entry) ? mine.with_transfers : mine.kernel,
                         subject(entry, language), size_text(entry, true, language));
  if (with_transfers == nullptr) return text;
  if (same_size(entry, *with_transfers)) return text + say(language, mine.too);
  return text + say(language, says(with_transfers->verdict).and_with_transfers,
                    size_text(*with_transfers, false, language));
}

bool asked_for(const Row& row, bool Selection::*what) {
  const auto& selection = row.document->context.run.selection;
  return selection && (*selection).*what;
}

/// The case's own reason, or the node's; empty if energy was not asked for, or it has an energy.
Reason why_no_energy(const Row& row) {
  const CaseRecord& one = *row.result;
  if (one.energy || !asked_for(row, &Selection::energy)) return "";
  const Machine& machine = row.document->context.machine;
  const auto& of_node = one.on_gpu() ? machine.gpu_energy_reason : machine.energy_reason;
  return one.energy_reason.value_or(of_node.value_or(Reason()));
}

}  // namespace

std::string l2_text(const std::vector<Row>& rows, Language language) {
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    const bool counts = one.measured() && one.on_gpu() && one.scope == Scope::kernel &&
                        one.cache == CacheMode::cold && one.memory_bound;
    const auto& gpu = row.document->context.machine.gpu;
    if (!counts || !gpu || !gpu->l2_bytes || one.footprint_bytes == 0) continue;
    const auto l2_bytes = static_cast<double>(*gpu->l2_bytes);
    const auto bytes = static_cast<double>(one.footprint_bytes);
    if (bytes >= beyond_l2 * l2_bytes) continue;
    const double needed = static_cast<double>(one.elements) * beyond_l2 * l2_bytes / bytes;
    return say(language, bytes <= l2_bytes ? phrases::all_in_l2 : phrases::in_l2,
               bytes_text(bytes, language), bytes_text(l2_bytes, language),
               elements_text(needed, language));
  }
  return "";
}

std::string launch_text(const std::vector<Row>& rows, Language language) {
  constexpr double mostly = 2;
  std::set<std::string> names;
  double launch = 0;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    if (!one.measured() || !one.on_gpu() || one.scope != Scope::kernel) continue;
    const bool batches = one.batch.value_or(1) > 1;
    const auto& gpu = row.document->context.machine.gpu;
    if (!gpu) continue;
    const auto& known = batches ? gpu->launch_s : gpu->event_floor_s;
    if (!known || one.seconds->median >= mostly * *known) continue;
    launch = *known;
    names.insert(one.rung());
  }
  if (names.empty()) return "";
  return say(language, phrases::launch_bound, fmt::format("{}", fmt::join(names, ", ")),
             duration(launch, language));
}

std::string first_call_text(const std::vector<Row>& rows, Language language) {
  constexpr double remarkable = 100;
  constexpr double noticeable = 1e-3;  // seconds
  constexpr double longest_wait = 1;   // for a processor, on a busy node
  const bool others = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.result->measured() && waited_share(*row.result) > 0;
  });
  const Row* slowest = nullptr;
  double most = remarkable;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    if (!one.measured() || one.first_use_s.value_or(0) < (others ? longest_wait : noticeable))
      continue;
    // A user kernel is called across processes, and hot samples follow each other: other clocks.
    if (one.guest || one.cache == CacheMode::hot || one.seconds->median <= 0) continue;
    const double times = *one.first_use_s / one.seconds->median;
    if (times < most) continue;
    most = times;
    slowest = &row;
  }
  if (slowest == nullptr) return "";
  return say(language, phrases::first_call_took, row_label(*slowest),
             duration(*slowest->result->first_use_s, language), grouped(two_digits(most)));
}

std::string noise_text(const std::vector<Row>& rows, Language language) {
  constexpr double tolerable = 0.05;
  constexpr std::size_t most_named = 3;
  std::vector<std::pair<double, std::string>> noisy;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    if (!one.measured() || one.seconds->stop != Stop::max_time) continue;
    // Of the interval that the row shows.
    const auto& [low, high] = one.seconds->ci95;
    const double noise = one.seconds->median > 0 ? (high - low) / 2 / one.seconds->median : 0;
    if (noise > tolerable) noisy.emplace_back(noise, row_label(row));
  }
  if (noisy.empty()) return "";
  std::stable_sort(noisy.begin(), noisy.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> names;
  for (const auto& [noise, name] : noisy) {
    if (names.size() == most_named) break;
    constexpr double no_number = 10;  // the interval says nothing
    names.push_back(noise < no_number ? fmt::format("{} (±{})", name, percent(noise, language))
                                      : fmt::format("{} (> ±999{}%)", name, no_break_space));
  }
  if (noisy.size() > most_named) {
    names.push_back(say(language, phrases::and_more, std::to_string(noisy.size() - most_named)));
  }
  return say(language, phrases::noisy, fmt::format("{}", fmt::join(names, ", ")));
}

std::string executions_text(const std::vector<Row>& rows, Language language) {
  const Row* most = nullptr;
  const auto executions = [](const Row& row) -> const std::optional<ExecutionsRecord>& {
    return row.result->seconds->executions;
  };
  for (const Row& row : rows) {
    if (!row.result->measured() || !executions(row)) continue;
    const bool more =
        most == nullptr || executions(row)->for_one_percent > executions(*most)->for_one_percent;
    if (more) most = &row;
  }
  if (most == nullptr) return "";
  const ExecutionsRecord& found = *executions(*most);
  return say(language, phrases::executions_scatter, found.samples.size(), row_label(*most),
             percent(found.between, language), grouped(static_cast<double>(found.for_one_percent)));
}

std::string energy_text(const std::vector<Row>& rows, Language language) {
  std::map<Reason, std::vector<std::string>> by_reason;
  std::size_t told = 0;
  for (const Row& row : rows) {
    if (!row.result->measured()) continue;
    told += row.result->energy ? 1 : 0;
    const Reason reason = why_no_energy(row);
    if (!reason.empty()) by_reason[reason].push_back(row_label(row));
  }
  std::vector<std::string> sentences;
  for (const auto& [reason, names] : by_reason) {
    const std::string why = translated(reason, language);
    const bool all = told == 0 && by_reason.size() == 1;
    sentences.push_back(
        all ? say(language, phrases::no_energy, why)
            : say(language, phrases::no_energy_of, fmt::format("{}", fmt::join(names, ", ")), why));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string counters_text(const std::vector<Row>& rows, Language language) {
  bool scaled = false;
  Reason reason;
  for (const Row& row : rows) {
    const CaseRecord& one = *row.result;
    if (!asked_for(row, &Selection::counters) || !one.measured() || one.on_gpu()) continue;
    scaled = scaled || (one.counters && one.counters->scaled);
    if (!one.counters) reason = row.document->context.machine.counters_reason.value_or("");
  }
  if (!reason.empty()) return say(language, phrases::no_counters, translated(reason, language));
  return scaled ? say(language, phrases::counters_scaled) : "";
}

std::string elements_text(double elements, Language language) {
  if (elements < first_million) return grouped(two_digits(elements));
  if (in_millions(elements)) {
    return short_number(elements / 1e6, language) + say(language, phrases::million);
  }
  const std::string digits = short_number(elements / 1e9, language);
  return digits == "1" ? "10⁹" : digits + "·10⁹";
}

std::vector<std::string> crossover_texts(const std::vector<CrossoverRecord>& crossovers,
                                         const CaseRecord& of, Language language) {
  std::vector<std::string> texts;
  for (const CrossoverRecord& entry : crossovers) {
    const bool same =
        entry.workload == of.workload && entry.dtype == of.dtype && entry.cache == of.cache;
    if (!same) continue;
    const CrossoverRecord* const other = partner(crossovers, entry);
    if (end_to_end(entry) && other != nullptr) continue;
    texts.push_back(line(entry, other, language));
  }
  return texts;
}

std::string scaling_text(const ScalingRecord& entry, Language language) {
  std::string text;
  for (const ScalingPoint& point : entry.points) {
    const bool first = &point == &entry.points.front();
    const bool sure = !point.doubtful;
    text += (first ? "" : ", ") +
            say(language, phrases::speedup_on,
                (sure ? "" : "~") + localised(fmt::format("{:.2f}", point.speedup.value), language),
                std::to_string(point.threads));
    if (!first && sure) text += fmt::format(" ({})", whole_percent(point.efficiency, language));
  }
  if (entry.enough_threads && *entry.enough_threads < entry.points.back().threads) {
    text += say(language, phrases::more_do_not_help, std::to_string(*entry.enough_threads));
  }
  return say(language, phrases::scaling_of, entry.backend + "/" + entry.variant, text);
}

}  // namespace bench
