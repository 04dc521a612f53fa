# Divergence: the same numbers shuffled and sorted. For one in eight, sin takes a longer way.
# python3 divergence.py
import json
import subprocess

import numpy as np

random = np.random.default_rng(seed=1)
x = random.uniform(0, 100, 400_000).astype(np.float32)
x[::8] = random.uniform(1e6, 1e7, x[::8].size)
random.shuffle(x)
np.save("shuffled.npy", x)
np.save("sorted.npy", np.sort(x))


def seconds(order):
    file = f"{order}.json"
    subprocess.run(["bench", "energy", "--input", f"{order}.npy", "--output", file], check=True)
    with open(file) as document:
        rows = json.load(document)["speedups"]
    return {
        (row["backend"], row["variant"], row["scope"]): row["seconds"]
        for row in rows
        if row["workload"] == "energy" and row["seconds"]
    }


shuffled, in_order = seconds("shuffled"), seconds("sorted")
print("time on shuffled numbers over the time on sorted ones:")
for key, time in in_order.items():
    print(f"  {'/'.join(key):30} {shuffled[key] / time:.2f}")
