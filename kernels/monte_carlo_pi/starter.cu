// My monte_carlo_pi: one thread per block of random words, one counter.
//
// To begin with: all threads contend for one address: count several blocks of words per thread
// first.
//
// Measure it with: bench try FILE

#include <stdint.h>

__device__ uint32_t is_inside(uint64_t x, uint64_t y) { return y * y <= ~(x * x); }

__global__ void monte_carlo_pi_kernel(const uint32_t* key, size_t n, uint32_t* inside) {
  const size_t b = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * b >= n) return;
  // Philox4x32-10
  uint32_t k0 = key[0], k1 = key[1];
  uint32_t c0 = (uint32_t)b, c1 = (uint32_t)(b >> 32), c2 = 0, c3 = 0;
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = 0xD2511F53ull * c0, second = 0xCD9E8D57ull * c2;
    c0 = (uint32_t)(second >> 32) ^ c1 ^ k0, c1 = (uint32_t)second;
    c2 = (uint32_t)(first >> 32) ^ c3 ^ k1, c3 = (uint32_t)first;
    k0 += 0x9E3779B9, k1 += 0xBB67AE85;
  }
  uint32_t count = is_inside(c0, c1);
  if (2 * b + 1 < n) count += is_inside(c2, c3);
  atomicAdd(inside, count);
}

// The arrays are in GPU memory.
void monte_carlo_pi_u32(const uint32_t* key, size_t n, uint32_t* inside) {
  cudaMemset(inside, 0, sizeof(uint32_t));
  const size_t blocks = (n + 1) / 2;
  monte_carlo_pi_kernel<<<(blocks + 255) / 256, 256>>>(key, n, inside);
}
