#include "harness/command/program.hpp"

#include <omp.h>

#include <exception>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <variant>

#include "harness/base/error.hpp"
#include "harness/command/command_line.hpp"
#include "harness/command/execution.hpp"
#include "harness/command/python.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/unknown_word.hpp"
#include "harness/guests/host.hpp"
#include "harness/node/job.hpp"
#include "harness/node/own_environment.hpp"
#include "harness/node/team.hpp"

namespace bench {
namespace {

/// Commands that run kernels; all others answer on one thread.
bool needs_team(const Request& request) {
  return std::visit(
      []<class R>(const R& /*request*/) {
        return std::is_same_v<R, RunRequest> || std::is_same_v<R, TryRequest> ||
               std::is_same_v<R, CourseRequest> || std::is_same_v<R, VerifyRequest> ||
               std::is_same_v<R, AaRequest> || std::is_same_v<R, ReproduceRequest>;
      },
      request);
}

int execute(Session session) {
  Abilities node = abilities();
  const auto request = parse({session.argv.begin() + 1, session.argv.end()}, node);
  session.no_team = openmp_obstacle();
  if (session.no_team.empty()) session.no_team = team_obstacle(node.job_threads);
  if (!session.no_team.empty() && needs_team(request)) throw UsageError(session.no_team);
  if (!session.no_team.empty()) node.job_threads = 1;
  omp_set_num_threads(node.job_threads);
  return std::visit([&](const auto& of_command) { return execute(of_command, session); }, request);
}

}  // namespace

int program(int argc, char** argv, const Suite& suite) {
  if (argc == 3 && argv[1] == std::string_view(guests::host_command)) {
    return guests::host(suite.workloads, argv[2]);
  }
  const bool in_python = argc > 1 && is_python_command(argv[1]);
  if (!in_python) {
    end_with_parent();
    settle_environment(argv);
    open_standard_streams();
  }
  try {
    if (in_python) run_in_python(argv);
    const int code = execute(Session{{argv, argv + argc}, suite});
    print("");  // whatever is still in the buffer
    return code;
  } catch (const UnknownFilter& error) {
    complain(explained(error));
    return Exit::usage;
  } catch (const std::invalid_argument& error) {  // UsageError among them
    complain(error.what());
    return Exit::usage;
  } catch (const std::exception& error) {
    complain(error.what());
    return Exit::wrong;
  }
}

}  // namespace bench
