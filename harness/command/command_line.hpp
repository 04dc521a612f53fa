// From words to the request of one command.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "harness/command/aa.hpp"
#include "harness/command/compare.hpp"
#include "harness/command/course.hpp"
#include "harness/command/doctor.hpp"
#include "harness/command/list.hpp"
#include "harness/command/merge.hpp"
#include "harness/command/reproduce.hpp"
#include "harness/command/run.hpp"
#include "harness/command/table.hpp"
#include "harness/command/try.hpp"
#include "harness/command/verify.hpp"

namespace bench {

/// --help, `help` and --version: what to print.
struct HelpRequest {
  std::string text;
};

int execute(const HelpRequest& request, const Session& session);

using Request = std::variant<RunRequest, ListRequest, VerifyRequest, DoctorRequest, TableRequest,
                             MergeRequest, AaRequest, CompareRequest, ReproduceRequest, TryRequest,
                             CourseRequest, HelpRequest>;

/// Reads `arguments` (without the program's name). Throws UsageError.
Request parse(const std::vector<std::string>& arguments, const Abilities& node);

}  // namespace bench
