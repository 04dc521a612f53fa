// What every command works with beside its own request.
#pragma once

#include <string>
#include <vector>

#include "harness/workload/suite.hpp"

// Each command adds its options to one of these.
namespace CLI {
class App;
}

namespace bench {

struct Session {
  std::vector<std::string> argv;
  Suite suite;
};

/// How a command ends; `compare` has codes of its own.
enum Exit { fine = 0, wrong = 1, usage = 2 };

}  // namespace bench
