"""Kernels of others: what is right is measured among our own; a fault costs its own row only."""
# CTest: release

import csv
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pytest

from conftest import BENCH, QUICK

KERNELS = pathlib.Path(__file__).resolve().parents[2] / "kernels"

HEADS = {
    ".py": "import bench, os, signal, sys, time\nimport numpy as np\n",
    ".cpp": "#include <cstdlib>\n#include <cstdio>\n#include <unistd.h>\n",
}
ENERGY_PY = "np.sin(x) ** 2 + np.sqrt(np.abs(x)) + np.exp(-x * x / 50)"
COPY_LOOP = "for (size_t i = 0; i < n; ++i) out[i] = in[i];"


def copy_cpp(body):
    return f"{HEADS['.cpp']}\nvoid copy_f32(const float* in, float* out, size_t n) {{ {body} }}\n"


def copy_py(body):
    return f"{HEADS['.py']}\n@bench.variant('copy')\ndef mine(x, out):\n    {body}\n"


@pytest.fixture
def tried(bench, tmp_path):
    """Tries files, given as name=text; returns their cases by variant, and the process."""

    def run(files, *arguments, **environment):
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        environment.setdefault("BENCH_PYTHON", sys.executable)
        result = bench("try", *files, *QUICK, "--output", "-", *arguments, **environment)
        assert result.stdout, result.stderr
        cases = json.loads(result.stdout)["cases"]
        return {one["variant"]: one for one in cases if "guest" in one}, cases, result

    return run


def test_names_keep_their_letters(tried):
    guests, _, _ = tried({"joão.CPP": copy_cpp(COPY_LOOP), "a b?.cpp": copy_cpp(COPY_LOOP)})
    assert {name: one["status"] for name, one in guests.items()} == {
        "joão": "measured",
        "a_b_": "measured",
    }
    assert guests["joão"]["guest"] == "joão.CPP"


def test_files_of_one_name_are_told_apart(tried, tmp_path):
    plain = f"void copy_f32(const float* in, float* out, size_t n) {{ {COPY_LOOP} }}\n"
    files = {"m.cpp": copy_cpp(COPY_LOOP), "m.c": plain, "m.py": copy_py("out[:] = x")}
    guests, _, _ = tried(files)
    assert {name: one["guest"] for name, one in guests.items()} == {name: name for name in files}
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    guests, _, _ = tried(
        {f"{folder}/m.c": plain for folder in ("a", "b")} | {"b/m.py": files["m.py"]}
    )
    assert set(guests) == {"a-m", "b-m.c", "b-m.py"}


def test_interpreters_start_beside_each_other(tried, tmp_path):
    # Each is there only once the other has begun.
    files = {}
    for mine, other in (("a", "b"), ("b", "a")):
        waits = f"""
open({str(tmp_path / mine)!r}, "w").close()
while not os.path.exists({str(tmp_path / other)!r}):
    time.sleep(0.01)
"""
        files[f"{mine}.py"] = copy_py("out[:] = x").replace("\n@", f"{waits}\n@")
    guests, _, _ = tried(files, "--patience", "20")
    assert {name: one["status"] for name, one in guests.items()} == dict.fromkeys("ab", "measured")


def test_a_file_that_is_there_is_noticed_before_anything_starts(bench, tmp_path):
    (tmp_path / "mine.py").write_text(f"open({str(tmp_path / 'started')!r}, 'w')\n")
    (tmp_path / "class.json").write_text("{}")
    command = ["copy/serial", "--with", "mine.py", *QUICK, "--output", "class.json"]
    refused = bench(*command, BENCH_PYTHON=sys.executable)
    assert refused.returncode == 2
    assert refused.stderr.startswith("bench: class.json exists already: choose another --output")
    assert not (tmp_path / "started").exists()
    # A job that Slurm has started again may continue it.
    bench(*command, BENCH_PYTHON=sys.executable, SLURM_RESTART_COUNT="1")
    assert (tmp_path / "started").exists()


