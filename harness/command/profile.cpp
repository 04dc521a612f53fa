#include "harness/command/profile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/command/interrupt.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/prepare.hpp"
#include "harness/command/streams.hpp"
#include "harness/cuda/range.hpp"
#include "harness/measure/runner.hpp"
#include "harness/words/numbers.hpp"

namespace bench {
namespace {

/// Each scope of a variant is the same kernel: the first one is looked at.
void keep_first_scope(PlannedGroup& group) {
  auto& cases = group.cases;
  std::erase_if(cases, [](const PlannedCase& one) { return one.identity.reference; });
  const auto seen_before = [&](const PlannedCase& one) {
    return one.identity.variant == cases.front().identity.variant &&
           one.identity.backend == cases.front().identity.backend &&
           one.identity.scope != cases.front().identity.scope;
  };
  std::erase_if(cases, seen_before);
}

void require_one(const std::string& name, const std::vector<PlannedGroup>& groups) {
  std::vector<std::string> names;
  for (const PlannedGroup& group : groups) {
    for (const PlannedCase& one : group.cases) names.push_back(one.identity.name);
  }
  if (names.size() == 1) return;
  constexpr std::size_t few = 3;
  const bool more = names.size() > few;
  const std::size_t all = names.size();
  names.resize(std::min(all, few));
  refuse("--profile", name,
         fmt::format("selects {}, a profile is of one: {}{}", all, fmt::join(names, ", "),
                     more ? ", …" : ""));
}

}  // namespace

int profile(RunRequest request, const Session& session) {
  Prepared ready = prepare(std::move(request), session);
  on_interrupt(Exit::by);
  std::for_each(ready.groups.begin(), ready.groups.end(), keep_first_scope);
  require_one(ready.request.profile, ready.groups);
  const Case one = profile(ready.groups.front(), ready.settings).cases.front();
  if (one.status) {
    print(fmt::format("{:8} {}: {}\n", name_of(*one.status), one.name, one.reason.text));
    return one.status == Status::failed ? Exit::wrong : Exit::fine;
  }
  print(fmt::format("profiled {}: once to warm up, and once for {}{}\n", one.name,
                    duration(one.timing.samples.front(), Language::en),
                    cuda::ranges_shown() ? ", in the NVTX range \"profiled\"" : ""));
  return Exit::fine;
}

}  // namespace bench
