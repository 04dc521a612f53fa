#pragma once

#include "harness/workload/suite.hpp"

namespace bench {

/// The program: what main() is given, for this suite. Everything that can fail for the user's
/// reasons ends here, as one line on stderr. Returns the exit code.
int program(int argc, char** argv, const Suite& suite);

}  // namespace bench
