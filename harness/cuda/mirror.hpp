// Which arrays exist twice, on the device and on the host; free of CUDA's headers.
#pragma once

#include <cstddef>
#include <vector>

namespace bench::cuda {

struct Mirror {
  void* device = nullptr;
  void* host = nullptr;
  std::size_t bytes = 0;
};

/// While this lives, a variant that moves its data itself knows where these arrays are on the host.
class Mirrored {
 public:
  explicit Mirrored(std::vector<Mirror> arrays);
  ~Mirrored();
  Mirrored(const Mirrored&) = delete;
  Mirrored& operator=(const Mirrored&) = delete;
};

}  // namespace bench::cuda
