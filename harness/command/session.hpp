// What every command works with, in addition to its own request.
#pragma once

#include <string>
#include <vector>

#include "harness/base/clock.hpp"
#include "harness/base/exit.hpp"
#include "harness/workload/suite.hpp"

// Each command adds its options to one of these.
namespace CLI {
class App;
}

namespace bench {

struct Session {
  std::vector<std::string> argv;
  Suite suite;
  Stopwatch since_begin{};
  std::string no_team{};  ///< why OpenMP cannot start its threads; empty where it can
};

}  // namespace bench
