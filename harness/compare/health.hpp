// Is one node as fast as nodes of its hardware were, and is all of it there? One line that says so.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/names.hpp"
#include "harness/compare/node_comparison.hpp"
#include "harness/compare/node_run.hpp"

namespace bench {

/// The answer in a word.
enum class HealthWord { ok, unclear, busy, slow, absent, wrong, unknown };
template <>
struct NamesOf<HealthWord> {
  static constexpr std::array<std::pair<HealthWord, std::string_view>, 7> all{
      {{HealthWord::ok, "OK"},
       {HealthWord::unclear, "UNCLEAR"},
       {HealthWord::busy, "BUSY"},
       {HealthWord::slow, "SLOW"},
       {HealthWord::absent, "ABSENT"},
       {HealthWord::wrong, "WRONG"},
       {HealthWord::unknown, "UNKNOWN"}}};
};

/// A part of a node: the times of its workloads over those of the reference, together.
struct PartHealth {
  std::string name;  ///< `memory`, `cores`, `gpu0 memory`, `gpu0 cores`, `gpu0 bus`
  Estimate ratio;
  std::vector<std::string> workloads;
  NodeVerdict verdict = NodeVerdict::unclear;
  std::size_t passes = 1;  ///< that measured all of it
};

struct Health {
  HealthWord word = HealthWord::unknown;
  std::vector<std::string> said;      ///< what comes first in the line: what is absent, or why
  std::vector<PartHealth> parts;      ///< the slowest first
  std::vector<std::string> left_out;  ///< workloads, parts and GPUs without a time to compare
  std::vector<std::string> notes;     ///< what comes last
};

/// The recorded runs of this hardware and build; `why` there is none. A node without a GPU is
/// compared with those without one, where there are any, and a node of fewer processors with those
/// of more: something of it may be gone.
std::vector<NodeRun> reference_for(const NodeRun& node, const std::vector<NodeRun>& recorded,
                                   std::string& why);

/// What the node has less of than most runs of its reference, a phrase each: `cpus 1 of 2`.
std::vector<std::string> absent_parts(const NodeRun& node, const std::vector<NodeRun>& reference);

/// How fast the parts of a node are; its GPUs, measured apart, have runs of their own. Columns of
/// chosen variants are compared. `workloads` should be measured; memory does not limit the
/// `computing` ones. A part is slow where the whole interval of its ratio, which contains the
/// scatter of the reference, is beyond 1 + `threshold`. The intervals of all parts hold together
/// with 95 %. A node is OK only where all was compared.
Health health(const std::vector<NodeRun>& node, const std::vector<NodeRun>& recorded,
              const std::vector<std::string>& workloads, const std::set<std::string>& computing,
              double threshold);

/// What is slow in `found` and not in what was measured `again` is unclear: a moment is not a node.
/// Nothing is in an `again` for which there was no time.
void confirm(Health& found, const Health& again);

/// A part of the nodes of a reference.
struct LearnedPart {
  double scatter = 0;     ///< standard deviation, relative
  double finds_from = 1;  ///< a slower node than this is found
};

/// Runs of one kind, few that stand for many: from the fastest to the slowest, evenly. Those far
/// from the others are left out.
struct LearnedKind {
  std::string name;
  std::size_t runs = 0;
  std::vector<std::string> files;
  std::map<std::string, LearnedPart> parts;
  std::vector<std::string> outliers;  ///< a line each
};
/// A node is slow beyond 1 + `threshold`.
std::vector<LearnedKind> learn(const std::vector<NodeRun>& runs,
                               const std::set<std::string>& computing, double threshold);

/// 0 fine or not clear, 1 a wrong result, 3 slow or absent, 4 not compared. `nagios`: 0 fine or not
/// clear, 1 slow, 2 absent or wrong, 3 not compared.
int exit_code(HealthWord word, bool nagios);

/// At most 80 characters: what does not fit is counted, `+3`.
std::string health_line(const std::string& node, const Health& health, double seconds);

/// Whether a word says how the node is: the others leave that open.
bool is_verdict(HealthWord word);

/// Seconds since 1970.
struct CheckTimes {
  double ended = 0;
  double verdict = 0;  ///< when the last check ended that gave one; 0: never
};

/// The answer for Prometheus, as OpenMetrics.
std::string health_metrics(const std::string& node, const Health& health, int code, double seconds,
                           const CheckTimes& times);

/// What such a text says of its last verdict.
double last_verdict(const std::string& metrics);

}  // namespace bench
