// Is one node as fast as nodes of its hardware were, and is all of it there?
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/names.hpp"
#include "harness/compare/finding.hpp"
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
  std::size_t passes = 1;       ///< that measured all of it
  std::string of = "expected";  ///< what it is the time of
  double slow_from = 0;         ///< the ratio from which on it is slow, as well as it is known here
};

struct Health {
  HealthWord word = HealthWord::unknown;
  std::vector<PartHealth> parts;  ///< the slowest first
  Findings findings;
};

/// The recorded runs of this hardware and build; `why` there is none. A node without a GPU is
/// compared with those without one, where there are any, and a node of fewer processors with those
/// of more: something of it may be gone.
std::vector<NodeRun> reference_for(const NodeRun& node, const std::vector<NodeRun>& recorded,
                                   Finding& why);

/// What the node has less of than most runs of its reference, each by itself, processors first.
Findings absent_parts(const NodeRun& node, const std::vector<NodeRun>& reference);

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

/// A run that is far from the others, by so much in its parts.
struct OutlyingRun {
  std::string file;
  std::map<std::string, double> ratios;
};

/// Runs of one kind, few that stand for many: from the fastest to the slowest, evenly. Those far
/// from the others are left out.
struct LearnedKind {
  std::string name;
  std::size_t runs = 0;
  std::vector<std::string> files;
  std::map<std::string, LearnedPart> parts;
  std::vector<OutlyingRun> outliers;
};
/// A node is slow beyond 1 + `threshold`.
std::vector<LearnedKind> learn(const std::vector<NodeRun>& runs,
                               const std::set<std::string>& computing, double threshold);

/// SLOW, UNCLEAR or OK, as the parts are and all of them were compared.
HealthWord word_of_times(const Health& health);

/// Adds parts that say more than those that are there, before these. What is slow comes first.
void add_parts(Health& found, std::vector<PartHealth> parts);

/// 0 fine or not clear, 1 a wrong result, 3 slow or absent, 4 not compared. `nagios`: 0 fine or not
/// clear, 1 slow, 2 absent or wrong, 3 not compared.
int exit_code(HealthWord word, bool nagios);

/// Whether a word says how the node is: the others leave that open.
bool is_verdict(HealthWord word);

}  // namespace bench
