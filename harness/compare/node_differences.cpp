#include "harness/compare/node_differences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "harness/base/text.hpp"
#include "harness/tables/phrases.hpp"
#include "harness/tables/translated.hpp"

namespace bench {
namespace {

constexpr const char* quota = "quota of cpu time";

/// A figure that may explain a slow node, and from which difference on.
struct Figure {
  const char* name;
  const char* unit;
  double factor;     ///< from the result file's unit
  bool more_is_bad;  ///< else less is
  double absolute;   ///< a difference of so much counts,
  double relative;   ///< and of this share
};

constexpr Figure figures[] = {{"clock", "MHz", 1, false, 0, 0.03},
                              {"load average", "", 1, true, 0.7, 0},
                              {"tasks running at the start", "", 1, true, 1, 0.2},
                              {"samples that waited for a processor", "%", 100, true, 0.05, 0},
                              {"memory", "GB", 1e-9, false, 0, 0.02},
                              {"clock of the GPU", "MHz", 1, false, 0, 0.02},
                              {"throttled samples of the GPU", "%", 100, true, 0.05, 0},
                              {"temperature of the GPU", "°C", 1, true, 8, 0},
                              {"other processes on the GPU", "", 1, true, 1, 0}};

std::string shown(double value, Language language) { return localised(figure(value, 3), language); }

std::string shown(const std::string& key, const std::string& word, Language language) {
  if (!word.empty()) return translated(word, language);
  return say(language, key == quota ? phrases::none : phrases::unknown);
}

Shortfall of_words(const std::string& key, const std::string& own, const std::string& most,
                   bool amount, Language language) {
  return {key, shown(key, own, language), shown(key, most, language), "", amount};
}

Shortfall of_figures(const std::string& name, double own, double most, const std::string& unit,
                     Language language) {
  return {name, shown(own, language), shown(most, language), unit, true};
}

/// Nothing where it is not worse by more than the others scatter on the bad side: `deviations`
/// standard deviations, of which their quartile is 0.674 away from the median where they are
/// normally distributed, and what one of fifty has.
std::optional<Worse> worse(const Figure& figure, const NodeRun& node, const Others& others,
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
  for (const auto& [key, word] : node.words) {
    const auto most = others.word(key, node, 2.0 / 3);
    if (most && *most != word)
      found.push_back(of_words(key, word, *most, false, language).text(language));
  }
  for (const Figure& one : figures) {
    if (const auto found_worse = worse(one, node, others, 3)) {
      const auto& [own, most] = *found_worse;
      found.push_back(of_figures(one.name, own * one.factor, most * one.factor, one.unit, language)
                          .text(language));
    }
  }
  return found;
}

std::optional<Worse> longer(const NodeRun& node, const Others& others, double threshold) {
  return worse({time_at_work, "s", 1, true, 0, threshold}, node, others, 5);
}

std::vector<Shortfall> shortfalls(const NodeRun& node, const Others& others, Language language) {
  // More of these is not a fault.
  static constexpr const char* amounts[] = {"threads",
                                            "threads in a parallel region",
                                            "cpus of the process",
                                            "cores of the process",
                                            "cpus of the node",
                                            "sockets",
                                            "NUMA nodes",
                                            "GPUs",
                                            "PCIe lanes of the GPU",
                                            "power limit of the GPU (W)",
                                            "highest clock of the GPU (MHz)"};
  static constexpr const char* settings[] = {"isa", quota, "huge pages", "ECC of the GPU", "MIG"};
  std::vector<Shortfall> found;
  const auto add = [&](const char* key, bool amount) {
    const auto most = others.word(key, node);
    const std::string& own = node.words.at(key);
    if (!most || *most == own) return;
    if (own.empty() && key != std::string_view(quota)) return;  // unknown is not less
    const bool less = std::strtod(own.c_str(), nullptr) < std::strtod(most->c_str(), nullptr);
    if (!amount || less) found.push_back(of_words(key, own, *most, amount, language));
  };
  for (const char* key : amounts) add(key, true);
  for (const char* key : settings) add(key, false);
  constexpr double less = 0.98;  // kernels keep a little more or less for themselves
  const auto own = node.figures.find("memory");
  const auto most = others.figure("memory", node);
  if (own != node.figures.end() && most && own->second < less * *most) {
    found.push_back(of_figures("memory", own->second * 1e-9, *most * 1e-9, "GB", language));
  }
  return found;
}

}  // namespace bench
