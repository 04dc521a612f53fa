// Surveys of many simulated nodes: which of them are named, and with which cause.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/compare/node_comparison.hpp"
#include "harness/compare/test/findings.hpp"
#include "harness/document/test/records.hpp"

namespace bench::test {
namespace {

/// How many times as long the memory and the cores of a node take.
struct PlantedNode {
  double memory = 1;
  double cores = 1;
};

/// Nodes whose numbers scatter as those of a real cluster do: 0.5 % between nodes, 0.4 % of memory,
/// 0.3 % of cores, 0.4 % between three repetitions, 0.8 % of each case.
class SimulatedSurvey {
 public:
  SimulatedSurvey(unsigned seed, int nodes, const std::map<int, PlantedNode>& planted)
      : random_(seed) {
    for (int i = 0; i < nodes; ++i) {
      const auto found = planted.find(i);
      add(name(i), found == planted.end() ? PlantedNode() : found->second);
    }
  }

  static std::string name(int node) { return fmt::format("n{:04}", node); }

  NodeComparison compared() && {
    NodeComparisonInput input;
    input.runs = std::move(runs_);
    return compare_nodes(std::move(input));
  }

 private:
  double around(double deviation) {
    return std::exp(std::normal_distribution<double>(0, deviation)(random_));
  }

  void add(const std::string& node, const PlantedNode& planted) {
    const double of_node = around(0.005);
    const double memory = of_node * around(0.004) * planted.memory;
    const double cores = of_node * around(0.003) * planted.cores;
    std::vector<NodeRun> passes;
    for (int pass = 0; pass < 3; ++pass) passes.push_back(one_pass(node, memory, cores));
    runs_.push_back(merged(passes));
  }

  NodeRun one_pass(const std::string& node, double memory, double cores) {
    const double of_pass = around(0.004);
    Document made{context(), {}, {}, {}};
    made.context.run.node = node;
    made.context.run.finished = true;
    made.context.machine.cpu_model = "X";
    for (int number = 0; number < 8; ++number) {
      const bool of_memory = number < 4;
      CaseRecord& one = made.cases.emplace_back();
      one.workload = fmt::format("w{}", number);
      one.backend = "openmp";
      one.variant = "simd";
      one.size = "1000";
      one.status = Status::measured;
      one.rounds = 10;
      const double seconds = of_pass * (of_memory ? memory : cores) * around(0.008);
      one.seconds.emplace().median = seconds;
      one.seconds->ci95 = {seconds * 0.995, seconds * 1.005};
      one.bound = BoundRecord{1,
                              of_memory ? Limit::memory : Limit::in_cache,
                              of_pass * memory * around(0.005),
                              of_pass * cores * around(0.005),
                              {}};
      one.name = one.name_with({});
    }
    return node_run(made, node + ".json", {});
  }

  std::mt19937 random_;
  std::vector<NodeRun> runs_;
};

/// The causes of slow nodes, and the columns of suspects.
std::map<std::string, std::string> causes_of(const NodeComparison& comparison, Found key) {
  std::map<std::string, std::string> found;
  for (const Finding& one : comparison.found({key})) {
    found[one.nodes.front()] = key == Found::slow
                                   ? one.values["limits"][0]["slow"].get<std::string>()
                                   : one.columns.front().workload;
  }
  return found;
}

TEST(SimulatedSurvey, SlowNodesAreNamedWithTheirCause) {
  // Five of each.
  std::map<int, PlantedNode> planted;
  const double factors[] = {1.06, 1.1, 1.3};
  for (int i = 0; i < 15; ++i) {
    planted[i] = {1, factors[i / 5]};
    planted[100 + i] = {factors[i / 5], 1};
  }
  std::size_t found_at_10 = 0;  // of 30: the threshold is 5 %
  for (const unsigned seed : {1U, 2U, 3U}) {
    const NodeComparison comparison = SimulatedSurvey(seed, 200, planted).compared();
    const auto slow_ones = causes_of(comparison, Found::slow);
    const auto suspects = causes_of(comparison, Found::suspect);
    for (const auto& [number, node] : planted) {
      const std::string name = SimulatedSurvey::name(number);
      ASSERT_TRUE(slow_ones.contains(name) || suspects.contains(name)) << name << ", " << seed;
      const double factor = std::max(node.memory, node.cores);
      found_at_10 += factor == 1.1 && slow_ones.contains(name) ? 1 : 0;
      const bool of_memory = node.memory > 1;
      if (factor > 1.1) {
        ASSERT_TRUE(slow_ones.contains(name)) << name << ", " << seed;
      }
      if (factor > 1.06 && slow_ones.contains(name)) {
        EXPECT_EQ(slow_ones.at(name), of_memory ? "memory" : "computing") << name << ", " << seed;
      } else if (factor > 1.06) {
        EXPECT_EQ(suspects.at(name), of_memory ? "memory" : "cores") << name << ", " << seed;
      }
    }
    EXPECT_LE(slow_ones.size() + suspects.size(), planted.size()) << "and no other";
  }
  EXPECT_GE(found_at_10, 28U);
}

TEST(SimulatedSurvey, OfAThousandSoundNodesNoneIsNamed) {
  const NodeComparison comparison = SimulatedSurvey(1, 1000, {}).compared();
  EXPECT_TRUE(causes_of(comparison, Found::slow).empty());
  EXPECT_TRUE(causes_of(comparison, Found::suspect).empty());
}

/// The slowness that a table says it finds is found: of nodes at the limit about half.
TEST(SimulatedSurvey, IsSlowFromWhereItSays) {
  const NodeComparison sound = SimulatedSurvey(1, 200, {}).compared();
  std::size_t memory = 0;
  while (sound.columns[sound.cells[sound.middles[memory]].column].workload != Column::memory_limit)
    ++memory;
  const double from = *sound.slow_from[memory];
  EXPECT_GT(from, 1.05);
  const auto found_at = [](double factor) {
    std::map<int, PlantedNode> planted;
    for (int i = 0; i < 20; ++i) planted[i] = {factor, 1};
    return causes_of(SimulatedSurvey(1, 200, planted).compared(), Found::slow).size();
  };
  EXPECT_EQ(found_at(from * 1.02), 20U);
  EXPECT_EQ(found_at(from / 1.02), 0U);
}

}  // namespace
}  // namespace bench::test
