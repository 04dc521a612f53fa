// My monte_carlo_pi: the naive loop over Philox's blocks of four words.
//
// To begin with: no block needs another one: all lanes and all cores can work.
// Measure it with: bench try FILE

#include <stddef.h>
#include <stdint.h>

// The four words of block b, by Philox4x32-10.
static void random_words(uint64_t b, const uint32_t* key, uint32_t* c) {
  uint32_t k0 = key[0], k1 = key[1];
  c[0] = (uint32_t)b, c[1] = (uint32_t)(b >> 32), c[2] = 0, c[3] = 0;
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = 0xD2511F53ull * c[0], second = 0xCD9E8D57ull * c[2];
    c[0] = (uint32_t)(second >> 32) ^ c[1] ^ k0, c[1] = (uint32_t)second;
    c[2] = (uint32_t)(first >> 32) ^ c[3] ^ k1, c[3] = (uint32_t)first;
    k0 += 0x9E3779B9, k1 += 0xBB67AE85;
  }
}

// Inside where x*x + y*y < 2^64.
static uint32_t is_inside(uint64_t x, uint64_t y) { return y * y <= UINT64_MAX - x * x; }

void monte_carlo_pi_u32(const uint32_t* key, size_t n, uint32_t* inside) {
  uint32_t count = 0;
  for (size_t i = 0; i < n; i += 2) {
    uint32_t words[4];
    random_words(i / 2, key, words);
    count += is_inside(words[0], words[1]);
    if (i + 1 < n) count += is_inside(words[2], words[3]);
  }
  inside[0] = count;
}