def test_a_guest_is_measured_in_the_same_rounds(tried):
    guests, cases, result = tried(
        {"mine.cpp": "// my own idea\n" + copy_cpp(COPY_LOOP), "yours.py": copy_py("out[:] = x")}
    )
    assert result.returncode == 0, result.stderr
    rounds = {one["rounds"] for one in cases if one["status"] == "measured"}
    assert len(rounds) == 1
    for name, file in (("mine", "mine.cpp"), ("yours", "yours.py")):
        one = guests[name]
        assert one["name"] == f"copy/guest/{name}/f32/1000/kernel"
        assert (one["status"], one["guest"]) == ("measured", file)
        assert one["verification"]["passed"] is True
        assert one["standing"]["rank"] in (1, 2, None), "of a busy node nothing can be said"
    assert guests["mine"]["idea"] == "my own idea"


def test_the_document_names_files_commands_and_hashes(tried):
    _, _, result = tried(
        {"mine.c": f"void copy_f32(const float* in, float* out, size_t n) {{ {COPY_LOOP} }}\n"}
    )
    (guest,) = json.loads(result.stdout)["context"]["run"]["guests"]
    assert guest["path"] == "mine.c"
    assert guest["hash"].startswith("xxh3:")
    assert {"-O3", "-march=native", "-fopenmp"} <= set(guest["command"].split())


def test_no_guest_is_a_baseline(tried):
    _, cases, _ = tried({"mine.cpp": copy_cpp("__builtin_memcpy(out, in, n * sizeof *in);")})
    baselines = {
        ratio["baseline"]
        for one in json.loads(_.stdout)["speedups"]
        for ratio in (one["over_serial"], one["over_best_cpu"])
        if ratio
    }
    assert not any("guest" in name for name in baselines)
    assert len(cases) > 4


WRONG = {
    "leaves_out.cpp": (copy_cpp("for (size_t i = 0; i + 1 < n; ++i) out[i] = in[i];"), "999"),
    "crashes.cpp": (copy_cpp("*(volatile int*)8 = 1;"), "writes where no array is"),
    "aborts.cpp": (copy_cpp('std::fputs("I give up\\n", stderr); std::abort();'), "I give up"),
    "leaves.cpp": (copy_cpp("std::exit(3);"), "called exit(3)"),
    "writes_input.cpp": (
        copy_cpp(COPY_LOOP + "((float*)in)[3] = 1;"),
        "writes element 3 of in, which has 1013, and may only be read",
    ),
    "overruns.cpp": (
        copy_cpp(COPY_LOOP + "out[n] = 1;"),
        "line 5: writes element 1013 of out, which has 1013",
    ),
    "one_more.cpp": (
        copy_cpp("for (size_t i = 0; i <= n; ++i) out[i] = in[i];"),
        "line 5: reads element 1013 of in, which has 1013",
    ),
    "nothing.cpp": (copy_cpp(""), ""),
    "throws.cpp": (copy_cpp("throw 7;"), "threw int"),
    "sleeps.cpp": (
        copy_cpp("for (;;) pause();"),
        "no answer within 2 s (an endless loop? --timeout waits longer)",
    ),
    "raises.py": (copy_py("raise ValueError('no idea')"), "raises.py:6: ValueError: no idea"),
    "deep.py": (
        copy_py("exec(compile('int(None)', '/usr/lib/python3/dist-packages/a.py', 'exec'))"),
        "deep.py:6: TypeError",
    ),
    "renames.py": (copy_py("out = x.copy()"), "write out[:] = …, or return the result"),
    "writes_input.py": (copy_py("x[0] = 1"), "read-only"),
    "exits.py": (copy_py("sys.exit(4)"), "SystemExit"),
    "killed.py": (copy_py("os.kill(os.getpid(), signal.SIGKILL)"), "signal 9"),
    "shape.py": (copy_py("return x[:-1]"), "broadcast"),
    "garbage.py": (
        copy_py("os.write(int(os.environ['BENCH_GUEST']), b'hello\\n'); out[:] = x"),
        "answered with something else",
    ),
    "forged.py": (
        copy_py("os.write(int(os.environ['BENCH_GUEST']), b'{\"seconds\": -1}\\n'); out[:] = x"),
        "says that it took",
    ),
    "slow_claim.py": (
        copy_py("os.write(int(os.environ['BENCH_GUEST']), b'{\"seconds\": 1e9}\\n'); out[:] = x"),
        "says that it took",
    ),
    "hungry.py": (copy_py("np.ones(1 << 50); out[:] = x"), "allocate"),
    "does_not_compile.cpp": (copy_cpp("out[0] = nothing;"), "does_not_compile.cpp:5"),
    "signature.cpp": (
        'extern "C" void copy_f32(const double* in, double* out, unsigned long n) {}\n',
        "; wanted: void copy_f32(const float* in, float* out, size_t n)",
    ),
    "types.c": (
        "void copy_f32(const double* in, double* out, size_t n) {}\n",
        "; wanted: void copy_f32(const float* in, float* out, size_t n)",
    ),
    "overload.cpp": (
        "void copy_f32(float* in, float* out, int n) {}\n",
        "line 1 has void copy_f32(float* in, float* out, int n); wanted: void copy",
    ),
    "misses.cpp": (
        "void helper();\n" + copy_cpp("helper();"),
        "undefined reference to `helper()'",
    ),
    "syntax.py": (HEADS[".py"] + "@bench.variant('copy')\ndef mine(x, out:\n", "syntax.py:4"),
    "imports.py": (
        "import no_such_module\nimport bench\nbench.variant('copy')\n",
        "No module named 'no_such_module'",
    ),
}


