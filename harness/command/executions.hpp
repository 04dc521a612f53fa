// `bench --executions K`: the program as a whole several times, and one result file of them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "harness/command/run_result.hpp"
#include "harness/command/session.hpp"
#include "harness/document/document.hpp"

namespace bench {

/// Each has samples enough, and the result file of all stays small.
constexpr std::size_t most_executions = 20;

struct Executions {
  std::size_t finished() const;

  std::vector<Document> documents;
  /// The signal that ended them. One that was ended in its middle is kept only where it is alone.
  std::optional<int> signal;
};

/// One after the other until there are as many as were asked for. `there`: those of an earlier run.
/// `look` is called with all so far after each.
Executions run_executions(const RunRequest& request, const Session& session,
                          const std::function<void(const std::vector<Document>&)>& look,
                          std::vector<Document> there = {});

/// 128 + the signal that ended them, or that of their result files.
int exit_code(const Executions& executions);

/// Ends the result file of them.
Measured concluded(std::shared_ptr<Report> report, const Executions& executions);

/// Makes one result file of them, which is written after each.
Measured measure_several(const RunRequest& request, const Context& context, const Session& session);

}  // namespace bench
