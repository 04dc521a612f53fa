"""My monte_carlo_pi: all blocks of Philox at a time, as arrays of 64-bit words.

To begin with: each round is a dozen passes through memory: blocks that stay in a cache need none.
Measure it with: bench try FILE
"""

import bench
import numpy as np

LOW = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


def random_words(blocks, key):
    """The four words of each block, by Philox4x32-10."""
    k0, k1 = (np.uint64(word) for word in key)
    c = [blocks & LOW, blocks >> HALF, np.zeros_like(blocks), np.zeros_like(blocks)]
    for _ in range(10):
        first, second = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(second >> HALF) ^ c[1] ^ k0, second & LOW, (first >> HALF) ^ c[3] ^ k1, first & LOW]
        k0, k1 = (k0 + np.uint64(0x9E3779B9)) & LOW, (k1 + np.uint64(0xBB67AE85)) & LOW
    return c


def are_inside(x, y):
    """Where x*x + y*y < 2^64."""
    return y * y <= np.uint64(2**64 - 1) - x * x


@bench.variant("monte_carlo_pi")
def mine(key, inside, n):
    x0, y0, x1, y1 = random_words(np.arange((int(n) + 1) // 2, dtype=np.uint64), key)
    inside[0] = np.count_nonzero(are_inside(x0, y0)) + np.count_nonzero(
        are_inside(x1, y1)[: n // 2]
    )