# A bench that has clang's sanitizers cannot load those of g++, which know the line.
SEEN_BY_SANITIZERS = ("crashes.cpp", "writes_input.cpp", "overruns.cpp", "one_more.cpp")


def test_each_fault_costs_its_own_row_only(bench, tried):
    built = json.loads(bench("doctor", "--format", "json").stdout)["context"]["build"]
    unseen = SEEN_BY_SANITIZERS if "clang" in built["compiler"].lower() else ()
    files = {
        name: text for name, (text, _) in WRONG.items() if not name.startswith("writes_input.p")
    }
    files["good.cpp"] = copy_cpp(COPY_LOOP)
    guests, cases, result = tried(files, "--patience", "2")
    assert result.returncode == 1
    assert guests["good"]["status"] == "measured"
    assert guests["good"]["verification"]["passed"] is True
    ours = [one for one in cases if "guest" not in one and one["backend"] in ("serial", "openmp")]
    assert {one["status"] for one in ours} == {"measured"}
    for name in files:
        if name == "good.cpp":
            continue
        case = guests[name.rsplit(".", 1)[0]]
        # A package that this node lacks is not the fault of the file.
        wanted = "skipped" if name == "imports.py" else "failed"
        assert case["status"] == wanted, (name, case["reason"])
        assert case["seconds"] is None
        assert name in unseen or WRONG[name][1] in case["reason"], (name, case["reason"])
        assert "\n" not in case["reason"]


def test_a_python_guest_cannot_write_its_input(tried):
    guests, _, _ = tried({"writes_input.py": WRONG["writes_input.py"][0]})
    assert WRONG["writes_input.py"][1] in guests["writes_input"]["reason"]


def test_what_a_guest_prints_stays_out_of_the_document(tried):
    guests, cases, result = tried(
        {
            "noisy.py": copy_py("print('noise', 'x' * 100000); out[:] = x"),
            "noisy_too.cpp": copy_cpp('std::puts("noise");' + COPY_LOOP),
        }
    )
    failed = {one["name"]: one["reason"] for one in cases if one["status"] == "failed"}
    assert (failed, result.returncode) == ({}, 0), result.stderr
    assert "noise\n" not in result.stdout
    assert {one["status"] for one in guests.values()} == {"measured"}


def test_what_a_guest_starts_ends_with_it(tried, tmp_path):
    pid_file = tmp_path / "pid"
    text = copy_py(
        f"out[:] = x\n    if not os.path.exists({str(pid_file)!r}):\n"
        f"        pid = os.fork()\n        if pid == 0:\n            time.sleep(600)\n"
        f"        open({str(pid_file)!r}, 'w').write(str(pid))"
    )
    guests, _, _ = tried({"forks.py": text})
    assert guests["forks"]["status"] == "measured", guests["forks"]["reason"]
    pid = int(pid_file.read_text())
    for _ in range(100):
        if not os.path.exists(f"/proc/{pid}"):
            break
        state = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").split()[2]
        if state == "Z":  # ended; nobody waits for it
            break
        time.sleep(0.05)
    else:
        pytest.fail("still there")


PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reference" / "guest-protocol.md"


