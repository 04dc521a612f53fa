// Copies to shared memory that run while their thread goes on (cp.async), as cuda_pipeline.h has
// them. They arrive as late as they may: one that nobody waits for never does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "harness/cuda_on_cpu/cuda_runtime.hpp"

namespace bench::cuda::stand_in {

/// Copies by one access, which sanitizers look at.
template <class Word>
void copy_word(void* to, const void* from) {
  *static_cast<Word*>(to) = *static_cast<const Word*>(from);
}
struct alignas(16) SixteenBytes {
  std::uint64_t words[2];
};
inline void copy_words(void* to, const void* from, std::size_t bytes) {
  if (bytes == 4) return copy_word<std::uint32_t>(to, from);
  if (bytes == 8) return copy_word<std::uint64_t>(to, from);
  copy_word<SixteenBytes>(to, from);
}

}  // namespace bench::cuda::stand_in

/// Copies 4, 8 or 16 bytes, both places at a multiple of it; the last `zeros` are set to 0.
inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                    std::size_t zeros = 0) {
  using namespace bench::cuda::stand_in;
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes) {
    std::fprintf(stderr, "__pipeline_memcpy_async copies 4, 8 or 16 bytes, not %zu\n", bytes);
    __trap();
  }
  AsyncCopy copy{to, {}, static_cast<unsigned>(bytes), 0};
  if (zeros == 0) {
    copy_words(copy.data, from, bytes);
  } else {
    std::memcpy(copy.data, from, bytes - zeros);
  }
  copy_words(to, to, bytes);  // whether that place is there
  begin_copy(copy);
}
inline void __pipeline_commit() { bench::cuda::stand_in::close_batch(); }
inline void __pipeline_wait_prior(unsigned but_last) {
  using namespace bench::cuda::stand_in;
  while (const AsyncCopy* const one = due_copy(but_last)) {
    copy_words(one->to, one->data, one->bytes);
  }
}
