// From a file on the command line to a user kernel.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/guests/guest.hpp"
#include "harness/plan/guest_variant.hpp"
#include "harness/workload/suite.hpp"

namespace bench::guests {

/// True where the ending of a file says that it may be a user kernel; executables have none.
bool ends_like_a_kernel(const std::string& file);

/// The result: what the files offer, and, a line each, what is not a variant of anything.
struct Guests {
  std::vector<GuestVariant> variants;
  std::vector<std::string> complaints;
  std::size_t refused = 0;  ///< files of which all is said by complaints
};

/// Compiles and starts each file. One that cannot be used costs its own rows only: a variant with
/// a fault or an obstacle, of the workload that it speaks of or that all others have; a complaint
/// where there is none.
Guests invite(const std::vector<std::string>& files, const Suite& suite, const Means& means);

}  // namespace bench::guests
