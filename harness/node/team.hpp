// Whether the OpenMP runtime can start its threads.
#pragma once

#include <string>

#include "harness/node/host.hpp"

namespace bench {

/// Why a team of `threads` threads cannot start, with the remedy; empty where it can. A child
/// process tries it, since the runtime ends a program in which it fails. To be called before any
/// team.
std::string team_obstacle(int threads, const Host& host = {});

/// LLVM's runtime writes into /dev/shm when it starts, which a sandbox does not allow.
bool openmp_is_of_llvm();

}  // namespace bench
