// What the names of cases say beyond workload/backend/variant/dtype/size/scope.
#pragma once

#include <string>

namespace bench {

/// The group that a yardstick ran beside, like `energy:10000000`; empty for any other case.
std::string beside(const std::string& name);

/// The name without its number of threads.
std::string without_threads(const std::string& name);

/// True where the user chose the threads.
bool with_threads(const std::string& name);

}  // namespace bench
