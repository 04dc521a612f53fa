// What a sandbox refuses, as a source names it.
#pragma once

#include <filesystem>

#include "harness/base/reason.hpp"

namespace bench::guests {

/// The line of a source that starts a process or another program, as a sentence; empty where none
/// does. Refused, it may wait for ever.
Reason starts_a_process(const std::filesystem::path& file);

}  // namespace bench::guests