def test_any_program_that_speaks_the_protocol_is_a_guest(tried, tmp_path):
    """The one of the page on the protocol."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    file = tmp_path / "program"
    file.touch(mode=0o700)
    guests, _, result = tried({"program": program.replace("/usr/bin/env python3", sys.executable)})
    assert result.returncode == 0, result.stderr
    assert guests["by_hand"]["status"] == "measured", guests["by_hand"]["reason"]


def test_both_precisions_and_the_parameters(tried):
    python = HEADS[".py"] + (
        "@bench.variant('gaussian_pdf')\n"
        "def mine(x, pdf, mu, sigma):\n"
        "    assert type(mu) is x.dtype.type\n"
        "    pdf[:] = np.exp(-(((x - mu) / sigma) ** 2) / 2) / (sigma * np.sqrt(2 * np.pi))\n"
    )
    _, cases, result = tried({"mine.py": python}, "--dtype", "f32,f64")
    assert result.returncode == 0, result.stderr
    assert {one["dtype"] for one in cases if "guest" in one} == {"f32", "f64"}


def test_a_guest_of_one_precision_is_measured_in_that(tried):
    text = "void copy_f64(const double* in, double* out, size_t n) { " + COPY_LOOP + " }\n"
    guests, _, _ = tried({"mine.cpp": text})
    assert guests["mine"]["dtype"] == "f64"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "mine.txt",
            "text",
            "mine.txt: is neither .c, .cpp, .cc, .cxx, .c++, .cp, .cu, .so, .py nor",
        ),
        ("mine.cpp", "int x;\n", "mine.cpp: exports no kernel"),
        (
            "mine.cpp",
            f"// copy_f32\n// a\nint b; /* __global__ {'a' * 60000} */",
            "exports no kernel",
        ),
        ("mine.py", "import bench\n", "mine.py: exports no kernel"),
        ("mine.so", "no object", "mine.so: "),
        ("mine.cpp", "void copy_f32(float* in, int n) {}\n", "mine.cpp: line 1 has void copy_f32("),
        ("mine.c", "void copy_f32(float* in, int n) {}\n", "mine.c: does not compile"),
        (
            "mine.py",
            "import bench\n@bench.variant('enrgy')\ndef f(x, y): pass\n",
            "no workload is called 'enrgy' (did you mean energy?)",
        ),
        (
            "mine.py",
            "import bench\n@bench.variant('copy', backend='serial')\ndef f(x, y): pass\n",
            "'serial' is what bench's own variants are called",
        ),
    ],
)
def test_a_file_that_is_no_kernel_is_one_line(bench, tmp_path, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf-8")
    result = bench("try", name, *QUICK, BENCH_PYTHON=sys.executable)
    assert result.returncode == 2
    first, last = result.stderr.splitlines()
    assert message in first
    assert last == "bench: none of these files can be measured"


def test_other_mistakes_are_one_line(bench, tmp_path):
    (tmp_path / "mine.cpp").write_text(copy_cpp(COPY_LOOP), encoding="utf-8")
    (tmp_path / "there.py").write_text("", encoding="utf-8")
    for arguments, message in (
        (["try"], "try: name files with kernels"),
        (["try", "absent.cpp"], "absent.cpp: No such file or directory"),
        (["try", "."], ".: is a folder: name its files (./*.cpp)"),
        (["energy", "--with", "mine.cpp"], "computes copy, which is not among"),
        (["try", "--new", "enrgy", "a.cpp"], "did you mean energy?"),
        (["try", "--new", "energy", "a.f90"], "must end in .cpp, .c, .cu, .hip or .py"),
        (["try", "--new", "energy", "there.py"], "is there already"),
        (["try", "--new", "energy", "a.py", "b.py"], "name one file"),
    ):
        result = bench(*arguments, *(QUICK if "--new" not in arguments else []))
        assert result.returncode == 2, arguments
        assert message in result.stderr.splitlines()[0], result.stderr
    assert (tmp_path / "there.py").read_text() == ""


def test_no_compiler_and_no_python_are_reasons(bench, tmp_path):
    (tmp_path / "mine.cpp").write_text(copy_cpp(COPY_LOOP), encoding="utf-8")
    (tmp_path / "mine.py").write_text(copy_py("out[:] = x"), encoding="utf-8")
    result = bench("try", "mine.cpp", "mine.py", *QUICK, "--output", "-", PATH="/nowhere")
    assert (result.returncode, result.stdout) == (2, "")
    cpp, python, _ = result.stderr.splitlines()
    assert cpp.startswith("bench: mine.cpp: ")
    assert "no compiler found" in cpp
    assert python.startswith("bench: mine.py: no Python found")


def test_what_this_node_lacks_is_no_fault_of_a_file(tried):
    # In a class nobody has points taken away for it.
    lacking = "import no_such_package\n" + copy_py("out[:] = x")
    guests, _, _ = tried({"lacking.py": lacking, "mine.cpp": copy_cpp(COPY_LOOP)})
    assert guests["mine"]["status"] == "measured"
    assert guests["lacking"]["status"] == "skipped"
    assert "No module named 'no_such_package'" in guests["lacking"]["reason"]


def test_files_of_one_name_are_told_apart_by_their_folders(bench, tmp_path):
    for student in ("ana", "rui", "a b"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "copy.cpp").write_text(copy_cpp(COPY_LOOP), encoding="utf-8")
    files = [str(path.relative_to(tmp_path)) for path in sorted(tmp_path.glob("*/copy.cpp"))]
    result = bench("try", *files, *QUICK, "--output", "-")
    names = {one["variant"] for one in json.loads(result.stdout)["cases"] if "guest" in one}
    assert names == {"ana-copy", "rui-copy", "a_b-copy"}


def test_a_file_that_changes_while_it_is_measured_stays_what_it_was(tried, tmp_path):
    """What is loaded is a copy; a Python file is read once."""
    text = copy_py(f"out[:] = x; open({str(tmp_path / 'mine.py')!r}, 'w').write('nonsense(')")
    guests, _, _ = tried({"mine.py": text})
    assert guests["mine"]["status"] == "measured", guests["mine"]["reason"]


def test_every_starter_is_right(bench, tmp_path):
    from_source = sorted(path.parent.name for path in KERNELS.glob("*/serial.cpp"))
    files = []
    for workload in from_source:
        for kind in ("c", "cpp", "py"):
            name = f"{workload}_{kind}.{kind}"
            made = bench("try", "--new", workload, name)
            assert made.returncode == 0, made.stderr
            assert f"next: {made.args[0]} try {name}" in made.stdout
            files.append(name)
    python = sys.executable
    result = bench("try", *files, *QUICK, "--output", "-", timeout=900, BENCH_PYTHON=python)
    guests = [one for one in json.loads(result.stdout)["cases"] if "guest" in one]
    assert len(guests) == len(files)
    for one in guests:
        assert one["status"] == "measured", (one["guest"], one["reason"])
        assert "the naive loop" in one["idea"] or one["idea"].startswith("My ")


def test_what_computes_when_it_is_looked_at_computes_in_time(tried):
    lazy = HEADS[".py"] + (
        "class Lazy:\n"
        "    def __array__(self, dtype=None, copy=None):\n"
        "        time.sleep(0.05)\n        return self.x.copy()\n"
        "@bench.variant('copy')\ndef mine(x, out):\n    late = Lazy()\n    late.x = x\n"
        "    return late\n"
    )
    guests, _, _ = tried({"lazy.py": lazy})
    assert guests["lazy"]["status"] == "measured", guests["lazy"]["reason"]
    assert guests["lazy"]["seconds"]["min"] > 0.04


def test_verify_checks_guests_too(bench, tmp_path):
    (tmp_path / "mine.cpp").write_text(copy_cpp(COPY_LOOP), encoding="utf-8")
    result = bench("verify", "copy", "--with", "mine.cpp", "--size", "tiny")
    assert result.returncode == 0, result.stderr
    assert "ok       copy/guest/mine/f32/1000/kernel" in result.stdout


def measured_again(text):
    found = re.search(r"vary too much: ([^.]*)[.] Measure again", " ".join(text.split()))
    return found[1] if found else ""


def test_a_class_is_one_table_with_ranks_and_a_line_per_file_for_a_spreadsheet(bench, tmp_path):
    for name, times in (("ana", 1), ("rui", 1), ("eva", 300)):
        body = f'for (int k = 0; k < {times}; ++k) {{ {COPY_LOOP} asm volatile("" ::: "memory"); }}'
        (tmp_path / f"{name}.cpp").write_text(copy_cpp(body), encoding="utf-8")
    (tmp_path / "leo.cpp").write_text(copy_cpp("nonsense"), encoding="utf-8")
    (tmp_path / "lia.docx").write_text("an essay", encoding="utf-8")
    (tmp_path / "max.py").write_text("", encoding="utf-8")
    files = ["ana.cpp", "rui.cpp", "eva.cpp", "leo.cpp", "lia.docx", "max.py", "zoe.cpp"]
    run = bench("try", *files, "--size", "100000", "--samples", "9", "--output", "class.json")
    assert run.returncode == 1
    assert "rank" in run.stdout
    assert (" · graded · " in run.stdout) is ("--graded" in run.args)
    columns = "variant,guest,status,reason,time,rank"
    table = bench("table", "class.json", "--format", "csv", "--columns", columns)
    rows = {row["guest"]: row for row in csv.DictReader(io.StringIO(table.stdout)) if row["guest"]}
    # On a busy node a file has no rank, and is to be measured again.
    assert rows["eva.cpp"]["rank"] in ("1", "2", "3", ""), "one of four has no rank"
    assert {rows[name]["rank"] for name in ("ana.cpp", "rui.cpp")} <= {"1", "2", ""}
    for name in ("ana.cpp", "rui.cpp", "eva.cpp"):
        again = rows[name]["no_rank_because"] == "measure again"
        assert again == (rows[name]["rank"] == ""), name
        assert again == (f"guest/{name[:3]}" in measured_again(run.stdout)), name
    assert (rows["leo.cpp"]["status"], rows["leo.cpp"]["rank"]) == ("failed", "")
    assert "nonsense" in rows["leo.cpp"]["reason"]
    assert rows["lia.docx"]["reason"].startswith("is neither .c, .cpp")
    assert rows["max.py"]["reason"] == "the file is empty"
    assert rows["zoe.cpp"]["reason"] == "No such file or directory"
    assert all(row["guest_hash"].startswith("xxh3:") for row in rows.values())
    assert list(rows)[2:] == files[2:], "the fastest first, what failed last"
    complaints = run.stderr.splitlines()
    assert [line.split(": ")[1] for line in complaints] == files[3:], "at once, a line each"
    assert re.search(
        r"leo\.cpp: does not compile: leo\.cpp:\d+:.*; tried: \S*\+\+ .* leo\.cpp$", complaints[0]
    )


WITH_PEERS = pytest.mark.skipif(
    not (pathlib.Path(BENCH).parents[1] / "scripts" / "bench_hpc").exists(),
    reason="this program was built elsewhere than in build/",
)


@WITH_PEERS
def test_peers_are_measured_beside_the_variants(document):
    pytest.importorskip("numba", reason="numba is not installed (scripts/setup.sh all)")
    cases = document("energy", "--peers", "--size", "1000", "--samples", "9", "--max-time", "0.1")
    peers = {f"{one['backend']}/{one['variant']}": one for one in cases["cases"] if "guest" in one}
    assert {"python/naive", "numpy/expression", "numba/prange"} <= set(peers)
    for name, one in peers.items():
        not_here = name.startswith(("numba/cuda", "cupy/", "mkl/", "jax/", "torch/"))
        if not (not_here and one["status"] == "skipped"):
            assert one["status"] == "measured", (name, one["reason"])
    (numpy,) = [one for one in cases["context"]["run"]["guests"] if "guest_numpy" in one["path"]]
    assert set(numpy["packages"]) >= {"python", "numpy"}
    assert peers["numba/njit"]["threads"] == 1
    assert peers["numba/njit"]["first_use_s"] > peers["numba/njit"]["seconds"]["median"]


@WITH_PEERS
def test_pure_python_has_a_size_of_its_own(bench):
    plan = bench("energy", "--peers", "--dry-run")
    assert [line.split()[2] for line in plan.stdout.splitlines()][:2] == ["10000000:", "100000:"]
    plan = bench("energy", "--peers", "--dry-run", "--size", "5e5")
    assert [line.split()[2] for line in plan.stdout.splitlines()] == ["500000:"]


def test_an_interrupted_run_leaves_no_guest_behind(bench, tmp_path):
    (tmp_path / "mine.py").write_text(
        copy_py(
            f"out[:] = x\n    if not os.path.exists({str(tmp_path / 'pid')!r}):\n"
            f"        open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))"
        ),
        encoding="utf-8",
    )
    with subprocess.Popen(
        [BENCH, "try", "mine.py", "--min-time", "60", "--max-time", "60", "--output", "a.json"],
        cwd=tmp_path,
        env=os.environ | {"BENCH_PYTHON": sys.executable},
        stderr=subprocess.PIPE,
    ) as process:
        for _ in range(600):
            if (tmp_path / "pid").exists() and (tmp_path / "pid").read_text():
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=300)
        assert process.returncode == 128 + signal.SIGTERM
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):
        state = pathlib.Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text(encoding="ascii").split()[2] == "Z":
            return
        time.sleep(0.05)
    pytest.fail("still there")


def test_a_guest_in_another_precision_is_not_forgotten(bench, tmp_path):
    (tmp_path / "mine.cpp").write_text(
        "void copy_f64(const double* in, double* out, size_t n) {}\n", encoding="utf-8"
    )
    wrong = bench("verify", "copy", "--with", "mine.cpp", "--size", "tiny")
    assert wrong.returncode == 1
    assert "failed   copy/guest/mine/f64/1000/kernel: wrote nothing" in wrong.stdout
    other = bench("try", "mine.cpp", "--dtype", "f32", *QUICK, "--output", "-")
    (one,) = [one for one in json.loads(other.stdout)["cases"] if "guest" in one]
    assert (one["status"], one["reason"]) == ("skipped", "computes in f64 only")


def test_a_guest_names_a_workload_that_is_measured_by_name_only(bench, tmp_path):
    (tmp_path / "mine.cpp").write_text(
        "void add_f32(const float* a, const float* b, float* c, size_t n) {}\n", encoding="utf-8"
    )
    result = bench("verify", "--with", "mine.cpp", "--size", "tiny")
    assert "add/guest/mine/f32/1000/kernel" in result.stdout


def test_variants_of_one_file_cost_what_they_cost_alone(tried):
    """The arrays are mapped once for all of them: no page fault in a sample."""
    two = HEADS[".py"] + "".join(
        f"@bench.variant('copy')\ndef {name}(x, out): np.copyto(out, x)\n\n"
        for name in ("one", "two")
    )
    guests, _, result = tried({"both.py": two})
    assert result.returncode == 0, result.stderr
    assert set(guests) == {"one", "two"}


def test_who_writes_later_harms_nobody_else(tried):
    text = copy_cpp(
        COPY_LOOP + " std::thread([=] { usleep(4000); for (size_t i = 0; i < n; ++i) out[i] = 7; })"
        ".detach();"
    )
    _, cases, _ = tried({"late.cpp": "#include <thread>\n" + text})
    ours = {one["status"] for one in cases if "guest" not in one and one["threads"]}
    assert ours == {"measured"}


def test_a_file_may_be_called_like_a_module(tried):
    guests, _, result = tried(
        {"copy.py": copy_py("out[:] = x"), "numba.py": copy_py("import copy; copy.deepcopy(1)")}
    )
    assert guests["copy"]["status"] == "measured", guests["copy"]["reason"]
    assert "numba" in guests, result.stderr


def test_a_long_comment_is_only_long(tried):
    guests, _, _ = tried({"mine.cpp": "// " + "x" * 300000 + "\n" + copy_cpp(COPY_LOOP)})
    assert guests["mine"]["status"] == "measured"
    guests, _, _ = tried({"mine.cpp": "#include <cmath>\n\n/* my idea */\n" + copy_cpp(COPY_LOOP)})
    assert guests["mine"]["idea"] == "my idea"


def test_binding_threads_leaves_all_cpus():
    """The program starts itself again, and the OpenMP runtime has bound the first one already."""

    def threads(**variables):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_"))}
        command = [BENCH, "doctor", "--format", "json"]
        result = subprocess.run(command, env=env | variables, capture_output=True, check=True)
        return json.loads(result.stdout)["context"]["run"]["threads"]

    assert threads(OMP_PROC_BIND="close", OMP_PLACES="cores") == threads()
