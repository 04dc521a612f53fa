#include "harness/tables/notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/result.hpp"
#include "harness/tables/numbers.hpp"
#include "harness/tables/phrases.hpp"

namespace bench {
namespace {

using Json = nlohmann::ordered_json;

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

// What would be rounded up to the next unit has it already.
constexpr double first_million = 995e3;
constexpr double first_billion = 999.5e6;

bool in_millions(double value) { return value >= first_million && value < first_billion; }

double smallest(const Json& entry) {
  return entry.at("points").front().at("elements").get<double>();
}

double largest(const Json& entry) { return entry.at("points").back().at("elements").get<double>(); }

/// A size that was measured, exact below a million.
std::string measured_text(double elements, Language language) {
  return elements < first_million ? grouped(elements) : elements_text(elements, language);
}

/// ` (31 000 … 55 000)`. Where all is in millions, that has been said.
std::string interval_text(const Json& entry, Language language) {
  const Json& low = entry.at("ci95").at(0);
  const Json& high = entry.at("ci95").at(1);
  const Json& size = entry.at("size");
  const auto millions = [](const Json& value) {
    return value.is_number() && in_millions(value.get<double>());
  };
  if (millions(low) && millions(size) && millions(high)) {
    return fmt::format(" ({} … {})", short_number(low.get<double>() / 1e6, language),
                       short_number(high.get<double>() / 1e6, language));
  }
  return fmt::format(
      " ({} … {})",
      low.is_number() ? elements_text(low.get<double>(), language)
                      : say(language, phrases::below, measured_text(smallest(entry), language)),
      high.is_number() ? elements_text(high.get<double>(), language)
                       : say(language, phrases::above, measured_text(largest(entry), language)));
}

/// `from 42 000 elements on (31 000 … 55 000)`. Where the GPU wins everywhere or nowhere, there is
/// an interval only if that is not sure. The second of two sizes goes without the word `elements`.
std::string size_text(const Json& entry, bool first, Language language) {
  const std::string verdict = entry.at("verdict");
  if (verdict == "from") {
    return say(language, first ? phrases::from_elements_on : phrases::from_on,
               elements_text(entry.at("size").get<double>(), language),
               interval_text(entry, language));
  }
  const Json& ci95 = entry.at("ci95");
  if (verdict == "always") {
    return say(language, first ? phrases::always_from_elements_on : phrases::always_from_on,
               measured_text(smallest(entry), language),
               ci95.at(1) == smallest(entry) ? "" : interval_text(entry, language));
  }
  return say(language, phrases::up_to_elements, measured_text(largest(entry), language),
             ci95.at(0) == largest(entry) ? "" : interval_text(entry, language));
}

bool end_to_end(const Json& entry) { return entry.at("scope") == "end_to_end"; }

/// The name without the scope: what the two entries of one line have in common.
std::string common_name(const Json& entry) {
  std::string name = entry.at("name");
  const std::string scope = "/" + entry.at("scope").get<std::string>();
  const std::size_t found = name.find(scope);
  return found == std::string::npos ? name : name.erase(found, scope.size());
}

const Json* partner(const Json& crossovers, const Json& entry) {
  const auto found = std::find_if(crossovers.begin(), crossovers.end(), [&](const Json& other) {
    return end_to_end(other) != end_to_end(entry) && common_name(other) == common_name(entry);
  });
  return found == crossovers.end() ? nullptr : &*found;
}

std::string subject(const Json& entry, Language language) {
  std::string name = entry.at("workload").get<std::string>();
  name += " " + entry.at("dtype").get<std::string>();
  const Json& bins = entry.at("bins");
  return bins.is_null() ? name : say(language, phrases::bins, name, bins.dump());
}

bool never(const Json& entry) { return entry.at("verdict") == "never"; }

bool same_size(const Json& entry, const Json& other) {
  return entry.at("verdict") == other.at("verdict") && entry.at("verdict") != "from" &&
         size_text(entry, false, Language::en) == size_text(other, false, Language::en);
}

/// `with_transfers` is null where that was not measured.
std::string line(const Json& entry, const Json* with_transfers, Language language) {
  const Phrase& wins = end_to_end(entry) ? phrases::gpu_wins_with_transfers : phrases::gpu_wins;
  const Phrase& never_wins =
      end_to_end(entry) ? phrases::gpu_never_wins_with_transfers : phrases::gpu_never_wins;
  std::string text = say(language, never(entry) ? never_wins : wins, subject(entry, language),
                         size_text(entry, true, language));
  if (with_transfers == nullptr) return text;
  if (same_size(entry, *with_transfers)) {
    return text +
           say(language, never(entry) ? phrases::nor_with_transfers : phrases::with_transfers_too);
  }
  return text + say(language,
                    never(*with_transfers) ? phrases::and_never_with_transfers
                                           : phrases::and_with_transfers,
                    size_text(*with_transfers, false, language));
}

}  // namespace

std::string elements_text(double elements, Language language) {
  if (elements < first_million) return grouped(two_digits(elements));
  if (in_millions(elements)) {
    return short_number(elements / 1e6, language) + say(language, phrases::million);
  }
  const std::string digits = short_number(elements / 1e9, language);
  return digits == "1" ? "10⁹" : digits + "·10⁹";
}

std::vector<std::string> crossover_texts(const Json& crossovers, const Json& of,
                                         Language language) {
  std::vector<std::string> texts;
  for (const Json& entry : crossovers) {
    const auto same = [&](const char* key) { return entry.at(key) == of.at(key); };
    if (!same("workload") || !same("dtype") || !same("cache")) continue;
    const Json* const other = partner(crossovers, entry);
    if (end_to_end(entry) && other != nullptr) continue;
    texts.push_back(line(entry, other, language));
  }
  return texts;
}

std::string scaling_text(const Json& entry, Language language) {
  const std::string name =
      entry.at("backend").get<std::string>() + "/" + entry.at("variant").get<std::string>();
  std::string text;
  const Json& points = entry.at("points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Json& point = points.at(i);
    const auto speedup = point.at("speedup").at("value").get<double>();
    text += i > 0 ? ", " : "";
    text += say(language, phrases::speedup_on, localised(fmt::format("{:.2f}", speedup), language),
                point.at("threads").dump());
    if (i > 0) text += fmt::format(" ({})", whole_percent(point.at("efficiency").get<double>()));
  }
  const Json& enough = entry.at("enough_threads");
  if (enough.is_number() && enough < points.back().at("threads")) {
    text += say(language, phrases::more_do_not_help, enough.dump());
  }
  return say(language, phrases::scaling_of, name, text);
}

}  // namespace bench
