#pragma once

#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/measure/plan.hpp"
#include "harness/tables/render.hpp"

namespace bench {

enum class Command { run, list, verify, table, merge, compare, doctor, help };

/// A parsed command line.
struct Request {
  Command command = Command::run;
  Settings settings;
  Format format = Format::text;
  TableOptions table;  ///< what tables show, of `run` the language only
  std::string output;  ///< --output: empty: the default path, of `merge` stdout; "-": no file
  std::string resume;  ///< --resume: the unfinished document to go on with
  std::vector<std::string> files;     ///< of `table`, `merge` and `compare`
  std::vector<std::string> variants;  ///< of `compare`: columns of their own
  std::vector<std::string> expected;  ///< of `compare`: recorded runs, files or folders
  std::string nodes;  ///< of `compare`: nodes that should be there, as Slurm lists them
  std::vector<std::string> inputs;  ///< --input: the user's own data
  std::size_t show = 0;             ///< of `verify`
  std::string output_npy;           ///< of `verify`: where the result goes
  double threshold = 0.05;          ///< of `compare`: relative change that matters
  bool force = false;               ///< of `compare`: also what is not comparable
  bool quiet = false;
  bool dry_run = false;  ///< of `run`: say what would be measured
  bool progress = true;
  std::string help;  ///< what to print, for Command::help
};

/// What the command line is read against: the node's abilities.
struct Abilities {
  int job_threads = 1;
  int allowed_cpus = 1;
  std::vector<simd::Isa> isas{simd::Isa::baseline};
  bool another_node = false;  ///< none of these counts: it is asked for a node that a job will get
};

/// Reads `arguments` (without the program's name). Throws UsageError.
Request parse(const std::vector<std::string>& arguments, const Abilities& abilities);

}  // namespace bench
