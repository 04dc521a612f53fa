// Ranges on the time line of a profiler (NVTX): nothing where none is attached.
#pragma once

#include <string>

namespace bench::cuda {

/// They nest, on each thread.
void begin_range(const std::string& name);
void end_range();

/// False where the program was built without NVTX's headers.
bool ranges_shown();

/// A range that lasts from its construction to its end.
class Range {
 public:
  explicit Range(const std::string& name) { begin_range(name); }
  ~Range() { end_range(); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};

}  // namespace bench::cuda
