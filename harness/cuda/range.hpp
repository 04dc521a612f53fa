// Ranges on the time line of a profiler (NVTX): nothing where none is attached.
#pragma once

#include <string>

namespace bench::cuda {

/// From its construction to its end, on this thread; ranges nest.
class Range {
 public:
  explicit Range(const std::string& name);
  ~Range();
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};

/// False where the program was built without NVTX's headers.
bool ranges_shown();

}  // namespace bench::cuda
