// Flags by which one thread of the CPU tells others that something is there.
#pragma once

#include <sched.h>

#include <cstdint>

namespace bench::simd {

/// Sets a flag that another thread waits for. Who has seen it by awaited() has also seen what the
/// calling thread stored before.
[[gnu::always_inline]] inline void publish(std::uint32_t& flag, std::uint32_t value) {
  __atomic_store_n(&flag, value, __ATOMIC_RELEASE);
}

/// The value of a flag, as soon as it is not 0. After a while the thread makes room for others:
/// that which sets the flag may need its processor.
[[gnu::always_inline]] inline std::uint32_t awaited(const std::uint32_t& flag) {
  constexpr unsigned patience = 1000;
  for (unsigned looks = 0;; ++looks) {
    const std::uint32_t value = __atomic_load_n(&flag, __ATOMIC_ACQUIRE);
    if (value != 0) return value;
    if (looks >= patience) sched_yield();
  }
}

}  // namespace bench::simd
