// The shape of a launch as the result file shows it; free of CUDA's headers.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace bench::cuda {

struct LaunchShape {
  std::array<unsigned, 3> grid{};
  std::array<unsigned, 3> block{};
  std::size_t shared_bytes = 0;    ///< dynamic shared memory per block
  std::size_t launches = 0;        ///< of one run, of which this is the last one; 0: not recorded
  std::optional<int> registers{};  ///< 32-bit ones per thread
  std::optional<int> blocks_per_multiprocessor{};  ///< that fit there at once
  /// Threads of those blocks over the most that a multiprocessor holds.
  std::optional<double> occupancy{};
  /// The user's choice was followed. Not in result files.
  bool chosen_block = false;
  bool chosen_grid = false;
};

/// The last launch since forget_launch(), and how many there were; nothing if there was none. What
/// fits on a multiprocessor is asked for now: launches are in samples.
std::optional<LaunchShape> last_launch();
void forget_launch();

/// What the user wants instead of the variants' own choice; 0: nothing.
struct Overrides {
  unsigned block = 0;     ///< threads per block
  unsigned grid = 0;      ///< blocks
  std::size_t chunk = 0;  ///< items per chunk of overlapped variants; for tests
};
/// Sets the shape of all launches from now on whose variant leaves the choice open.
void override_configuration(const Overrides& wanted);
const Overrides& overrides();

}  // namespace bench::cuda
