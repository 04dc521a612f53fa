"""A kernel that fails says where and why; one that is right by luck does not pass."""
# CTest: release full

import json
import os
import re
import shutil
import sys

import pytest

from conftest import QUICK

HEAD = "#include <math.h>\n#include <stdlib.h>\n#include <assert.h>\n#include <stdexcept>\n"
MAP = "void energy_f32(const float* x, float* energy, size_t n) {\n"  # line 5
LOOP = "for (size_t i = 0; i < n; ++i) "
ENERGY = "sinf(x[i]) * sinf(x[i]) + sqrtf(fabsf(x[i])) + expf(-x[i] * x[i] / 50)"
RIGHT = f"{LOOP} energy[i] = {ENERGY};\n}}\n"
SUM = "void sum_of_squares_f32(const float* x, size_t n, double* sum, double* partial) {\n"
COUNTS = (
    "void histogram_f32(const float* x, size_t n, uint32_t* counts, size_t bins, "
    "float lo, float hi) {\n"
)
RACES = ": threads race for the same variable or element"
RACE = "right with one thread, wrong with "

# Of each the words of its row.
WRONG = {
    "one_more": (
        HEAD + MAP + f"for (size_t i = 0; i <= n; ++i)\nenergy[i] = {ENERGY};\n}}\n",
        "line 7: reads element 1013 of x, which has 1013",
    ),
    "one_more_out": (
        HEAD + MAP + "energy[n] = 1;\n" + RIGHT,
        "line 6: writes element 1013 of energy, which has 1013",
    ),
    "one_before": (
        HEAD + MAP + "energy[-1] = 1;\n" + RIGHT,
        "line 6: writes element -1 of energy, which has 1013",
    ),
    "into_input": (
        HEAD + MAP + "((float*)x)[3] = 1;\n" + RIGHT,
        "line 6: writes element 3 of x, which has 1013, and may only be read",
    ),
    "large_local": (
        HEAD + MAP + "float t[4000000];\nfor (size_t i = 0; i < n; ++i) t[i] = x[i];\n"
        "for (size_t i = 0; i < n; ++i) energy[i] = t[n - 1 - i];\n}\n",
        ": stack overflow (a large array belongs on the heap)",
    ),
    "small_local": (
        HEAD + MAP + "volatile float t[8];\nfor (size_t i = 0; i < n; ++i) t[i] = x[i];\n" + RIGHT,
        "line 7: ",
    ),
    "mends_what_it_read_past": (
        HEAD + "void reverse_f32(const float* in, float* out, size_t n) {\n"
        "for (size_t i = 0; i < n; ++i) out[i] = in[n - i];\n"
        "for (size_t i = 0; i < n; ++i) out[i] = in[n - 1 - i];\n}\n",
        "line 6: reads element 1013 of in, which has 1013",
    ),
    "drops_the_rest": (
        HEAD + "#include <omp.h>\n" + MAP + "#pragma omp parallel\n{\n"
        "const size_t part = n / omp_get_num_threads(), me = omp_get_thread_num();\n"
        f"for (size_t i = me * part; i < me * part + part; ++i) energy[i] = {ENERGY};\n}}\n}}\n",
        "left out 1 of 1013 elements",
    ),
    "by_zero": (
        HEAD + MAP + "int z = 0; volatile int q = (int)n / z; (void)q;\n" + RIGHT,
        "line 6: division by zero",
    ),
    "asserts": (
        HEAD + MAP + "assert(n % 1024 == 0);\n" + RIGHT,
        "line 6: assertion n % 1024 == 0 failed",
    ),
    "throws": (
        HEAD + MAP + 'if (n > 100) throw std::runtime_error("too many");\n' + RIGHT,
        "threw std::runtime_error: too many",
    ),
    "keeps_what_it_had": (
        HEAD
        + "static float kept[1 << 20];\nstatic int done;\n"
        + MAP
        + f"if (!done) {LOOP} kept[i] = {ENERGY};\ndone = 1;\n"
        "for (size_t i = 0; i < n; ++i) energy[i] = kept[i % (1 << 20)];\n}\n",
        "elements are wrong",
    ),
    "exits": (HEAD + MAP + "exit(0);\n}\n", "called exit(0)"),
    "sums_without_reduction": (
        HEAD + SUM + f"double t = 0;\n#pragma omp parallel for\n{LOOP} t += (double)x[i] * x[i];\n"
        "*sum = t;\n}\n",
        RACES,
    ),
    "adds_to_what_is_there": (
        HEAD + SUM + f"{LOOP} *sum += (double)x[i] * x[i];\n}}\n",
        "wrote nothing, or added to what was there: the output is not zero at first",
    ),
}
BY_LUCK = {
    "shared_variable": HEAD
    + MAP
    + f"float s;\n#pragma omp parallel for\n{LOOP} {{ s = sinf(x[i]); "
    f"energy[i] = s * s + {ENERGY.split('+', 1)[1]}; }}\n}}\n",
    # A compiler leaves out what nobody loads.
    "static_variable": HEAD
    + "static float s;\n"
    + MAP
    + f"#pragma omp parallel for\n{LOOP} {{ s = sinf(x[i]); "
    f"energy[i] = s * s + {ENERGY.split('+', 1)[1]}; }}\n}}\n",
    # ThreadSanitizer takes a while for that.
    "shared_variable_of_a_series": HEAD
    + MAP
    + f"double s;\n#pragma omp parallel for\n{LOOP}{{\ns = sinf(x[i]);\n"
    "double e = 0, t = 1, y = (double)x[i] * x[i] / 50;\n"
    "for (int k = 1; k < 400; ++k) { e += t; t *= y / k; }\n"
    "energy[i] = sinf(x[i]) * sinf(x[i]) + sqrtf(fabsf(x[i])) + 1 / e;\n}\n(void)s;\n}\n",
    "merges_without_lock": HEAD
    + "#include <stdint.h>\n#include <algorithm>\n#include <vector>\n"
    + COUNTS
    + "for (size_t b = 0; b < bins; ++b) counts[b] = 0;\n"
    "#pragma omp parallel\n{ std::vector<uint32_t> own(bins);\n#pragma omp for nowait\n"
    f"{LOOP} if (x[i] >= lo && x[i] < hi) "
    "++own[std::min(bins - 1, (size_t)((x[i] - lo) / (hi - lo) * bins))];\n"
    "for (size_t b = 0; b < bins; ++b) counts[b] += own[b]; }\n}\n",
}
SOUND = {
    "reduction": HEAD + SUM + f"double t = 0;\n#pragma omp parallel for reduction(+ : t)\n{LOOP} "
    "t += (double)x[i] * x[i];\n*sum = t;\n}\n",
    "partial_sums": HEAD + "#include <omp.h>\n" + SUM + "int teams = 1;\n#pragma omp parallel\n{\n"
    "double t = 0;\n#pragma omp for schedule(dynamic, 16)\n" + LOOP + "t += (double)x[i] * x[i];\n"
    "partial[omp_get_thread_num()] = t;\n#pragma omp single\nteams = omp_get_num_threads();\n}\n"
    "*sum = 0;\nfor (int k = 0; k < teams; ++k) *sum += partial[k];\n}\n",
    "all_say_how_many": HEAD + "#include <omp.h>\n" + SUM + "int teams = 1;\n*sum = 0;\n"
    "#pragma omp parallel\n{\nteams = omp_get_num_threads();\ndouble t = 0;\n"
    f"#pragma omp for nowait\n{LOOP} t += (double)x[i] * x[i];\n"
    "#pragma omp critical\n*sum += t;\n}\n*sum *= teams / teams;\n}\n",
    "named_critical": HEAD + SUM + "*sum = 0;\n#pragma omp parallel for schedule(dynamic, 64)\n"
    f"{LOOP} {{\n#pragma omp critical(mine)\n*sum += (double)x[i] * x[i];\n}}\n}}\n",
    "atomic": HEAD
    + SUM
    + "double t = 0;\n#pragma omp parallel\n{ double own = 0;\n#pragma omp for\n"
    f"{LOOP} own += (double)x[i] * x[i];\n#pragma omp atomic\nt += own;\n#pragma omp barrier\n"
    "#pragma omp master\n*sum = t;\n}\n}\n",
    "std_thread": HEAD + "#include <thread>\n" + MAP + "const size_t half = n / 2;\n"
    "auto part = [=](size_t from, size_t to) { for (size_t i = from; i < to; ++i) "
    f"energy[i] = {ENERGY}; }};\n"
    "std::thread other(part, 0, half);\npart(half, n);\nother.join();\n}\n",
    "own_variable": HEAD + MAP + f"#pragma omp parallel for\n{LOOP} energy[i] = {ENERGY};\n}}\n",
}
C = f"#include <math.h>\n{MAP}{RIGHT}"
TWO = ("--threads", "2")

