# Your own data: NumPy saves an array, bench measures on it and gives the result back.
# python3 own_data.py
import subprocess

import numpy as np

x = np.random.default_rng(seed=1).normal(size=100_000).astype(np.float32)
np.save("x.npy", x)

subprocess.run(["bench", "energy/openmp", "--input", "x.npy"], check=True)
subprocess.run(
    ["bench", "verify", "energy/openmp/simd", "--input", "x.npy", "--output-npy", "energy.npy"],
    check=True,
)

x = x.astype(np.float64)
expected = np.sin(x) ** 2 + np.sqrt(np.abs(x)) + np.exp(-(x**2) / 50)
print("largest difference from NumPy:", np.abs(np.load("energy.npy") - expected).max())
