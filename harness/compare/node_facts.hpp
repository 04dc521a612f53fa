// What may explain that a node is slower than others: each fact once, with where it is recorded and
// when a difference counts.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/base/json.hpp"
#include "harness/document/document.hpp"

namespace bench {

/// Names that are more than shown.
namespace facts {
inline constexpr const char* threads = "threads";
inline constexpr const char* cpus = "cpus of the process";
inline constexpr const char* cores = "cores of the process";
inline constexpr const char* quota = "quota of cpu time";
inline constexpr const char* cpus_of_node = "cpus of the node";
inline constexpr const char* gpus = "GPUs";
inline constexpr const char* no_gpu = "no GPU";  ///< why
inline constexpr const char* memory = "memory";
inline constexpr const char* file_systems = "file systems";
inline constexpr const char* since_then = "since then";  ///< what changed
inline constexpr const char* waited = "samples that waited for a processor";
/// How long a run was at work in all, with its checks, without its files.
inline constexpr const char* time_at_work = "time at work";
}  // namespace facts

/// A fault even where no time shows it: less of an amount, another setting, or not all of a list
/// that others have; a fault by itself, of which no device has any.
enum class FactKind { amount, setting, list, fault, other };

struct NodeFact {
  const char* name;
  FactKind kind;
  Json (*of)(const Context&);  ///< null: unknown
  bool of_hardware = true;     ///< else of how a run was made
};

struct NodeFigure {
  const char* name;
  const char* unit;
  double factor;     ///< from the result file's unit
  bool more_is_bad;  ///< else less is
  double absolute;   ///< a difference of so much counts,
  double relative;   ///< and of this share
  std::optional<double> (*of)(const Document&);
  double fault_absolute = 0;  ///< so much worse is a fault of a node on which nobody is at work,
  double fault_relative = 0;  ///< or by this share; both 0: none is
};

/// Amounts first, then settings.
std::span<const NodeFact> node_facts();
std::span<const NodeFigure> node_figures();

/// The facts of one node, by name; null: unknown.
using Facts = std::map<std::string, Json>;

/// Whether a fact is known: nothing may mean that there is none.
bool is_known(const std::string& name, const Json& fact);

/// The facts that are known of both, and that differ: a list of `name`, `now` and `before`.
Json changed_facts(const Facts& now, const Facts& before);

/// A fact in words; empty: unknown.
std::string text_of_fact(const Json& value);

}  // namespace bench
