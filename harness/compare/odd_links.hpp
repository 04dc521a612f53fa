// Which links of a job are slower than those of their kind?
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/base/exit.hpp"
#include "harness/base/statistics.hpp"
#include "harness/node/link.hpp"

namespace bench {

/// All links of a kind.
struct WayTimes {
  Way way{};
  std::size_t links = 0;
  std::size_t bytes = 0;  ///< of a sample
  double seconds = 0;     ///< of the median link
  double quickest = 0;
  double slowest = 0;
};

/// A slow link, or a node or device all of whose links are slow.
struct OddLink {
  Way way{};
  std::string from;
  std::string to;  ///< empty: all of its links
  Estimate speed;  ///< relative to the others of its kind
};

struct LinkVerdicts {
  std::vector<WayTimes> ways;
  std::vector<OddLink> odd;
};

/// The whole interval of an odd link's time is beyond 1 + `threshold` times that of the others, and
/// beyond their scatter. All intervals hold together with 95 %. Where most links of a node
/// or a device are slow, that is named, and its links are not. The scatter of fewer than five
/// others is not known: the intervals are those of their samples. Of fewer than three links of
/// a kind nobody knows which is odd.
LinkVerdicts odd_links(const std::vector<LinkTimes>& all, double threshold);

/// Exit::slower where one is odd, Exit::unclear where no kind has three links.
int exit_code(const LinkVerdicts& found);

}  // namespace bench
