#include "harness/command/program.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/command/command_line.hpp"
#include "harness/command/execution.hpp"
#include "harness/command/python.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/unknown_word.hpp"
#include "harness/cuda/device.hpp"
#include "harness/guests/host.hpp"
#include "harness/node/job.hpp"
#include "harness/node/own_environment.hpp"
#include "harness/node/team.hpp"
#include "harness/workload/backend.hpp"

namespace bench {
namespace {

int execute(Session session) {
  Abilities node = abilities();
  const Parsed parsed = parse({session.argv.begin() + 1, session.argv.end()}, node);
  session.no_team = openmp_obstacle();
  if (session.no_team.empty()) session.no_team = team_obstacle(node.job_threads);
  if (!session.no_team.empty() && parsed.needs_team) throw UsageError(session.no_team);
  if (!session.no_team.empty()) node.job_threads = 1;
  omp_set_num_threads(node.job_threads);
  return parsed.run(session);
}

/// A plug-in of Nagios says by 2 that the node is broken.
int code_of_refusal(const std::vector<std::string_view>& words) {
  constexpr int unknown = 3;
  const bool plug_in = words.size() > 1 && words[1] == "check" &&
                       std::find(words.begin(), words.end(), "--nagios") != words.end();
  return plug_in ? unknown : Exit::usage;
}

}  // namespace

int program(int argc, char** argv, const Suite& suite) {
  backends::of_cuda_files = &cuda::backend_of_device();
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
    const Session session{{argv, argv + argc}, suite};
    const int code = in_python ? execute(PythonRequest(), session) : execute(session);
    print("");  // whatever is still in the buffer
    return code;
  } catch (const UnknownFilter& error) {
    complain(explained(error));
    return Exit::usage;
  } catch (const std::invalid_argument& error) {  // UsageError among them
    complain(error.what());
    return code_of_refusal({argv, argv + argc});
  } catch (const std::exception& error) {
    complain(error.what());
    return Exit::wrong;
  }
}

}  // namespace bench
