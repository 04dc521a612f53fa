// Kernels that serve the measurement.
#pragma once

#include <cstddef>

namespace bench::cuda {

/// Starts a kernel that does nothing: what the event clock shows for it is the clock's floor.
void launch_nothing();

/// Starts a kernel of `blocks` blocks that reads `words` 32-bit words, all of which must be 0.
void launch_read(unsigned blocks, const unsigned* data, std::size_t words, unsigned* never_written);

/// Starts a kernel that adds a digest of `count` words to *digest: each is mixed with its place, so
/// that it is another one where two of them have changed places.
void launch_digest(const unsigned* words, std::size_t count, unsigned long long* digest);

/// The blocking kernel: one thread that waits until words[0], which the host writes, is no longer
/// 0. It waits for at most `cycles` of its multiprocessor: then words[1] becomes 1.
void launch_wait(volatile unsigned* words, unsigned long long cycles);

}  // namespace bench::cuda