sanitizer = pytest.mark.skipif(shutil.which("g++") is None, reason="sanitizers are those of g++")


@pytest.fixture
def tried(bench, tmp_path):
    def run(files, *arguments, **environment):
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        environment.setdefault("BENCH_PYTHON", sys.executable)
        result = bench("try", *files, *QUICK, "--output", "-", *arguments, **environment)
        assert result.stdout, result.stderr
        document = json.loads(result.stdout)
        rows = {one["variant"]: one for one in document["cases"] if "guest" in one}
        return rows, document, result

    return run


@sanitizer
@pytest.mark.parametrize("graded", [[], ["--graded"]])
def test_what_fails_says_where_and_why(tried, graded):
    files = {f"{name}.cpp": text for name, (text, _) in WRONG.items()}
    found, _, _ = tried(files, *TWO, *graded)
    for name, (_, reason) in WRONG.items():
        assert found[name]["status"] == "failed", name
        assert reason in found[name]["reason"], (name, found[name]["reason"])


@sanitizer
@pytest.mark.skipif(shutil.which("clang++") is None, reason="needs clang++")
def test_what_clang_compiles_is_looked_at_as_well(tried):
    race, wrong = BY_LUCK["shared_variable"], WRONG["one_more"][0]
    scalar = RIGHT.replace("energy[i]", 'asm volatile(""); energy[i]').replace(LOOP, LOOP + "{")
    files = {"race.cpp": race, "one_more.cpp": wrong, "right.cpp": HEAD + MAP + scalar + "}\n"}
    found, document, _ = tried(files, *TWO, CXX="clang++")
    assert RACES in found["race"]["reason"]
    assert WRONG["one_more"][1] in found["one_more"]["reason"]
    assert found["right"]["status"] == "measured"
    guests = {one["path"]: one for one in document["context"]["run"]["guests"]}
    assert guests["right.cpp"]["scalar_loop"] == {"line": 6, "calls": "sinf"}


