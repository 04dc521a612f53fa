#pragma once

#include "harness/document/document.hpp"

namespace bench {

// What was edited, mixed up or made up is no fact. Both throw Misfit, naming the first place that
// does not agree, and need the samples.

/// Holds the figures of each case against its samples, and its fields against each other.
void require_sound_cases(const Document& document);

/// Holds ratios and shares against the cases that they are taken of; without those they are
/// dropped.
void require_sound_ratios(Document& document);

}  // namespace bench
