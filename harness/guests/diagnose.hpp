// Why a kernel fails, and whether it is right by luck: it runs again where more is seen.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/guests/compile.hpp"
#include "harness/guests/guest.hpp"
#include "harness/plan/guest_variant.hpp"
#include "harness/workload/suite.hpp"

namespace bench::guests {

/// A file as it was compiled for sanitizers so far.
using Builds = std::map<Build, std::optional<SharedObject>>;

/// A variant of a file, and how its process is started again.
struct Subject {
  std::string file;
  bool compiled = false;  ///< by compile(): sanitizers can watch it
  std::vector<std::string> command;
  std::shared_ptr<const NamelessFile> program;
  std::shared_ptr<Guest> guest;
  std::size_t number = 0;          ///< among the variants that it offers
  std::shared_ptr<Builds> builds;  ///< of all of them
};

/// What sanitizers find. A case that failed: the line and the array that one names, or that it is
/// right with one thread. A case that is right so far: what AddressSanitizer and ThreadSanitizer
/// see, and what they could not look at.
Examine examiner(Subject subject, const Suite& suite, Means means);

}  // namespace bench::guests
