// What the doctor says of this node.
#pragma once

#include "harness/base/styled.hpp"
#include "harness/document/document.hpp"
#include "harness/words/language.hpp"

namespace bench {

/// What this node and job offer, and the warnings, as text for a terminal. Facts that are not known
/// are shown as such.
StyledText doctor_text(const Context& context, Language language = Language::en);

}  // namespace bench
