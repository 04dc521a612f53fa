#include "harness/compare/node_differences.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <optional>

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
  double absolute;   ///< a difference of so much counts, or
  double relative;   ///< one of this share
};

constexpr Figure figures[] = {{"clock", "MHz", 1, false, 0, 0.03},
                              {"load average", "", 1, true, 0.7, 0},
                              {"tasks running at the start", "", 1, true, 1, 0},
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

/// `threads 1 (others 2)`
std::string difference(const std::string& name, const std::string& own, const std::string& most,
                       Language language) {
  return say(language, phrases::others_have, translated(name, language), own, most);
}

std::string word_difference(const std::string& key, const std::string& own, const std::string& most,
                            Language language) {
  return difference(key, shown(key, own, language), shown(key, most, language), language);
}

/// `memory 64 GB (others 128)`
std::string difference(const std::string& name, double own, double most, const std::string& unit,
                       Language language) {
  const std::string with_unit = unit.empty() ? "" : " " + translated(unit, language);
  return difference(name, shown(own, language) + with_unit, shown(most, language), language);
}

/// Three standard deviations of the others, from their quartile on the bad side: the distance from
/// the median is 0.674 deviations of a normal distribution.
double scatter(const Figure& figure, const NodeRun& node, const Others& others, double most) {
  const auto quartile = others.figure(figure.name, node, figure.more_is_bad ? 0.75 : 0.25);
  return 3 * std::abs(*quartile - most) / 0.6745;
}

}  // namespace

std::vector<std::string> differences(const NodeRun& node, const Others& others, Language language) {
  std::vector<std::string> found;
  for (const auto& [key, word] : node.words) {
    const auto most = others.word(key, node);
    if (most && *most != word) found.push_back(word_difference(key, word, *most, language));
  }
  for (const Figure& one : figures) {
    const auto own = node.figures.find(one.name);
    const auto most = others.figure(one.name, node);
    if (own == node.figures.end() || !most) continue;
    const double worse = one.more_is_bad ? own->second - *most : *most - own->second;
    if (worse < one.absolute || worse < one.relative * *most || worse <= 0) continue;
    if (worse <= scatter(one, node, others, *most)) continue;
    found.push_back(
        difference(one.name, own->second * one.factor, *most * one.factor, one.unit, language));
  }
  return found;
}

std::vector<std::string> shortfalls(const NodeRun& node, const Others& others, Language language) {
  // More of these is not a fault.
  static constexpr const char* amounts[] = {"threads",
                                            "threads in a parallel region",
                                            "cpus of the process",
                                            "cores of the process",
                                            "cpus of the node",
                                            "sockets",
                                            "power limit of the GPU (W)",
                                            "highest clock of the GPU (MHz)"};
  static constexpr const char* settings[] = {"isa", quota, "huge pages", "MIG"};
  std::vector<std::string> found;
  const auto add = [&](const char* key, auto is_worse) {
    const auto most = others.word(key, node);
    const std::string& own = node.words.at(key);
    if (!most || *most == own || !is_worse(own, *most)) return;
    found.push_back(word_difference(key, own, *most, language));
  };
  for (const char* key : amounts) {
    add(key, [](const std::string& own, const std::string& most) {
      return std::strtod(own.c_str(), nullptr) < std::strtod(most.c_str(), nullptr);
    });
  }
  for (const char* key : settings) add(key, [](auto&&...) { return true; });
  constexpr double less = 0.98;  // kernels keep a little more or less for themselves
  const auto own = node.figures.find("memory");
  const auto most = others.figure("memory", node);
  if (own != node.figures.end() && most && own->second < less * *most) {
    found.push_back(difference("memory", own->second * 1e-9, *most * 1e-9, "GB", language));
  }
  return found;
}

}  // namespace bench
