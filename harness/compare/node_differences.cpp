#include "harness/compare/node_differences.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "harness/base/text.hpp"
#include "harness/words/phrases.hpp"
#include "harness/words/translated.hpp"

namespace bench {
namespace {

std::string shown(double value, Language language) { return localised(figure(value, 3), language); }

std::string shown(const std::string& key, const Fact& fact, Language language) {
  const std::string text = text_of_fact(fact.value);
  if (!text.empty()) return translated(fact.reason.empty() ? text : fact.reason, language);
  return say(language, key == facts::quota ? phrases::none : phrases::unknown);
}

Shortfall of_facts(const std::string& key, const Fact& own, const Fact& most, bool amount,
                   Language language) {
  return {key, shown(key, own, language), shown(key, most, language), "", amount};
}

Shortfall of_figures(const std::string& name, double own, double most, const std::string& unit,
                     Language language) {
  return {name, shown(own, language), shown(most, language), unit, true};
}

/// Nothing where it is not worse by more than the others scatter on the bad side: `deviations`
/// standard deviations, of which their quartile is 0.674 away from the median where they are
/// normally distributed, and what one of fifty has.
std::optional<Worse> worse(const NodeFigure& figure, const NodeRun& node, const Others& others,
                           double deviations) {
  const auto own = node.figures.find(figure.name);
  const auto most = others.figure(figure.name, node);
  if (own == node.figures.end() || !most) return {};
  const auto by = [&](double value) { return figure.more_is_bad ? value - *most : *most - value; };
  const auto others_by = [&](double share) {
    return by(*others.figure(figure.name, node, figure.more_is_bad ? share : 1 - share));
  };
  const double least = std::max(figure.absolute, figure.relative * *most);
  const double scatter = std::max(deviations * others_by(0.75) / 0.6745, others_by(0.98) + least);
  if (by(own->second) <= 0 || by(own->second) < scatter) return {};
  return Worse{own->second, *most};
}

}  // namespace

std::string Shortfall::text(Language language) const {
  const std::string with_unit = unit.empty() ? "" : " " + translated(unit, language);
  return say(language, phrases::others_have, translated(name, language), own + with_unit, most);
}

std::vector<std::string> differences(const NodeRun& node, const Others& others, Language language) {
  std::vector<std::string> found;
  for (const auto& [key, fact] : node.facts) {
    const auto most = others.fact(key, node, 2.0 / 3);
    if (most && *most != fact)
      found.push_back(of_facts(key, fact, *most, false, language).text(language));
  }
  for (const NodeFigure& one : node_figures()) {
    if (const auto found_worse = worse(one, node, others, 3)) {
      const auto& [own, most] = *found_worse;
      found.push_back(of_figures(one.name, own * one.factor, most * one.factor, one.unit, language)
                          .text(language));
    }
  }
  return found;
}

std::string changes_text(const std::vector<ChangedFact>& changes, Language language) {
  std::vector<std::string> found;
  for (const ChangedFact& one : changes) {
    found.push_back(say(language, phrases::before_had, translated(one.name, language),
                        shown(one.name, one.now, language), shown(one.name, one.before, language)));
  }
  return found.empty() ? say(language, phrases::none) : listed(found, language);
}

std::optional<Worse> longer(const NodeRun& node, const Others& others, double threshold) {
  return worse({facts::time_at_work, "s", 1, true, 0, threshold, nullptr}, node, others, 5);
}

std::vector<Shortfall> shortfalls(const NodeRun& node, const Others& others, Language language) {
  std::vector<Shortfall> found;
  for (const NodeFact& one : node_facts()) {
    const auto most = others.fact(one.name, node);
    const Fact& own = node.facts.at(one.name);
    if (one.kind == FactKind::other || !most || *most == own) continue;
    const bool known = !own.value.is_null() || one.name == std::string_view(facts::quota);
    const bool amount = one.kind == FactKind::amount;
    // More of an amount is not a fault, and unknown is not less.
    if (!known || (amount && !(own < *most))) continue;
    found.push_back(of_facts(one.name, own, *most, amount, language));
  }
  constexpr double less = 0.98;  // kernels keep a little more or less for themselves
  const auto own = node.figures.find(facts::memory);
  const auto most = others.figure(facts::memory, node);
  if (own != node.figures.end() && most && own->second < less * *most) {
    found.push_back(of_figures(facts::memory, own->second * 1e-9, *most * 1e-9, "GB", language));
  }
  return found;
}

}  // namespace bench
