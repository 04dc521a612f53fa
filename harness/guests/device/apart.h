// Whether the threads of a warp access memory far apart.
#pragma once

namespace bench_guest {

/// Writes into the file of that name how many times as much memory as it uses the hottest access
/// moved since the last call, if that is the most so far, and the place of that access.
void tell_apart(const char* file);

}  // namespace bench_guest
