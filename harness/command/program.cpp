#include "harness/command/program.hpp"

#include <omp.h>

#include <exception>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "harness/base/error.hpp"
#include "harness/command/command_line.hpp"
#include "harness/command/streams.hpp"
#include "harness/command/unknown_word.hpp"
#include "harness/guests/host.hpp"
#include "harness/node/job.hpp"
#include "harness/node/own_environment.hpp"

namespace bench {
namespace {

int execute(const Session& session) {
  const std::string obstacle = openmp_obstacle();
  if (!obstacle.empty()) throw UsageError(obstacle);
  const Abilities node = abilities();
  const auto request = parse({session.argv.begin() + 1, session.argv.end()}, node);
  omp_set_num_threads(node.job_threads);
  return std::visit([&](const auto& of_command) { return execute(of_command, session); }, request);
}

}  // namespace

int program(int argc, char** argv, const Suite& suite) {
  if (argc == 3 && argv[1] == std::string_view(guests::host_command)) {
    return guests::host(suite.workloads, argv[2]);
  }
  settle_environment(argv);
  open_standard_streams();
  try {
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
