// What a CUDA file asks a GPU for at a size that no CPU executes.
#pragma once

#include "harness/guests/compile.hpp"
#include "harness/guests/guest.hpp"
#include "harness/plan/guest_variant.hpp"

namespace bench::guests {

/// Calls the function of a case and looks at its launches, none of which is executed: the first
/// that every GPU refuses, with its line. `object`: as compile_for_cpu() makes it, for
/// AddressSanitizer.
Examine examiner_of_launches(const SharedObject& object, const Means& means);

}  // namespace bench::guests
