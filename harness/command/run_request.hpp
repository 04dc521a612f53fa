// What a run is asked for, as plain data.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/command/selection.hpp"
#include "harness/tables/render.hpp"

namespace bench {

/// A workload, a type and a size as names have it.
using GroupName = std::tuple<std::string, Dtype, std::string>;

struct RunRequest {
  /// Neither `none` nor, which prints JSON, `-`.
  bool writes_file() const { return output != "none" && output != "-"; }

  Wanted wanted;
  std::string output;   ///< result file; empty: the default path
  std::string resume;   ///< the unfinished result file to continue
  std::string profile;  ///< the one variant to run for a profiler
  Format format = Format::text;
  Language language = Language::en;
  std::size_t executions = 1;      ///< of the program as a whole
  std::vector<std::string> words;  ///< of a resumed run; empty: of this process
  bool quiet = false;
  bool dry_run = false;  ///< say what would be measured
  bool progress = true;
  bool compares = true;                     ///< also measure what gives shares and bounds
  bool tries = false;                       ///< the workloads of the user kernels, and no other
  bool only_guests = false;                 ///< no built-in variant
  Preset preset = Preset::none;             ///< of the tables; of steps, nothing else is measured
  std::optional<std::set<GroupName>> only;  ///< nothing: all groups
  bool in_short = false;  ///< of several devices the first alone, then all at once
};

}  // namespace bench
