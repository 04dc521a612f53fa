#include "harness/command/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/command/course_steps.hpp"
#include "harness/command/devices.hpp"
#include "harness/command/effect.hpp"
#include "harness/command/guests.hpp"
#include "harness/command/interrupt.hpp"
#include "harness/command/result_file.hpp"
#include "harness/node/environment.hpp"
#include "harness/node/job.hpp"

namespace bench {
namespace {

/// Nothing has no rate and no share.
void refuse_empty(const PlannedGroup& group) {
  if (group.cases.front().identity.elements > 0) return;
  throw UsageError(
      fmt::format("{} {}: {} has nothing to measure there; choose a larger one, or bench verify, "
                  "which takes it",
                  group.inputs ? "--input: size" : "--size", group.size, group.workload));
}

/// What is measured only so that the others can be compared with it.
void drop_others(PlannedGroup& group, const RunRequest& request) {
  std::erase_if(group.cases, [&](const PlannedCase& one) {
    return request.only_guests ? !one.identity.guest : !request.compares && one.identity.reference;
  });
}

/// Asks the node and the user kernels what is to be measured.
void ask(Prepared& ready, const Session& session) {
  complete(ready.settings, ready.request.wanted.inputs);
  if (!ready.request.dry_run) expect_new_file(ready.request);
  const bool tells = ready.request.progress && !ready.request.quiet && task_rank() == 0;
  ready.all_usable = invite_guests(ready.settings, session.suite, ready.request.tries, tells);
  if (ready.request.preset == Preset::steps) choose_steps(ready.settings);
}

std::vector<PlannedGroup> groups_of(const Prepared& ready, const Session& session) {
  auto groups = plan(session.suite.workloads, ready.settings);
  std::for_each(groups.begin(), groups.end(), refuse_empty);
  if (const auto& only = ready.request.only) {
    std::erase_if(groups, [&](const PlannedGroup& one) {
      return !only->contains({one.workload, one.dtype, one.size});
    });
  }
  for (PlannedGroup& group : groups) drop_others(group, ready.request);
  return groups;
}

/// Whether this process is one of those that its words ask for.
bool is_execution(const RunRequest& request) {
  const Settings& settings = request.wanted.settings;
  const bool several = request.executions > 1 || settings.all_devices || settings.all_sockets;
  return several && !request.dry_run && one_of_several();
}

}  // namespace

Prepared prepare(RunRequest request, const Session& session) {
  const bool one_of_them = is_execution(request);
  if (one_of_them) request = of_execution(std::move(request));
  if (!request.resume.empty()) restore(request, abilities());
  Prepared ready;
  ready.settings = request.wanted.settings;
  ready.request = std::move(request);
  Settings& settings = ready.settings;
  if (ready.request.executions > 1 && !ready.request.dry_run) {
    complete(settings, ready.request.wanted.inputs);
    block_interrupts();  // before the file is there, which is then written to its end
    ready.context = make_context(settings, session.argv, machine());
    return ready;
  }
  ask(ready, session);
  ready.groups = groups_of(ready, session);
  if (ready.request.resume.empty()) refuse_without_effect(settings, session.suite);
  if (ready.request.dry_run) return ready;
  block_interrupts();  // before OpenMP and the device's driver start threads
  if (!one_of_them) {
    ready.parts = parts_of(settings, need_device(ready.groups), ready.request.quiet);
  }
  if (!ready.parts.empty()) {
    ready.context = make_context(settings, session.argv, machine());
    return ready;
  }
  Machine facts = machine_facts(settings);
  ready.device = open_device(ready.groups, settings);
  // The default size depends on it.
  if (ready.device) ready.groups = groups_of(ready, session);
  add_gpu(facts, ready.device.get());
  ready.context = make_context(settings, session.argv, facts);
  return ready;
}

}  // namespace bench
