// What the doctor says of this node.
#pragma once

#include "harness/base/json.hpp"
#include "harness/base/styled.hpp"
#include "harness/tables/language.hpp"

namespace bench {

/// What this node and job offer, and the doubts, as text for a terminal; from a context (`build`,
/// `run`, `machine`, `slurm`). Facts that are not known are shown as such.
StyledText doctor_text(const Json& context, Language language = Language::en);

}  // namespace bench
