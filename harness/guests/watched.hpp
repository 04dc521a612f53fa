// Arrays in a process that a sanitizer watches: it is told where they end.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/workload/workload.hpp"

namespace bench::guests {

/// Whether bench reads what a sanitizer says of this process.
bool is_watched();

/// Keeps what is written to stderr, too: not all sanitizers write where they are told to.
void keep_stderr();

/// While this lives, what is around the arrays belongs to nobody, and bench knows where they begin.
class Watched {
 public:
  /// `bytes`: of the inputs, the output and the workspace, in this order; `around`: of each side.
  Watched(const Arrays& arrays, const std::vector<std::size_t>& bytes, std::size_t around);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  struct Range {
    const unsigned char* begin;
    std::size_t bytes;
  };
  std::vector<Range> all_;
};

}  // namespace bench::guests
