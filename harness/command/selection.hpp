// Which variants, on what: the options that `run`, `verify` and `list` share.
#pragma once

#include <string>
#include <vector>

#include "harness/command/this_node.hpp"
#include "harness/plan/settings.hpp"

namespace CLI {
class App;
}

namespace bench {

/// What to measure or to check.
struct Wanted {
  Settings settings;
  std::vector<std::string> inputs;  ///< --input: the user's own data
  bool sweep = false;               ///< the sizes are those of --sweep
  bool elsewhere = false;  ///< on a node that a job will get: this one's abilities do not count
};

void add_filters(CLI::App& app, Selection& selection);
/// --kernel and --peers
void add_guests(CLI::App& app, Selection& selection);

/// All that says on what. What contradicts itself is refused by check().
/// `group`: where help shows those that say on what.
void add_selection(CLI::App& app, Wanted& wanted, const Abilities& node, const char* group);
void check(const Wanted& wanted);

/// What a run without options measures with here.
void start_from(Settings& settings, const Abilities& node);

/// The instruction set, reported where it is not the default.
void choose_isa(Settings& settings, simd::Isa isa, const Abilities& node);

}  // namespace bench
