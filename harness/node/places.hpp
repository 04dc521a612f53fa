// Which cores threads are bound to, and in what order.
#pragma once

#include <string>
#include <vector>

#include "harness/node/host.hpp"

namespace bench {

/// The CPUs of one core, as far as they may be used.
using OmpPlace = std::vector<int>;

/// What there is to choose from.
struct Reach {
  std::vector<int> cpus;  ///< that this process was given
  std::vector<int> near;  ///< to the job's GPU; empty where there is none
  int current = -1;       ///< the CPU that this process runs on; negative where unknown
};

/// A place for each core that has some of those CPUs. First come the cores near the GPU; those of
/// one NUMA node are next to each other. Nodes, and the cores of each, go round from the current
/// one: two processes at once do not both begin with CPU 0. Empty where the topology does not say
/// the cores.
std::vector<OmpPlace> places(const Topology& topology, const Reach& reach);

/// The places as OMP_PLACES has them: `{0,4},{1,5}`.
std::string omp_places(const std::vector<OmpPlace>& places);

/// The places in such a text.
std::vector<OmpPlace> places_in(const std::string& text);

/// The variables that bind OpenMP threads.
constexpr const char* binding_variables[] = {"GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_PLACES",
                                             "OMP_PROC_BIND"};

/// Holds what OMP_PLACES has where that is not the user's choice.
constexpr const char* own_places_variable = "BENCH_PLACES";

/// True where OMP_PLACES and OMP_PROC_BIND are those of settle_environment().
bool places_are_ours(const Host& host = {});

}  // namespace bench
