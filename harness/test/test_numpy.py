"""The inputs are the courses' data, bit for bit, and the results are the notebooks' results."""
# CTest: release

import numpy as np
import pytest
import xxhash

TYPES = {"f32": np.float32, "f64": np.float64}


def hash_of(*arrays):
    return f"xxh3:{xxhash.xxh3_64_hexdigest(b''.join(a.tobytes() for a in arrays))}"


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", [42, 0, 4294967295])
@pytest.mark.parametrize("n", [1, 1001, 300_000])
def test_inputs_are_numpys(document, dtype, seed, n):
    d = document("--size", n, "--dtype", dtype, "--seed", seed, "--samples", "1", "--threads", "1")
    hashes = d["context"]["run"]["input_hash"]

    def uniform(lo, hi, size=n):
        return np.random.uniform(lo, hi, size).astype(TYPES[dtype])

    side = int(np.sqrt(n))
    expected = {
        "copy": (f"{n}", lambda: [uniform(0, 1)]),
        "energy": (f"{n}", lambda: [uniform(0, 1000)]),
        "gaussian_pdf": (f"{n}", lambda: [uniform(-3, 3)]),
        "hypot": (f"{n}", lambda: [uniform(-12, 12), uniform(-12, 12)]),
        "histogram": (f"{n}:256", lambda: [np.random.normal(0, 1, n).astype(TYPES[dtype])]),
        "transpose": (f"{side}x{side}", lambda: [uniform(0, 1, (side, side))]),
    }
    for workload, (size, draw) in expected.items():
        np.random.seed(seed)
        assert hashes[workload][f"{dtype}/{size}"] == hash_of(*draw()), workload


def shown(bench, workload, variant, *arguments):
    result = bench("verify", f"{workload}/serial/{variant}", *arguments)
    assert result.returncode == 0, result.stderr
    return [
        float(line.split()[0])
        for line in result.stdout.splitlines()
        if not line.startswith(("ok", "skipped"))
    ]


def test_first_results_are_the_notebooks(bench):
    np.random.seed(42)
    x = np.random.uniform(0, 1000, 1000).astype(np.float32).astype(np.float64)
    energy = np.sin(x) ** 2 + np.sqrt(np.abs(x)) + np.exp(-(x**2) / 50)
    np.testing.assert_allclose(
        shown(bench, "energy", "naive", "--size", 1000, "--show", 10), energy[:10], rtol=1e-6
    )

    np.random.seed(42)
    x = np.random.normal(0, 1, 10_000).astype(np.float32)
    counts, _ = np.histogram(x, bins=10, range=(-4, 4))
    assert (
        shown(bench, "histogram", "private_bins", "--size", "course", "--show", 10)
        == counts.tolist()
    )