def test_what_races_does_not_pass_by_luck(tried):
    found, _, _ = tried({f"{name}.cpp": text for name, text in BY_LUCK.items()}, *TWO)
    for name in BY_LUCK:
        assert found[name]["status"] == "failed", name
        assert RACES in found[name]["reason"], (name, found[name]["reason"])


ONLY_C = """#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void energy_f32(const float* restrict x, float* restrict energy, size_t n) {
  float* class = malloc((n + 1) * sizeof *class);
#pragma omp parallel for
  for (size_t i = 0; i < n; ++i) {
    class[SHARED] = sinf(x[i]);
    energy[i] = class[SHARED] * class[SHARED] + sqrtf(fabsf(x[i])) + expf(-x[i] * x[i] / 50);
  }
  free(class);
}
"""


@sanitizer
@pytest.mark.parametrize("graded", [[], ["--graded"]])
def test_threads_of_c_are_looked_at_as_c(tried, graded):
    files = {"right.c": ONLY_C.replace("SHARED", "i"), "race.c": ONLY_C.replace("SHARED", "0")}
    found, _, _ = tried(files, *TWO, *graded)
    assert (found["right"]["status"], found["right"].get("unchecked")) == ("measured", None)
    assert RACES in found["race"]["reason"]


def test_what_is_sound_passes(tried):
    found, _, _ = tried({f"{name}.cpp": text for name, text in SOUND.items()}, *TWO)
    assert {name: one["reason"] for name, one in found.items()} == dict.fromkeys(SOUND)


