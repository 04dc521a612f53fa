// From a file on the command line to a guest.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/guests/guest.hpp"
#include "harness/measure/guest_variant.hpp"
#include "harness/workload/suite.hpp"

namespace bench::guests {

/// What became of the files: what they offer, and, a line each, what is no variant of anything.
struct Guests {
  std::vector<GuestVariant> variants;
  std::vector<std::string> complaints;
};

/// Compiles and starts each file. One that cannot be used costs its own rows only: a variant with
/// an obstacle where its workload can be told, a complaint where not.
Guests invite(const std::vector<std::string>& files, const Suite& suite, const Means& means);

}  // namespace bench::guests
