"""The user's own data: NumPy's files in, results out."""

import io
import json
import os
import struct

import numpy as np
import pytest

CHECKED = ["--samples", "1", "--max-time", "0"]


def definition(workload, x):
    x = x.astype(np.float64)
    if workload == "energy":
        return np.sin(x) ** 2 + np.sqrt(np.abs(x)) + np.exp(-x * x / 50)
    if workload == "gaussian_pdf":
        return np.exp(-x * x / 2) / np.sqrt(2 * np.pi)
    return x


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("workload", ["copy", "energy", "gaussian_pdf"])
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_results_of_own_data_are_numpys(workload, dtype, version, bench, tmp_path):
    x = np.random.default_rng(1).uniform(-3, 3, 1001).astype(dtype)
    with (tmp_path / "x.npy").open("wb") as file:
        np.lib.format.write_array(file, x, version=version)
    command = ["verify", f"{workload}/serial/naive", "--input", "x.npy", "--output-npy", "y.npy"]
    result = bench(*command)
    assert result.returncode == 0, result.stdout + result.stderr
    y = np.load(tmp_path / "y.npy")
    assert y.dtype == dtype
    assert y.shape == x.shape
    np.testing.assert_allclose(y, definition(workload, x), rtol=1e-5)


@pytest.mark.parametrize(("dtype", "huge"), [(np.float32, 2e8), (np.float64, 1e17)])
def test_every_variant_is_right_for_huge_angles(dtype, huge, bench, tmp_path):
    """Beyond the range of the branch-free sine, between angles within it."""
    x = np.random.default_rng(3).uniform(-3, 3, 5001).astype(dtype)
    x[::700] *= dtype(huge)
    np.save(tmp_path / "x.npy", x)
    for workload, inputs in (("energy", 1), ("sin_cos", 2), ("pulse_train", 1)):
        ladders = [f"{workload}/serial", f"{workload}/openmp"]
        result = bench("verify", *ladders, "--input", ",".join(["x.npy"] * inputs))
        assert (result.returncode, result.stderr) == (0, ""), result.stdout
        assert "failed" not in result.stdout


def test_an_array_without_elements_is_verified(bench, tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(0, np.float32))
    result = bench("verify", "energy/serial", "--input", "x.npy")
    assert (result.returncode, result.stderr) == (0, "")


def test_two_arrays_a_matrix_and_counts(bench, tmp_path):
    rng = np.random.default_rng(2)
    a, b = rng.normal(size=(2, 777)).astype(np.float32)
    m = rng.normal(size=(37, 53))
    with_nan = np.append(a, np.float32("nan"))
    for name, array in {"a": a, "b": b, "m": m, "n": with_nan}.items():
        np.save(tmp_path / name, array)

    def result(path, files, *options):
        (tmp_path / "out.npy").unlink(missing_ok=True)
        run = bench("verify", path, "--input", files, "--output-npy", "out.npy", *options)
        assert run.returncode == 0, run.stdout + run.stderr
        return np.load(tmp_path / "out.npy")

    np.testing.assert_allclose(result("hypot/openmp/simd", "a.npy,b.npy"), np.hypot(a, b), 1e-6)
    np.testing.assert_array_equal(result("transpose/openmp/tiled", "m.npy"), m.T)
    m[3, 5] = np.nan
    np.save(tmp_path / "m", m)
    np.testing.assert_array_equal(result("transpose/serial/naive", "m.npy"), m.T)
    np.testing.assert_array_equal(result("copy/openmp/streaming", "n.npy"), with_nan)
    counts = result("histogram/serial/naive", "n.npy", "--bins", "8")
    assert counts.dtype == np.uint32
    np.testing.assert_array_equal(counts, np.histogram(a, 8, (-4, 4))[0])


def test_a_workload_that_draws_its_own_numbers_takes_no_file(bench, tmp_path):
    np.save(tmp_path / "x", np.zeros(9, np.float32))
    result = bench("monte_carlo_pi", "--input", "x.npy")
    assert result.returncode == 2
    assert "monte_carlo_pi draws its own numbers: --seed chooses them" in result.stderr


