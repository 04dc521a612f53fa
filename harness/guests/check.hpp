// CUDA kernels where there is no device: executed on the CPU, under sanitizers, and not timed.
#pragma once

#include <string>
#include <vector>

#include "harness/base/reason.hpp"
#include "harness/guests/guest.hpp"
#include "harness/workload/suite.hpp"

namespace bench::guests {

/// What is missing here, not in the file.
struct CannotCheck : ReasonError {
  using ReasonError::ReasonError;
};

struct CheckedOnCpu {
  std::vector<Offer> offers;  ///< what the file computes, as far as it compiles
  std::string command;        ///< that compiled it
  Reason fault;               ///< what is wrong, with its line; empty where nothing is
  bool in_result = false;     ///< that is the result only, which a GPU shows too
  Reason looked_at;           ///< how it was looked at
  Examine launches;           ///< finds what a GPU refuses to launch at the size of a case
};

/// Compiles a CUDA file against bench's own CUDA and runs each of its functions on small problems,
/// threads in several orders. `texts`: it and its headers. Throws RunError where it does not
/// compile, CannotCheck.
CheckedOnCpu check_on_cpu(const std::string& file, const Texts& texts, const Suite& suite,
                          const Means& means);

}  // namespace bench::guests
