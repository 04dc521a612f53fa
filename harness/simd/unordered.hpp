// Unordered accesses to memory that several threads share: what a data race does in
// hardware, without the undefined behaviour that it is in C++. Only for variants that show what is
// lost by it.
#pragma once

namespace bench::simd {

/// Reads what some thread has stored, now or before.
template <class T>
[[gnu::always_inline]] inline T unordered_load(const T& from) {
  T value;
  __atomic_load(&from, &value, __ATOMIC_RELAXED);
  return value;
}

/// Stores for others to read, sooner or later.
template <class T>
[[gnu::always_inline]] inline void unordered_store(T& to, T value) {
  __atomic_store(&to, &value, __ATOMIC_RELAXED);
}

}  // namespace bench::simd
