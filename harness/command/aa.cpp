#include "harness/command/aa.hpp"

#include <utility>

#include "harness/command/comparison_text.hpp"
#include "harness/command/execution.hpp"
#include "harness/command/executions.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/shown.hpp"

namespace bench {

void add_options(CLI::App& app, AaRequest& request, const Abilities& node) {
  constexpr std::size_t few = 6;
  constexpr std::size_t most = 100;
  request.run.executions = few;
  begin_group(app, option_group::what);
  add_filters(app, request.run.wanted.settings);
  add_timing(app, request.run, node);
  leave_out(app, {"--graded", "--timeout"});  // without user kernels
  add_count(app, "--executions", request.run.executions, {2, most},
            "make N runs and compare each with each", "6");
  begin_group(app, option_group::output);
  add_number(app, "--threshold", request.threshold_percent, "percent",
             "smallest change that matters", "5");
  add_language(app, request.run.language);
  add_no_progress(app, request.run.progress);
}

int execute(const AaRequest& request, const Session& session) {
  if (one_of_several()) {
    RunRequest run = request.run;
    run.executions = 1;  // it is compared with all of its samples, as any run is
    return execute(of_execution(std::move(run)), session);
  }
  const Executions executions = run_executions(request.run, session, [](const auto&) {});
  const int code = exit_code(executions);
  if (executions.signal) return code;
  const FalseAlarms alarms = false_alarms(executions.documents, request.threshold_percent / 100);
  print_text({{text(alarms, request.run.language)}});
  return code == Exit::fine ? exit_code(alarms) : code;
}

}  // namespace bench
