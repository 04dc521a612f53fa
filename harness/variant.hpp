// What a ladder is made of. Kernel files see nothing else of the harness but this and harness/simd.
#pragma once

#include <cstddef>

namespace bench {

struct Workload;  // workload.hpp

/// One way to compute a workload: its name, the one idea that it adds, and the plain function.
template <class Kernel>
struct Variant {
  const char* name;
  const char* idea;
  Kernel* kernel;
  std::size_t most_elements = 0;  ///< beyond it one run takes too long to be measured; 0: never
};

/// The variants of one backend in teaching order; the table itself lives in the ladder's file.
template <class Kernel>
struct Ladder {
  const Variant<Kernel>* rungs = nullptr;
  std::size_t size = 0;

  /// Of nothing: where what its variants need is not in this build.
  constexpr Ladder() = default;

  // Always inlined: files for newer instruction sets must not emit code that others could share.
  template <std::size_t N>
  [[gnu::always_inline]] constexpr Ladder(const Variant<Kernel> (&table)[N])
      : rungs(table), size(N) {}
};

}  // namespace bench
