// What a ladder is made of. Kernel files see nothing else of the harness but this and harness/simd.
#pragma once

#include <cstddef>

namespace bench {

struct Workload;  // workload.hpp

// For the last columns of a ladder's table.
constexpr std::size_t any_size = 0;
constexpr bool kernel_only = false;
constexpr bool with_transfers = true;
constexpr bool wrong_on_purpose = true;

/// One way to compute a workload: its name, the one idea that it adds, and the plain function.
template <class Kernel>
struct Variant {
  const char* name;
  const char* idea;
  Kernel* kernel;
  std::size_t most_elements = any_size;  ///< beyond it one run takes too long to be measured
  /// CUDA: it moves its data between the host and the device itself, and so has the scope
  /// end_to_end only.
  bool transfers = false;
  /// It shows a mistake: checked, its wrong result shown, and never timed.
  bool wrong = false;
};

/// The variants of one backend in teaching order; the table itself lives in the ladder's file.
template <class Kernel>
struct Ladder {
  const Variant<Kernel>* rungs = nullptr;
  std::size_t size = 0;

  /// An empty ladder, where what its variants need is not in this build.
  constexpr Ladder() = default;

  // Always inlined: files for newer instruction sets must not emit code that others could share.
  template <std::size_t N>
  [[gnu::always_inline]] constexpr Ladder(const Variant<Kernel> (&table)[N])
      : rungs(table), size(N) {}
};

}  // namespace bench