def test_every_variant_is_measured_and_the_document_names_the_file(bench, tmp_path):
    x = np.linspace(0, 999, 12345).astype(np.float64)
    np.save(tmp_path / "my data.npy", x)
    run = bench("energy", "--input", "my data.npy", *CHECKED, "--output", "r.json")
    assert run.returncode == 0, run.stderr
    document = json.loads((tmp_path / "r.json").read_text())
    (facts,) = document["context"]["run"]["input_files"]
    xxhash = pytest.importorskip("xxhash")
    digest = xxhash.xxh3_64_hexdigest(x.tobytes())
    shape = [12345]
    assert facts == {
        "path": "my data.npy", "shape": shape, "dtype": "f64", "hash": f"xxh3:{digest}"
    }  # fmt: skip
    hashes = document["context"]["run"]["input_hash"]["energy"]
    assert hashes == {"f64/12345": f"xxh3:{digest}"}
    gpu = document["context"]["machine"]["gpu"]
    for case in document["cases"]:
        assert "input=my_data.npy" in case["name"]
        skipped = not case["threads"] and not gpu
        assert case["status"] == ("skipped" if skipped else "measured")


def saved(array, **options):
    buffer = io.BytesIO()
    np.save(buffer, array, **options)
    return buffer.getvalue()


GOOD = saved(np.zeros(10, np.float32))


def header(text, version=1, data=b"\0" * 40, length=None):
    size = struct.pack("<H" if version == 1 else "<I", len(text) if length is None else length)
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + data


def dictionary(descr="'<f4'", order="False", shape="(10,)", more=""):
    return f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, {more}}}\n".encode()


