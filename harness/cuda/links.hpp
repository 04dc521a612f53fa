// Copies between the memory of a node and its devices, and from device to device. Free of CUDA's
// headers.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/node/link.hpp"

namespace bench::cuda {

/// Copies each by itself, pinned memory of the host near the device. Devices are `GPU 0`, …
/// in the order of this process. Of a copy that the devices refuse there is nothing.
/// Throws Error.
std::vector<LinkTimes> device_links(std::size_t bytes = std::size_t{64} << 20);

}  // namespace bench::cuda
