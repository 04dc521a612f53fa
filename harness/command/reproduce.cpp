#include "harness/command/reproduce.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/command/comparison_text.hpp"
#include "harness/command/executions.hpp"
#include "harness/command/measuring.hpp"
#include "harness/command/option_kinds.hpp"
#include "harness/command/result_file.hpp"
#include "harness/command/shown.hpp"

namespace bench {
namespace {

/// Sizes as they were, whatever a name like `default` means here, and no more threads than the job
/// has.
void measure_the_same(Settings& settings, const RunRecord& run,
                      const std::vector<const CaseRecord*>& claims, int most_threads) {
  std::set<std::string> sizes;
  for (const CaseRecord* const one : claims) {
    sizes.insert(fmt::format("{}", fmt::join(one->shape, "x")));
  }
  if (run.input_files.empty()) settings.sizes.assign(sizes.begin(), sizes.end());
  if (settings.threads.empty()) settings.threads = {run.threads};
  std::erase_if(settings.threads, [&](int threads) { return threads > most_threads; });
  settings.gpu_number.reset();  // this node's are other ones
  settings.all_devices = false;
  settings.all_sockets = false;
}

/// Every workload is planned at every size; only those pairs count that were there.
std::set<GroupName> groups_of(const std::vector<const CaseRecord*>& claims) {
  std::set<GroupName> groups;
  for (const CaseRecord* const one : claims) groups.emplace(one->workload, one->dtype, one->size);
  return groups;
}

}  // namespace

void add_options(CLI::App& app, ReproduceRequest& request) {
  add_files(app, "FILE", request.files, "the result file whose speedups are checked");
  add_number(app, "--threshold", request.threshold_percent, "percent",
             "smallest change of a speedup that matters", "10");
  // Once may be luck, of either kind: where the arrays are placed, which clock the core takes.
  request.run.executions = 3;
  add_count(app, "--executions", request.run.executions, {1, most_executions},
            "run the program N times; intervals then include run-to-run variation", "3");
  add_text(app, "--output", request.run.output, "result file of the new run", "FILE",
           "results/TIME-NODE.json");
  add_language(app, request.run.language);
  add_no_progress(app, request.run.progress);
}

int execute(ReproduceRequest request, const Session& session) {
  if (request.files.size() != 1) {
    throw UsageError("reproduce takes one result file; name one of them");
  }
  const std::string& file = request.files.front();
  const auto recorded = std::make_shared<const Document>(read_document(file));
  const auto claims = claims_of(*recorded);
  if (claims.empty()) {
    throw UsageError(
        fmt::format("{}: holds no ratio over serial/naive: nothing to reproduce", file));
  }
  const Abilities node = abilities();
  start_from(request.run.wanted.settings, node);
  restore(request.run.wanted, recorded->context.run, file, node);
  measure_the_same(request.run.wanted.settings, recorded->context.run, claims, node.allowed_cpus);
  request.run.only = groups_of(claims);
  if (one_of_several()) return execute(std::move(request.run), session);
  const auto print = [recorded, threshold = request.threshold_percent / 100](
                         const RunRequest& run, const Report& report) -> std::optional<int> {
    const Reproduction found = reproduce(*recorded, report.document(), threshold);
    print_instead(text(found, run.language), report);
    return exit_code(found);
  };
  return measure_and_print(prepare(std::move(request.run), session), session, print);
}

}  // namespace bench
