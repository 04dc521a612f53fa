// Going on with a run that ended early: its finished groups stay, the others are measured.
#pragma once

#include <string>

#include "harness/document/document.hpp"
#include "harness/plan/plan.hpp"

namespace bench {

/// Why a run with the context `now` cannot continue a result file of the context `before`:
/// another node, another build, other settings. Empty if it can.
std::string obstacle(const Context& before, const Context& now);

/// Takes out the groups whose rounds a signal has ended: they are measured again.
void take_out_ended(Document& earlier);

/// True where the result file holds every case of the group, false where it holds none. Groups are
/// written whole: throws UsageError, naming `file`, where it holds some.
bool holds(const Document& earlier, const PlannedGroup& group, const std::string& file);

/// True where Slurm has started the job of `now` again since it wrote a result file with `before`.
bool requeued(const Context& before, const Context& now);

}  // namespace bench
