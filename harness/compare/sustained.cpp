#include "harness/compare/sustained.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/base/text.hpp"
#include "harness/compare/node_differences.hpp"
#include "harness/compare/others.hpp"

namespace bench {
namespace {

/// How far fewer passes are apart nobody knows.
constexpr std::size_t fewest_passes = 6;

std::map<std::string, std::vector<NodeRun>> by_gpu(const std::vector<Pass>& passes,
                                                   std::size_t begin, std::size_t end) {
  std::map<std::string, std::vector<NodeRun>> found;
  for (std::size_t i = begin; i < end; ++i) {
    for (const NodeRun& run : passes[i].runs) found[run.gpu_number].push_back(run);
  }
  return found;
}

/// What says how it is at work: clocks, power, heat.
bool tells_of_work(const std::string& name, const std::string& unit) {
  const bool of_gpu = unit == "%" && name.ends_with("of the GPU");
  return of_gpu || name.starts_with("samples of the GPU") || unit == "MHz" || unit == "°C" ||
         unit == "W" || unit == "times";
}

std::vector<Difference> changed(const NodeRun& last, const std::vector<NodeRun>& first) {
  std::vector<const NodeRun*> before;
  for (const NodeRun& run : first) before.push_back(&run);
  std::vector<Difference> differs = differences(last, Others(before));
  std::erase_if(differs, [](const Difference& one) { return !tells_of_work(one.name, one.unit); });
  return differs;
}

}  // namespace

void add_sustained(Health& found, const std::vector<Pass>& passes,
                   const std::set<std::string>& computing, double threshold) {
  if (passes.size() < fewest_passes) {
    found.findings.push_back({Found::not_compared, {}, {{"what", "sustained speed"}}});
    found.word = word_of_times(found);
    return;
  }
  const std::size_t third = passes.size() / 3;
  const auto first = by_gpu(passes, 0, third);
  for (const auto& [gpu, last] : by_gpu(passes, passes.size() - third, passes.size())) {
    const auto before = first.find(gpu);
    if (before == first.end()) continue;
    const NodeRun now = merged(last);
    bool slow = false;
    for (PartHealth& part : health({now}, before->second, {}, computing, threshold).parts) {
      slow |= part.verdict == NodeVerdict::slow;
      part.name = "sustained " + part.name;
      part.of = fmt::format("the first {:.0f} s", passes[third - 1].ended);
      found.parts.push_back(std::move(part));
    }
    Finding why{.key = Found::changed_at_work, .differs = changed(now, before->second)};
    if (slow && !why.differs.empty()) found.findings.push_back(std::move(why));
  }
  found.word = word_of_times(found);
}

std::vector<std::string> course_of(const std::vector<Pass>& passes,
                                   const std::set<std::string>& computing) {
  const auto first = by_gpu(passes, 0, std::max<std::size_t>(1, passes.size() / 3));
  std::vector<std::string> lines;
  for (const Pass& pass : passes) {
    for (const NodeRun& run : pass.runs) {
      std::vector<std::string> said;
      const auto before = first.find(run.gpu_number);
      if (before != first.end()) {
        for (const PartHealth& part : health({run}, before->second, {}, computing, 1).parts)
          said.push_back(fmt::format("{} {:.2f}x", part.name, part.ratio.value));
      }
      for (const NodeFigure& one : node_figures()) {
        const auto value = run.figures.find(one.name);
        if (value == run.figures.end() || !tells_of_work(one.name, one.unit)) continue;
        said.push_back(
            fmt::format("{} {} {}", one.name, figure(value->second * one.factor, 3), one.unit));
      }
      lines.push_back(fmt::format("{:.0f} s: {}", pass.ended, fmt::join(said, ", ")));
    }
  }
  return lines;
}

}  // namespace bench
