// What most of many nodes have, counted once for all that are compared with them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/compare/node_run.hpp"

namespace bench {

/// Either time of a limit.
using OfLimit = std::optional<double> LimitTimes::*;

/// Values in order, of which one may be left out.
class SortedValues {
 public:
  void add(double value) { values_.push_back(value); }
  void sort();
  /// The quantile of the others, without one that equals `but`. Nothing where no other is there.
  std::optional<double> quantile(double p, std::optional<double> but) const;

 private:
  std::vector<double> values_;
};

/// Nodes as one of them sees the others, or as a node sees them that is not among them. Asking does
/// not take longer where there are more.
class Others {
 public:
  explicit Others(const std::vector<const NodeRun*>& runs);

  /// What more than this share of them have of a fact, at least half.
  std::optional<Json> fact(const std::string& key, const NodeRun& seen_by,
                           double share = 0.5) const;
  /// A quantile of a figure.
  std::optional<double> figure(const std::string& name, const NodeRun& seen_by,
                               double p = 0.5) const;
  /// The median time of a limit in a case.
  std::optional<double> limit(const std::string& name, OfLimit time, const NodeRun& seen_by) const;

 private:
  std::set<const NodeRun*> runs_;
  /// The two commonest values of each fact: no other one can be that of more than half of the
  /// others.
  std::map<std::string, std::vector<std::pair<Json, std::size_t>>> facts_;
  std::map<std::string, SortedValues> figures_;
  std::map<std::string, std::pair<SortedValues, SortedValues>> limits_;  ///< memory, in_cache
};

}  // namespace bench
