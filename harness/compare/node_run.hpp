// What the comparison of many nodes keeps of one node's result file: little, for there may be
// thousands.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/compare/node_facts.hpp"
#include "harness/document/document.hpp"

namespace bench {

/// The variants of which the fastest counts, in the order in which they are shown.
enum class Best { on_cpu, kernel, end_to_end };
template <>
struct NamesOf<Best> {
  static constexpr std::array<std::pair<Best, std::string_view>, 3> all{
      {{Best::on_cpu, "best CPU variant"},
       {Best::kernel, "best GPU kernel"},
       {Best::end_to_end, "best GPU variant, end to end"}}};
};

/// What is compared between nodes: one workload, precision and size, and which of its variants.
struct Column {
  std::optional<Best> best;  ///< nothing: a chosen variant
  std::string what;          ///< the name of either
  std::string workload;
  std::string dtype;
  std::string size;
  std::string parameters;  ///< what the user set away from its default: ",seed=7"
  /// The workloads of the column of all of them together, so that only the same are compared.
  std::vector<std::string> pooled;
  /// True for a column of limits, which is not a workload.
  bool of_limits() const { return workload == memory_limit || workload == cores_limit; }
  static constexpr const char* memory_limit = "memory";
  static constexpr const char* cores_limit = "cores";
  std::strong_ordering operator<=>(const Column&) const = default;
};

/// The time of one node in a column.
struct NodeTime {
  Column column;
  double seconds = 0;
  double deviation = 0;  ///< standard deviation of `seconds`, relative, its drift included
  double between = 0;    ///< how far the times of several passes are apart, as a logarithm
  std::string variant;   ///< backend/variant
  bool on_gpu = false;
  Scope scope = Scope::kernel;
  std::size_t passes = 1;  ///< that it is the median of
};

/// A column that a run has no time in although it was asked for, and why.
struct Absent {
  Column column;
  std::string reason;
};

/// A case with a wrong answer, and what was wrong.
struct Failed {
  std::string name;
  std::string reason;
};

/// What a case was compared with, in seconds (BoundRecord).
struct LimitTimes {
  bool on_gpu = false;
  std::optional<double> memory;
  std::optional<double> in_cache;
};

struct NodeRun {
  /// Null where it has none in this column.
  const NodeTime* time_in(const Column& column) const;

  std::string host;
  std::string node;  ///< host/task or host/gpuN where several tasks or GPUs of it measured
  std::string file;
  std::string started;
  std::string job;  ///< cluster-job, empty outside of Slurm
  std::string task;
  std::string cpu_model;
  std::string gpu;         ///< its name; empty: none was used
  std::string gpu_uuid;    ///< empty, too
  std::string gpu_number;  ///< among those that the process saw
  std::string part;        ///< of the node, where several of its GPUs were measured apart
  bool given_gpu = false;  ///< by Slurm
  bool finished = false;
  std::string ended_by;
  std::size_t passes = 1;                    ///< steps of the job that measured
  std::size_t work = 0;                      ///< of which cases; 0 where passes differ in them
  std::vector<NodeTime> times;               ///< in the order of the result file
  std::vector<Absent> absent;                ///< in that order, too
  std::vector<Reason> doubts;                ///< warnings of the run, or of each pass
  std::vector<Failed> failed;                ///< cases with a wrong answer
  std::set<std::string> nodelists;           ///< of the job steps, as Slurm writes them
  std::map<std::string, std::string> asked;  ///< what must be the same in runs that are compared
  Facts facts;                               ///< what may explain a difference: node_facts()
  std::map<std::string, double> figures;     ///< node_figures(), and facts::time_at_work
  std::map<std::string, LimitTimes> limits;  ///< by the name of the case
};

/// The samples are not needed. `chosen` are globs on workload/backend/variant that get columns of
/// their own, along with the best variants. Before the best variants of each workload comes the
/// column of all workloads together, the geometric mean: a node that is a little slow everywhere
/// shows there first. Next to it are the limits of all workloads together, memory and cores, each
/// of which was measured by itself.
NodeRun node_run(const Document& document, const std::string& file,
                 const std::vector<std::string>& chosen);

/// The same, one for each GPU where those of the node were measured in one run.
std::vector<NodeRun> node_runs(const Document& document, const std::string& file,
                               const std::vector<std::string>& chosen);

/// How far times are apart, as a logarithm: half their range; of many, a standard deviation, which
/// half of them shows.
double spread(const std::vector<double>& seconds);

/// One run made of several that a job made on a node, one after the other: the medians of their
/// times, and how far they are apart. `passes` must not be empty.
NodeRun merged(const std::vector<NodeRun>& passes);

}  // namespace bench
