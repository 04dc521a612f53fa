#include "harness/command/program.hpp"

#include <omp.h>

#include <exception>
#include <stdexcept>
#include <variant>

#include "harness/base/error.hpp"
#include "harness/command/command_line.hpp"
#include "harness/command/streams.hpp"
#include "harness/measure/rounds.hpp"
#include "harness/node/job.hpp"

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

int program(int argc, char** argv, std::span<const Workload* const> registry) {
  ignore_engine_variables(argv);
  open_standard_streams();
  try {
    const int code = execute(Session{registry, {argv, argv + argc}});
    print("");  // whatever is still in the buffer
    return code;
  } catch (const std::invalid_argument& error) {  // UsageError among them
    complain(error.what());
    return Exit::usage;
  } catch (const std::exception& error) {
    complain(error.what());
    return Exit::wrong;
  }
}

}  // namespace bench
