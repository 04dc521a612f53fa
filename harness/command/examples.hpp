#pragma once

#include <string>

namespace bench {

/// What stands above the help of a command: how it is typed; that of the program for "".
std::string examples(const std::string& command);

}  // namespace bench