ORDERED_UNSEEN = SOUND["atomic"].replace(
    "#pragma omp barrier", "#pragma omp flush\n#pragma omp barrier"
)
HIDDEN = SOUND["own_variable"].replace(
    "void energy", '__attribute__((no_sanitize("thread"))) void energy'
)


@sanitizer
@pytest.mark.parametrize("graded", [[], ["--graded"]])
def test_what_was_not_checked_is_said(bench, tried, tmp_path, graded):
    found, _, result = tried({"unseen.cpp": ORDERED_UNSEEN, "hidden.cpp": HIDDEN}, *TWO, *graded)
    unseen = (
        "not checked for races: it orders its threads by what ThreadSanitizer does not see "
        "(tasks, fences, a library)"
    )
    assert found["unseen"]["status"] == "measured", found["unseen"]["reason"]
    assert found["unseen"]["unchecked"] == unseen
    hidden = "not checked for races: its no_sanitize hides code from the check"
    assert hidden in found["hidden"]["unchecked"]
    # Who hides something from it has no rank.
    assert found["hidden"]["status"] == ("skipped" if graded else "measured")
    if graded:
        assert found["hidden"]["reason"].startswith("not judged: not checked for ")
    (tmp_path / "r.json").write_text(result.stdout)
    assert f"guest/unseen: {unseen}." in " ".join(bench("table", "r.json").stdout.split())


@sanitizer
def test_what_crashes_at_the_measured_size_only_says_why(bench, tmp_path):
    text = (
        f"#include <math.h>\n#include <stddef.h>\n{MAP}float sine[n];\n"
        f"{LOOP} sine[i] = sinf(x[i]);\n"
        f"{LOOP} energy[i] = sine[i] * sine[i] + {ENERGY.split('+', 1)[1]};\n}}\n"
    )
    (tmp_path / "mine.c").write_text(text)
    said = bench("verify", "energy/serial/naive", "--with", "mine.c", "--size", "1e7").stdout
    assert re.search(r"line [45]: stack overflow \(a large array belongs on the heap\)", said), said


def test_the_first_warning_is_below_the_table_and_stays(bench, tried, tmp_path):
    text = HEAD + MAP + "#pragma opm parallel for\n" + RIGHT
    found, document, result = tried({"mine.cpp": text, "sound.cpp": SOUND["own_variable"]})
    assert found["mine"]["status"] == "measured"
    warning = "line 6: ignoring '#pragma opm parallel'"
    files = {one["path"]: one for one in document["context"]["run"]["guests"]}
    assert re.sub("[^ -~]", "'", files["mine.cpp"]["warning"]) == warning
    assert "warning" not in files["sound.cpp"]
    (tmp_path / "r.json").write_text(result.stdout)
    table = bench("table", "r.json").stdout
    assert table.count("the compiler warns") == 1
    assert "guest/mine: the compiler warns: line 6: ignoring" in table
    assert "o compilador avisa: line 6" in bench("table", "r.json", "--lang", "pt").stdout


def test_a_name_that_is_nearly_right_is_named(bench, tmp_path):
    names = {"Energy_F32": "energy_f32", "energia_f32": "energy_f32", "energy": "energy_f32"}
    for written, meant in names.items():
        (tmp_path / "mine.cpp").write_text(HEAD + MAP.replace("energy_f32", written) + RIGHT)
        said = bench("try", "mine.cpp", *QUICK).stderr.splitlines()[0]
        assert f"it has {written} (did you mean {meant}?)" in said
    (tmp_path / "mine.cpp").write_text(
        HEAD + "void energy_f32(float* x, float* energy,\n  int n) {}\n"
    )
    said = bench("try", "mine.cpp", *QUICK).stderr.splitlines()[0]
    assert "line 5 has void energy_f32(float* x, float* energy, int n); wanted: void energy" in said


