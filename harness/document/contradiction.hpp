#pragma once

#include "harness/document/document.hpp"

namespace bench {

/// Finds what was edited, mixed up or made up. Compares what a run says of itself, and the
/// fields and figures of each case with its samples. Throws Misfit, which names the first place
/// that does not agree.
void require_sound(const Document& document);

/// True for `2026-01-31T12:00:00Z`, or another time zone.
bool is_time(const std::string& text);

}  // namespace bench
