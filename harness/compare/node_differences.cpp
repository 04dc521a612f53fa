#include "harness/compare/node_differences.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "harness/base/text.hpp"

namespace bench {
namespace {

Difference of_figures(const std::string& name, const Worse& found, double factor,
                      const char* unit) {
  return {name, figure(found.own * factor, 3), figure(found.most * factor, 3), unit};
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

std::vector<std::string> missing_in(const Json& own, const Json& others) {
  std::vector<std::string> missing;
  for (const Json& one : others.is_array() ? others : Json::array()) {
    if (std::find(own.begin(), own.end(), one) == own.end()) missing.push_back(text_of_fact(one));
  }
  return missing;
}

std::vector<Difference> differences(const NodeRun& node, const Others& others) {
  std::vector<Difference> found;
  for (const auto& [key, fact] : node.facts) {
    const auto most = others.fact(key, node, 2.0 / 3);
    if (most && *most != fact) found.push_back({key, fact, *most, "", false});
  }
  for (const NodeFigure& one : node_figures()) {
    if (const auto is_worse = worse(one, node, others, 3)) {
      found.push_back(of_figures(one.name, *is_worse, one.factor, one.unit));
    }
  }
  return found;
}

std::optional<Worse> longer(const NodeRun& node, const Others& others, double threshold) {
  return worse({facts::time_at_work, "s", 1, true, 0, threshold, nullptr}, node, others, 5);
}

std::vector<Difference> shortfalls(const NodeRun& node, const Others& others) {
  std::vector<Difference> found;
  for (const NodeFact& one : node_facts()) {
    const auto most = others.fact(one.name, node);
    const Json& own = node.facts.at(one.name);
    const bool known = is_known(one.name, own);
    if (one.kind == FactKind::fault) {
      if (known && own != false && own != 0) found.push_back({one.name, own, {}, "", true});
      continue;
    }
    if (one.kind == FactKind::other || !most || *most == own) continue;
    if (!is_known(one.name, *most)) continue;  // others could not look, or have no such part
    const bool amount = one.kind == FactKind::amount;
    // More of an amount is not a fault, and unknown is not less.
    if (!known || (amount && !(own < *most))) continue;
    const bool more_time = own.is_null() || (!most->is_null() && own > *most);
    if (one.name == facts::quota && more_time) continue;
    if (one.kind == FactKind::list && missing_in(own, *most).empty()) continue;
    found.push_back({one.name, own, *most, "", amount});
  }
  constexpr double less = 0.98;  // kernels keep a little more or less for themselves
  const auto own = node.figures.find(facts::memory);
  const auto most = others.figure(facts::memory, node);
  if (own != node.figures.end() && most && own->second < less * *most) {
    found.push_back(of_figures(facts::memory, {own->second, *most}, 1e-9, "GB"));
  }
  return found;
}

std::vector<Difference> far_figures(const NodeRun& node, const Others& others) {
  std::vector<Difference> found;
  for (const NodeFigure& one : node_figures()) {
    if (one.fault_absolute == 0 && one.fault_relative == 0) continue;
    const auto far = worse(one, node, others, 5);
    if (!far) continue;
    const double by = std::abs(far->own - far->most);
    if (by <= std::max(one.fault_absolute, one.fault_relative * far->most)) continue;
    found.push_back(of_figures(one.name, *far, one.factor, one.unit));
    if (one.more_is_bad) found.back().others = {};
  }
  return found;
}

}  // namespace bench