def test_endings_of_all_kinds_are_cpp(tried):
    endings = ("CC", "CXX", "c++", "cp", "cxx", "C++")
    text = HEAD + MAP + RIGHT
    found, _, _ = tried({f"e{i}.{one}": text for i, one in enumerate(endings)})
    assert [one["status"] for one in found.values()] == ["measured"] * len(endings)


def test_compilers_are_asked_for_english(tried, tmp_path):
    script = tmp_path / "c++"
    script.write_text(
        '#!/bin/sh\n[ "$LC_ALL$LANGUAGE" = C.UTF-8 ] || { echo "1: attention: rien"; exit 1; }\n'
        'exec g++ "$@"\n'
    )
    script.chmod(0o755)
    found, _, _ = tried(
        {"mine.cpp": HEAD + MAP + RIGHT}, CXX=str(script), LC_ALL="fr_FR.UTF-8", LANGUAGE="fr"
    )
    assert found["mine"]["status"] == "measured"


def test_the_assemblers_and_the_linkers_reasons_are_told(tried):
    text = HEAD + MAP + 'asm volatile("vfoobarps %%ymm0, %%ymm1" ::: "memory");\n' + RIGHT
    found, _, _ = tried({"mine.cpp": text, "mine.c": C})
    assert "no such instruction" in found["mine.cpp"]["reason"]
    found, _, _ = tried({"mine.cpp": HEAD + MAP + RIGHT, "mine.c": C}, CXX="g++ -lnosuchlib")
    assert "cannot find -lnosuchlib" in found["mine.cpp"]["reason"]


PY = "import bench\nimport numpy as np\n@bench.variant('energy')\n"
ENERGY_PY = "np.sin(x) ** 2 + np.sqrt(np.abs(x)) + np.exp(-x * x / 50)"
NUMBA = "import math\nimport bench\nfrom numba import njit, prange\nimport numpy as np\n"
ENERGY_NUMBA = "math.sin(x[i]) ** 2 + math.sqrt(abs(x[i])) + math.exp(-x[i] * x[i] / 50)"
SIGNED = NUMBA + "@bench.variant('energy', dtypes=['f32'])\n@njit('void(float32[:], float32[:])')\n"


def test_python_says_where(tried, monkeypatch, tmp_path):
    found, _, _ = tried(
        {
            "PLAIN.PY": PY + f"def mine(x, energy):\n    energy[:] = {ENERGY_PY}\n",
            "leaves.py": PY + "def mine(x, energy):\n    exit(1)\n",
            "few.py": PY + "def mine(x):\n    return np.sin(x)\n",
        }
    )
    assert found["PLAIN"]["status"] == "measured", found["PLAIN"]["reason"]
    assert found["leaves"]["reason"].startswith("leaves.py:5: SystemExit")
    assert found["few"]["reason"].endswith("; bench calls mine(input, output)")


def test_an_old_python_says_so(tried, tmp_path):
    old = tmp_path / "python3.6"
    old.write_text("#!/bin/sh\necho 3006 /usr/bin/python3.6\n")
    old.chmod(0o755)
    text = PY + "def mine(x, energy): pass\n"
    found, _, _ = tried({"mine.py": text, "c.cpp": HEAD + MAP + RIGHT}, BENCH_PYTHON=str(old))
    assert found["mine"]["status"] == "skipped"
    assert found["mine"]["reason"] == (
        "Python 3.6 is too old: 3.9 or newer; BENCH_PYTHON names another"
    )


def test_a_python_that_cannot_be_started_is_named(tried):
    text = PY + "def mine(x, energy): pass\n"
    files = {"mine.py": text, "c.cpp": HEAD + MAP + RIGHT}
    found, _, _ = tried(files, BENCH_PYTHON="/nonexistent/python")
    assert found["mine"]["reason"] == (
        "BENCH_PYTHON names /nonexistent/python, which is not a program that can be started"
    )


