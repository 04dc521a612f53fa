#include "harness/command/executions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/exit.hpp"
#include "harness/base/json.hpp"
#include "harness/base/signals.hpp"
#include "harness/command/execution.hpp"
#include "harness/command/progress.hpp"
#include "harness/command/result_file.hpp"
#include "harness/command/streams.hpp"
#include "harness/document/executions.hpp"
#include "harness/document/resume.hpp"
#include "harness/guests/folder.hpp"
#include "harness/node/job.hpp"

namespace bench {
namespace {

std::size_t count_finished(const std::vector<Document>& all) {
  return static_cast<std::size_t>(std::count_if(
      all.begin(), all.end(), [](const Document& one) { return one.context.run.finished; }));
}

/// A result file by which --resume knows that it is of several.
Document of_several(const std::vector<Document>& so_far, std::size_t wanted) {
  Document document = so_far.size() == 1 ? so_far.front() : pooled(so_far);
  RunRecord& run = document.context.run;
  run.executions = count_finished(so_far);
  run.executions_wanted = wanted;
  run.finished = false;  // until all of them are there
  return document;
}

/// An execution that was ended in its middle, from there on.
Execution continued(const Document& begun, const std::string& program) {
  const guests::Folder folder("no execution can be continued");
  const std::string file = folder.path / "begun.json";
  std::ofstream(file) << serialised(written(begun));
  return execute_again({program, "--resume", file, "--format", "json", "--no-progress"});
}

/// `, and 4 measured variants of the first`, where that is all there is.
std::string of_the_first(const Executions& all) {
  if (all.finished() > 0 || all.documents.empty()) return "";
  const auto measured = all.documents.front().count(Status::measured);
  return fmt::format(", and {} measured variant{} of the first", measured,
                     measured == 1 ? "" : "s");
}

}  // namespace

std::size_t Executions::finished() const { return count_finished(documents); }

Executions run_executions(const RunRequest& request, const Session& session,
                          const std::function<void(const std::vector<Document>&)>& look,
                          std::vector<Document> there) {
  ProgressLine line(request.progress && !request.quiet && task_rank() == 0,
                    std::vector<double>(request.executions, 1));
  Executions all{std::move(there), {}};
  std::optional<Document> begun;
  if (!all.documents.empty() && all.finished() == 0) {
    begun = std::move(all.documents.front());
    all.documents.clear();
  }
  while (!all.signal && all.documents.size() < request.executions) {
    line.next_group();
    line.show(fmt::format("execution {} of {}", all.documents.size() + 1, request.executions), 0);
    Execution execution = begun
                              ? continued(*begun, session.argv.front())
                              : execute_again(request.words.empty() ? session.argv : request.words);
    begun.reset();
    all.signal = execution.signal;
    if (!execution.document) break;
    if (!execution.document->context.run.finished && !all.documents.empty()) break;
    if (!request.resume.empty() && !all.documents.empty()) {
      const Context& before = all.documents.front().context;
      const std::string why = obstacle(before, execution.document->context);
      if (!why.empty()) throw UsageError(fmt::format("--resume {}: {}", request.resume, why));
    }
    all.documents.push_back(std::move(*execution.document));
    look(all.documents);
  }
  line.clear();
  if (all.signal) {
    tell(fmt::format("ended by {}: {} of {} executions{}", name_of_signal(*all.signal),
                     all.finished(), request.executions, of_the_first(all)));
  }
  return all;
}

int exit_code(const Executions& executions) {
  if (executions.signal) return Exit::by(*executions.signal);
  std::set<int> codes;
  for (const Document& one : executions.documents) codes.insert(exit_code(one));
  if (codes.contains(Exit::wrong)) return Exit::wrong;
  return codes == std::set<int>{Exit::unclear} ? Exit::unclear : Exit::fine;
}

Measured concluded(std::shared_ptr<Report> report, const Executions& executions) {
  const auto& signal = executions.signal;
  const std::string unwritten = finish(*report, signal ? name_of_signal(*signal) : "").unwritten;
  return {std::move(report), exit_code(executions), unwritten, signal,
          !executions.documents.empty()};
}

Measured measure_several(const RunRequest& request, const Context& context,
                         const Session& session) {
  std::vector<Document> there;
  const auto report = begin(request, context, there);
  const auto look = [&](const std::vector<Document>& so_far) {
    report->replace(of_several(so_far, request.executions));
  };
  try {
    return concluded(report, run_executions(request, session, look, std::move(there)));
  } catch (const UsageError&) {  // the words are wrong: the file would be in the way of better ones
    if (report->groups() == 0 && request.resume.empty()) std::filesystem::remove(report->path());
    throw;
  }
}

}  // namespace bench
