// Which core is slower than its neighbours? All of them do the same arithmetic at once.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/node/topology.hpp"

namespace bench {

struct CoreTime {
  int cpu = 0;  ///< by whose number people know the core
  int socket = 0;
  std::size_t threads = 1;  ///< that the core has: hybrid processors have cores of two kinds
  double seconds = 0;       ///< of processor time: what others use the core for does not count
};

/// What some arithmetic in registers takes on each CPU that a thread of a team is on: the quickest
/// of some rounds, in some 15 ms. The first thread does `planted` times as much.
std::vector<CoreTime> core_times(const Topology& topology, double planted = 1);

/// Keeps the quicker time of each core of two measurements of the same cores.
void keep_quicker(std::vector<CoreTime>& of_all, const std::vector<CoreTime>& of_now);

}  // namespace bench