@pytest.mark.skipif(os.path.exists("/dev/nvidiactl"), reason="here is a GPU")
def test_no_device_for_numba_is_no_fault(tried):
    pytest.importorskip("numba")
    found, _, result = tried(
        {
            "as_it_is_read.py": NUMBA + "from numba import vectorize\n"
            '@vectorize(["float32(float32)"], target="cuda")\ndef same(v):\n    return v\n'
            "@bench.variant('energy')\ndef mine(x, energy):\n    energy[:] = same(x)\n",
            "as_it_is_called.py": NUMBA + "from numba import cuda\n"
            "@cuda.jit\ndef k(x, energy):\n    energy[0] = x[0]\n"
            "@bench.variant('energy')\ndef mine(x, energy):\n    k[1, 1](x, energy)\n",
            "c.cpp": HEAD + MAP + RIGHT,
        },
        NUMBA_ENABLE_CUDASIM="",
    )
    assert result.returncode == 0, result.stderr
    for name in ("as_it_is_read", "as_it_is_called"):
        assert found[name]["status"] == "skipped", found[name]
        assert found[name]["reason"].startswith("no CUDA device: "), found[name]["reason"]


def test_numba_copies_the_hosts_arrays_back(tried):
    """Numba does so from a GPU: inputs, too, which are then what they were."""
    pytest.importorskip("numba")
    kernel = (
        NUMBA
        + "from math import exp, fabs, sin, sqrt\nfrom numba import cuda\n@cuda.jit\n"
        + "def k(x, energy):\n    i = cuda.grid(1)\n    if i < x.size:\n"
        + "        v = x[i]\n        %senergy[i] = sin(v) ** 2 + sqrt(fabs(v)) + exp(-v * v / 50)\n"
        + "@bench.variant('energy')\ndef mine(x, energy):\n"
        + "    k[(x.size + 63) // 64, 64](x, energy)\n"
    )
    found, _, _ = tried(
        {"right.py": kernel % "", "writes.py": kernel % "x[i] = 1; "},
        "--size", "50", "--timeout", "200", NUMBA_ENABLE_CUDASIM="1",
    )  # fmt: skip
    assert found["right"]["status"] == "measured", found["right"]["reason"]
    assert "wrote into its input" in found["writes"]["reason"]


def test_numba_says_what_matters(tried):
    pytest.importorskip("numba")
    loop = "    for i in range(x.size):\n        energy[i] = "
    found, _, _ = tried(
        {
            "called.py": SIGNED.replace("@bench.variant('energy', dtypes=['f32'])\n", "")
            + f"def inner(x, energy):\n{loop}{ENERGY_NUMBA}\n"
            "@bench.variant('energy', dtypes=['f32'])\ndef mine(x, energy):\n"
            "    inner(x, energy)\n",
            "signed.py": SIGNED + f"def mine(x, energy):\n{loop}{ENERGY_NUMBA}\n",
            "writes.py": SIGNED + f"def mine(x, energy):\n    x[0] = 1\n{loop}{ENERGY_NUMBA}\n",
            "unknown.py": NUMBA + "@bench.variant('energy')\n@njit\ndef mine(x, energy):\n"
            f"{loop}sin(x[i])\n",
            # As a race would have it, but each time.
            "races.py": NUMBA + "from numba import get_num_threads\n"
            "@bench.variant('energy')\n@njit(parallel=True)\ndef mine(x, energy):\n"
            "    for i in prange(x.size):\n"
            f"        energy[i] = ({ENERGY_NUMBA}) * get_num_threads()\n",
        },
        *TWO,
        "--patience",
        "120",
    )
    assert found["signed"]["status"] == "measured", found["signed"]["reason"]
    assert found["called"]["status"] == "measured", found["called"]["reason"]
    assert "wrote into its input" in found["writes"]["reason"]
    assert "'sin'" in found["unknown"]["reason"]
    assert found["races"]["reason"].startswith(RACE), found["races"]["reason"]
