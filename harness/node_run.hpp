// What the comparison of many nodes keeps of one node's document: little, for there may be
// thousands.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bench {

/// What is compared between nodes: one workload, precision and size, and which of its variants.
struct Column {
  std::string what;  ///< "best CPU variant", …, or a chosen backend/variant
  std::string workload;
  std::string dtype;
  std::string size;
  std::string parameters;  ///< what the user set away from its default: ",seed=7"
  auto operator<=>(const Column&) const = default;
};

/// The time of one node in a column.
struct NodeTime {
  Column column;
  double seconds = 0;
  double deviation = 0;  ///< standard deviation of `seconds`, relative, its drift included
  double between = 0;    ///< half the range of the times of several passes, as a logarithm
  std::string variant;   ///< backend/variant
};

struct NodeRun {
  std::string node;  ///< node/task where several tasks of a node measured
  std::string file;
  std::string started;
  std::string job;  ///< cluster-job, empty outside of Slurm
  std::string task;
  std::string cpu_model;
  std::string gpu;  ///< empty: none was used
  bool finished = false;
  std::string ended_by;
  std::size_t passes = 1;                    ///< steps of the job that measured
  std::vector<NodeTime> times;               ///< in the order of the document
  std::vector<std::string> failed;           ///< cases with a wrong answer, with the reason
  std::vector<std::string> nodes;            ///< of the job step
  std::map<std::string, std::string> asked;  ///< what must be the same in runs that are compared
  std::map<std::string, std::string> words;  ///< what may explain a difference: settings, versions
  std::map<std::string, double> figures;     ///< likewise: clocks, load, …
};

/// `document` as read_document returns it, a summary is enough. `chosen` are globs on
/// workload/backend/variant that get columns of their own, beside the best variants.
NodeRun node_run(const nlohmann::ordered_json& document, const std::string& file,
                 const std::vector<std::string>& chosen);

/// One run made of several that a job made on a node, one after the other: the medians of their
/// times, and how far they lie apart. `passes` must not be empty.
NodeRun merged(const std::vector<NodeRun>& passes);

/// What differs between one node and most others (at least one), in words: `governor powersave
/// (others performance)`, `clock 2100 MHz (others 3400)`.
std::vector<std::string> differences(const NodeRun& node,
                                     const std::vector<const NodeRun*>& others);

}  // namespace bench
