#include "harness/command/doctor.hpp"

#include <sys/resource.h>

#include "harness/base/reasons.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/selection.hpp"
#include "harness/command/shown.hpp"
#include "harness/command/streams.hpp"
#include "harness/document/context.hpp"
#include "harness/node/environment.hpp"
#include "harness/node/job.hpp"
#include "harness/tables/doctor_text.hpp"

namespace bench {
namespace {

/// What the kernel ends without asking; empty where there is no such limit.
Reason time_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_CPU, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return said<reasons::cpu_time_limit>(limit.rlim_cur);
}

}  // namespace

void add_options(CLI::App& app, DoctorRequest& request, const Abilities& node) {
  start_from(request.settings, node);
  add_format(app, request.format, "text or json");
  add_language(app, request.language);
}

int execute(DoctorRequest request, const Session& session) {
  if (!session.no_team.empty()) request.settings.job_threads = 1;
  complete(request.settings, {});
  Machine facts = machine_facts(request.settings);
  std::unique_ptr<cuda::Device> device;
  if (cuda::built_with_cuda()) device = std::make_unique<cuda::Device>(local_rank());
  add_gpu(facts, device.get());
  Context context = make_context(request.settings, session.argv, facts);
  for (const Reason& warning : {time_limit(), Reason(session.no_team)}) {
    if (!warning.empty()) context.run.warnings.insert(context.run.warnings.begin(), warning);
  }
  if (request.format == Format::json) {
    print(serialised({{"context", written(context)}, {"doubts", written(context.run.warnings)}}) +
          "\n");
  } else {
    print_text(doctor_text(context, request.language));
  }
  return Exit::fine;
}

}  // namespace bench
