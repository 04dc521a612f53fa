// The blocking kernel, for code in CUDA's language: the harness, and what is compiled with user
// kernels.
#pragma once

/// A single thread waits until words[0], which the host writes, is no longer 0. It waits for at
/// most `cycles` of its multiprocessor: then words[1] becomes 1.
static __global__ void wait_kernel(volatile unsigned* words, unsigned long long cycles) {
  const auto begin = static_cast<unsigned long long>(clock64());
  while (words[0] == 0) {
    if (static_cast<unsigned long long>(clock64()) - begin < cycles) continue;
    words[1] = 1;
    return;
  }
}
