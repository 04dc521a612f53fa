// Kernels that serve the measurement.
#pragma once

#include <cstddef>

namespace bench::cuda {

/// Starts a kernel that does nothing: what the event clock shows for it is the clock's floor.
void launch_nothing();

/// Starts a kernel of so many blocks that reads `words` 32-bit words, all of which must be 0.
void launch_read(unsigned blocks, const unsigned* data, std::size_t words, unsigned* never_written);

/// Starts a kernel that adds a digest of `count` words to *digest: each is mixed with its place, so
/// that it is another one where two of them have changed places.
void launch_digest(const unsigned* words, std::size_t count, unsigned long long* digest);

/// Bytes that are copied; each address is one of the device's, or of pinned memory of the host.
struct Move {
  void* to;
  const void* from;
  std::size_t bytes;
};
/// As many as the arguments of a launch hold.
struct Moves {
  static constexpr unsigned most = 128;
  Move all[most];
  unsigned count = 0;
};
/// Starts a kernel that copies all of them at once: a copy of the driver's takes microseconds each.
void launch_moves(const Moves& moves);

/// Bytes that all have one value.
struct Band {
  const unsigned char* data;
  std::size_t bytes;
  unsigned char value;
};
struct BandList {
  static constexpr unsigned most = 64;
  Band all[most];
  unsigned count = 0;
};
/// Starts a kernel that adds to *others how many of the bytes have another value.
void launch_compare(const BandList& bands, unsigned long long* others);

/// Starts a kernel of one thread that waits until words[0], which the host writes, is no longer 0;
/// but for no more than so many cycles of its multiprocessor: then words[1] becomes 1.
void launch_wait(volatile unsigned* words, unsigned long long cycles);

}  // namespace bench::cuda