REFUSED = {
    "empty": (b"", "is empty"),
    "text": (b"1 2 3\n", "is not an .npy file"),
    "pointer": (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "git lfs pull"),
    "archive": (b"PK\x03\x04" + b"\0" * 50, "archive"),
    "magic_only": (GOOD[:6], "cut off in its header"),
    "no_length": (GOOD[:8], "cut off in its header"),
    "half_header": (GOOD[:40], "cut off in its header"),
    "half_data": (GOOD[:-1], "promises 40 bytes of data, 39 are there"),
    "no_data": (GOOD[:128], "promises 40 bytes of data, 0 are there"),
    "version_0": (GOOD[:6] + b"\0" + GOOD[7:], "version 0.0"),
    "version_4": (GOOD[:6] + b"\4" + GOOD[7:], "version 4.0"),
    "version_1_1": (GOOD[:7] + b"\1" + GOOD[8:], "version 1.1"),
    "int64": (saved(np.zeros(3, np.int64)), "holds integers ('<i8'); wanted float16, float32"),
    "float128": (saved(np.zeros(3, np.longdouble)), "floats of another size"),
    "big_endian": (saved(np.zeros(3, ">f4")), "big-endian"),
    "complex": (saved(np.zeros(3, complex)), "complex"),
    "bool": (saved(np.zeros(3, bool)), "truth values"),
    "strings": (saved(np.array(["a", "b"])), "another type"),
    "objects": (saved(np.array([1, "a"], object), allow_pickle=True), "Python objects"),
    "records": (saved(np.zeros(3, [("a", "f4"), ("b", "f4")])), "records with fields"),
    "fortran": (saved(np.asfortranarray(np.zeros((3, 4), np.float32))), "Fortran order"),
    "scalar": (saved(np.float32(3)), "has 0 dimensions"),
    "three_d": (saved(np.zeros((2, 3, 4), np.float32)), "has 3 dimensions (2x3x4)"),
    "matrix": (saved(np.zeros((2, 3), np.float32)), "energy wants a vector"),
    "nan": (saved(np.array([1, np.nan, 3], np.float32)), "NaN at index 1"),
    "long_header": (header(dictionary(), version=2, length=2**32 - 1), "which no array needs"),
    "beyond_end": (header(dictionary(), data=b"", length=5000), "cut off in its header"),
    "no_dict": (header(b"42\n"), "damaged header"),
    "empty_dict": (header(b"{}\n"), "is missing"),
    "open_dict": (header(b"{'descr': '<f4'"), "damaged header"),
    "open_text": (header(b"{'descr"), "damaged header in a text"),
    "twice": (header(dictionary(more="'shape': (1,), ")), "twice"),
    "unknown_key": (header(dictionary(more="'x': 1, ")), "unknown"),
    "junk": (header(dictionary() + b"junk"), "after the dictionary"),
    "code": (header(b"__import__('os').system('touch pwned')\n"), "damaged header"),
    "negative": (header(dictionary(shape="(-1,)")), "damaged header in the shape"),
    "huge": (header(dictionary(shape="(99999999999999999999,)")), "too large"),
    "overflow": (header(dictionary(shape="(281474976710656, 281474976710656)")), "more than"),
    "leading_zero": (header(dictionary(shape="(010,)")), "damaged header in the shape"),
    "many_dims": (header(dictionary(shape="(" + "1," * 40 + ")")), "damaged header in the shape"),
    "no_tuple": (header(dictionary(shape="(10)")), "damaged header in the shape"),
    "float_dim": (header(dictionary(shape="(1.5,)")), "damaged header"),
    "order": (header(dictionary(order="Maybe")), "fortran_order"),
    "nul": (header(b"\0" * 100), "damaged header"),
    "escape": (header(b"\x1b[31m{'descr'"), "damaged header"),
    "utf8": (header("{'déscr': 1}".encode()), "unknown"),
    "deep": (header(b"{'shape': " + b"(" * 5000), "damaged header"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_are_one_line_that_names_file_and_fault(name, bench, tmp_path):
    content, reason = REFUSED[name]
    (tmp_path / "x.npy").write_bytes(content)
    result = bench("energy", "--input", "x.npy")
    assert result.returncode == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("bench: x.npy: ")
    assert reason in line
    assert line.isprintable()
    assert len(line) < 250
    assert os.listdir(tmp_path) == ["x.npy"]


def test_what_python_2_and_others_write_is_read(bench, tmp_path):
    variants = {
        "long.npy": header(dictionary(shape="(10L,)")),
        "double_quotes.npy": header(dictionary().replace(b"'", b'"')),
        "no_last_comma.npy": header(b"{'shape':(10,),'fortran_order':False,'descr':'<f4'}"),
        "flag_of_a_vector.npy": header(dictionary(order="True")),
        "more_data.npy": GOOD + b"trailing",
        "unicode.npy": header(dictionary().replace(b"'descr'", b"u'descr'")),
        "blanks.npy": header(b"{\r\n\t" + dictionary().strip()[1:-1] + b"\f}\r\n"),
    }
    for i, descr in enumerate(("=f4", "f4", "<f", "=f", "f", "float32", "single")):
        variants[f"descr_{i}.npy"] = header(dictionary(descr=f"'{descr}'"))
    wide = b"\0" * 80
    for i, descr in enumerate(("=f8", "f8", "<d", "d", "float64", "double", "float")):
        variants[f"wide_{i}.npy"] = header(dictionary(descr=f"'{descr}'"), data=wide)
    for name, content in variants.items():
        (tmp_path / name).write_bytes(content)
        assert bench("verify", "copy/serial", "--input", name).returncode == 0, name


def test_halves_are_read(bench, tmp_path):
    np.save(tmp_path / "a.npy", np.linspace(-2, 2, 6, dtype=np.float16).reshape(2, 3))
    np.save(tmp_path / "b.npy", np.linspace(0, 1, 12, dtype=np.float16).reshape(3, 4))
    result = bench("verify", "matmul/serial", "--input", "a.npy,b.npy")
    assert result.returncode == 0, result.stderr
    assert "ok       matmul/serial/register_tile/f16/2x4x3/kernel" in result.stdout
    np.save(tmp_path / "x.npy", np.zeros(5, np.float16))
    (line,) = bench("energy", "--input", "x.npy").stderr.splitlines()
    assert "energy is computed in f32, f64 only" in line


@pytest.mark.parametrize("descr", [">f", ">float32", ">e", "float128", "g", "?", "int64", "f16"])
def test_a_type_that_cannot_be_read_is_not_called_another_size_of_itself(descr, bench, tmp_path):
    (tmp_path / "x.npy").write_bytes(header(dictionary(descr=f"'{descr}'")))
    (line,) = bench("energy", "--input", "x.npy").stderr.splitlines()
    assert f"('{descr}'); wanted float16, float32, float64 or int16" in line


def test_a_file_that_memory_cannot_hold_is_refused_before_it_is_read(bench, tmp_path):
    with open(tmp_path / "huge.npy", "wb") as file:
        file.write(header(dictionary(shape="(1000000000000,)"), data=b""))
        file.truncate(4 * 10**12 + 1000)  # sparse: reading it would take an hour
    result = bench("energy", "--input", "huge.npy")
    assert result.returncode == 2
    assert result.stderr.startswith("bench: huge.npy: holds 4000.0 GB; ")
    assert result.stderr.endswith(": take a part of it\n")


def one_line(result):
    assert result.returncode == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def test_wrong_use(bench, tmp_path):
    np.save(tmp_path / "a.npy", np.zeros(10, np.float32))
    np.save(tmp_path / "b.npy", np.zeros(11, np.float32))
    np.save(tmp_path / "c.npy", np.zeros(10, np.float64))
    np.save(tmp_path / "none", np.zeros(0))
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    wrong = {
        ("energy", "--input", "missing.npy"): "missing.npy: cannot be read: No such file",
        ("energy", "--input", "folder"): "folder: is not a file",
        ("energy", "--input", "pipe"): "pipe: is not a file",
        ("energy", "--input", "/dev/zero"): "/dev/zero: is not a file",
        ("energy", "--input", "a.npy,c.npy"): "c.npy: holds f64, a.npy holds f32",
        ("hypot", "--input", "a.npy,b.npy"): "b.npy: has the shape 11; hypot wants 10 here",
        ("hypot", "--input", "a.npy"): "hypot takes two arrays (A.npy,B.npy), 1 given",
        ("energy", "--input", "a.npy,a.npy"): "energy takes one array, 2 given",
        ("transpose", "--input", "a.npy"): "transpose wants a matrix",
        ("energy", "--input", "a.npy", "--size", "5"): "--size and --input exclude each other",
        ("energy", "--input", "a.npy", "--dtype", "f32"): "--dtype and --input exclude each other",
        ("energy", "--input", "none.npy"): "size 0: energy has nothing to measure there",
        ("--input", "a.npy"): "name the workload",
        ("energy", "--input", ""): "--input needs a value",
        ("energy", "--input", "a.npy,"): "nothing between two commas",
        ("verify", "energy", "--output-npy", "o.npy"): "results are selected",
        ("verify", "energy/serial/naive", "--size", "5,6", "--output-npy", "o"): "2 results",
    }
    for arguments, reason in wrong.items():
        assert reason in one_line(bench(*arguments)), arguments


def test_an_output_that_cannot_be_written_is_said(bench):
    command = ["verify", "copy/serial/naive", "--size", "9"]
    result = bench(*command, "--output-npy", "/nowhere/o.npy")
    assert "--output-npy /nowhere/o.npy: cannot be written: No such file" in one_line(result)


def test_an_output_overwrites_nothing(bench, tmp_path):
    np.save(tmp_path / "x", np.zeros(9, np.float32))
    before = (tmp_path / "x.npy").read_bytes()
    os.mkfifo(tmp_path / "pipe")
    command = ["verify", "copy/serial/naive", "--input", "x.npy", "--output-npy"]
    remedy = "choose another --output-npy"
    said = one_line(bench(*command, "x.npy"))
    assert f"x.npy exists already: {remedy} or remove it" in said
    assert one_line(bench(*command, "pipe")).endswith(
        f"exists already, and is not a file: {remedy}"
    )
    assert (tmp_path / "x.npy").read_bytes() == before


def test_a_folder_has_the_inputs_that_give_the_same_result(bench, tmp_path):
    listed = json.loads(bench("list", "--format", "json").stdout)["workloads"]
    for workload in [one["name"] for one in listed]:
        command = ["verify", f"{workload}/serial/naive", "--output-npy"]
        # A file does not say how many steps: it has the default's.
        size = "33x34" if workload == "stencil" else "tiny"
        made = bench(*command, f"{workload}/", "--size", size)
        assert made.returncode == 0, made.stdout + made.stderr
        files = [str(one) for one in sorted((tmp_path / workload).glob("input_*.npy"))]
        if workload == "monte_carlo_pi":  # the key of its random numbers
            assert [np.load(one).shape for one in files] == [(2,)]
            continue
        bins = ["--bins", "10"] if workload == "histogram" else []
        again = bench(*command, f"{workload}.npy", "--input", ",".join(files), *bins)
        assert again.returncode == 0, again.stdout + again.stderr
        result = np.load(tmp_path / workload / "result.npy")
        np.testing.assert_array_equal(result, np.load(tmp_path / f"{workload}.npy"))
    taken = one_line(bench(*command, "copy/", "--size", "tiny"))
    assert "copy exists already, and is not a file: choose another --output-npy" in taken
    assert "no/copy: cannot be written" in one_line(bench(*command, "no/copy/", "--size", "tiny"))
