"""The inputs are the courses' data, bit for bit, and the results are the notebooks' results."""
# CTest: release

import re

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
    return [float(one) for one in re.findall(r"^\[\d+\].*  result (\S+)", result.stdout, re.M)]


# What long double says: with more digits than f64 has.
TRUTHS = {
    "energy": ((0, 1000), lambda x: np.sin(x) ** 2 + np.sqrt(np.abs(x)) + np.exp(-(x**2) / 50)),
    "gaussian_pdf": ((-3, 3), lambda x: np.exp(-(x**2) / 2) / np.sqrt(8 * np.arctan(x * 0 + 1))),
}


@pytest.mark.parametrize("variant", ["naive", "simd", "streaming"])
@pytest.mark.parametrize("workload", TRUTHS)
def test_the_error_in_f64_is_that_of_longer_numbers(bench, tmp_path, workload, variant):
    n = 54_321
    interval, formula = TRUTHS[workload]
    size = ["--dtype", "f64", "--size", n, "--output-npy", "out.npy"]
    said = bench("verify", f"{workload}/serial/{variant}", *size).stdout
    want = formula(np.random.RandomState(42).uniform(*interval, n).astype(np.longdouble))
    got = np.load(tmp_path / "out.npy")
    off = np.where(got == want.astype(np.float64), 0, np.abs(got - want))
    true = float((off / np.spacing(want.astype(np.float64))).max())
    assert float(re.search(r"error ([\d.]+) ulp", said)[1]) == pytest.approx(true, rel=5e-3)


def longest_sum(x, axis=None):
    """The sum of long doubles, in pairs: rows first."""
    return np.sum(x.astype(np.longdouble), axis=axis)


def standardized(x):
    x = x.astype(np.longdouble)
    mean = longest_sum(x) / x.size
    return (x - mean) / np.sqrt(longest_sum((x - mean) ** 2) / x.size)


# The interval of the inputs, their result, and the unit of the error next to eps.
SUMS = {
    "standardize": ((0, 1), standardized, lambda x, z: 1 + np.abs(z)),
    "sum_of_squares": ((0, 1), lambda x: longest_sum(x.astype(np.longdouble) ** 2), lambda x, z: z),
    "row_norms": (
        (-1, 1),
        lambda x: np.sqrt(longest_sum(x.astype(np.longdouble) ** 2, axis=1)),
        lambda x, z: z,
    ),
    "column_sums": (
        (0, 1),
        lambda x: longest_sum(x, axis=0),
        lambda x, z: np.sum(np.abs(x), axis=0),
    ),
    "scan": (
        (0, 1),
        lambda x: np.cumsum(x, dtype=np.longdouble),
        lambda x, z: np.cumsum(np.abs(x)),
    ),
}


@pytest.mark.parametrize("workload", SUMS)
def test_the_error_of_sums_in_f64_is_that_of_longer_numbers(bench, tmp_path, workload):
    interval, formula, unit = SUMS[workload]
    square = workload in ("row_norms", "column_sums")
    shape = (233, 233) if square else (54_321,)
    size = "x".join(map(str, shape))
    options = ["--dtype", "f64", "--size", size, "--output-npy", "out.npy"]
    done = bench("verify", f"{workload}/serial/naive", *options)
    x = np.random.RandomState(42).uniform(*interval, shape)
    want = formula(x)
    got = np.load(tmp_path / "out.npy").reshape(want.shape)
    off = np.where(got == want.astype(np.float64), 0, np.abs(got - want))
    true = float(np.max(off / (unit(x, want) * np.finfo(np.float64).eps)))
    assert float(re.search(r"error ([\d.e+-]+) eps", done.stdout)[1]) == pytest.approx(
        true, rel=5e-3
    )


def test_no_input_of_zero_suppress_is_a_negative_zero(document):
    n = 10_000
    np.random.seed(42)
    noise = np.random.normal(0, 3, n)
    pulses = np.maximum(np.sin(np.arange(n) / (n / 23)) - 0.3, 0)
    x = (300 * pulses + noise).astype(np.int16).astype(np.float32)
    d = document("zero_suppress/serial/naive", "--dtype", "f32", "--size", n, "--samples", 1)
    assert d["context"]["run"]["input_hash"]["zero_suppress"][f"f32/{n}"] == hash_of(x)


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
