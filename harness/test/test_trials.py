"""Before it has a time, a kernel is right at odd sizes, at edges, with other parameters."""
# CTest: release full

import json
import re
import sys

import pytest

from conftest import QUICK

LOOP = "for (size_t i = 0; i < n; ++i) "
MAP = "void energy_f32(const float* x, float* energy, size_t n)"
ENERGY = "sinf(x[i]) * sinf(x[i]) + sqrtf(%s) + expf(-x[i] * x[i] / 50)"
TURN = "void transpose_f32(const float* in, float* out, size_t rows, size_t cols)"
BOTH = "for (size_t i = 0; i < %s; ++i) for (size_t j = 0; j < %s; ++j) "
COUNT = "void counter_f32(const float* x, size_t n, float threshold, uint32_t* count)"
BELOW = f"{{ uint32_t c = 0; {LOOP} c += x[i] < %s; *count = c; }}"
DENSITY = "void gaussian_pdf_f32(const float* x, float* pdf, size_t n, float mu, float sigma)"
Z = "expf(-%s * %s / 2) / (%s * 2.5066283f)"
BINS = (
    "void histogram_f32(const float* x, size_t n, uint32_t* counts, size_t bins, "
    "float lo, float hi)"
)
IN_BINS = f"""{{
  for (size_t b = 0; b < bins; ++b) counts[b] = 0;
  {LOOP} if (x[i] >= lo && x[i] < hi) ++counts[%s];
}}"""

# What was measured and ranked once; the words that its row has now.
WRONG = {
    "no_tail": (
        f"{MAP} {{ for (size_t i = 0; i + 8 <= n; i += 8) for (size_t j = i; j < i + 8; ++j) "
        f"energy[j] = {(ENERGY % 'fabsf(x[j])').replace('[i]', '[j]')}; }}",
        "wrong with 1013 elements: left out 5 of 1013",
    ),
    "no_fabs": (f"{MAP} {{ {LOOP} energy[i] = {ENERGY % 'x[i]'}; }}", "wrong where x is negative"),
    "square_only": (
        f"{TURN} {{ {BOTH % ('rows', 'cols')} out[j * cols + i] = in[i * cols + j]; }}",
        "37x131: ",
    ),
    "swapped": (
        f"{TURN} {{ {BOTH % ('cols', 'rows')} out[j * cols + i] = in[i * rows + j]; }}",
        "wrong with 37x131: ",
    ),
    "fixed_threshold": (
        f"{COUNT} {BELOW % '0.5f'}",
        "ignores the parameter threshold: wrong with threshold = 0.25",
    ),
    "fixed_density": (
        f"{DENSITY} {{ {LOOP} pdf[i] = {Z % ('x[i]', 'x[i]', '1')}; }}",
        "ignores the parameter mu: wrong with mu = 0.5",
    ),
    "formula": (
        "void hypot_f32(const float* a, const float* b, float* c, size_t n) { "
        f"{LOOP} {{ float m = fmaxf(fabsf(a[i]), fabsf(b[i])), k = fminf(fabsf(a[i]), fabsf(b[i]))"
        ", t = k / m; c[i] = m * sqrtf(1 + t * t); } }",
        "wrong where both are zero: ",
    ),
    "absolute": (
        "void zero_suppress_i16(const int16_t* in, int16_t* out, size_t n, int16_t threshold) { "
        f"{LOOP} out[i] = abs(in[i]) < threshold ? 0 : in[i]; }}",
        "wrong where x is negative: ",
    ),
    "truncates": (
        f"{BINS} {{ for (size_t b = 0; b < bins; ++b) counts[b] = 0; {LOOP} {{ "
        "int k = (int)((x[i] - lo) / (hi - lo) * bins); if (k >= 0 && k < (int)bins) ++counts[k]; "
        "} }",
        "wrong where x is ",
    ),
    "whole_tiles": (
        f"{TURN} {{ for (size_t a = 0; a < rows; a += 64) "
        "for (size_t b = 0; b + 64 <= cols || b == 0; b += 64) "
        "for (size_t i = a; i < a + 64 && i < rows; ++i) "
        "for (size_t j = b; j < b + 64 && j < cols; ++j) out[j * rows + i] = in[i * cols + j]; }",
        "wrong with 37x131: left out 111 of 4847 elements",
    ),
    "exchanged_blocks": (
        f"{TURN} {{ const size_t r = (rows + 31) / 32, c = (cols + 31) / 32; "
        "for (size_t b = 0; b < c; ++b) for (size_t a = 0; a < r; ++a) "
        "for (size_t i = b * 32; i < b * 32 + 32 && i < rows; ++i) "
        "for (size_t j = a * 32; j < a * 32 + 32 && j < cols; ++j) "
        "out[j * rows + i] = in[i * cols + j]; }",
        "37x131: left out ",
    ),
    "counters_of_a_byte": (
        f"{COUNT} {{ uint32_t all = 0; uint8_t c[64] = {{}}; size_t i = 0, turns = 0; "
        "for (; i + 64 <= n; i += 64) { for (int k = 0; k < 64; ++k) c[k] += x[i + k] < threshold; "
        "if (++turns == 300) { for (auto& v : c) all += v, v = 0; turns = 0; } } "
        "for (auto v : c) all += v; for (; i < n; ++i) all += x[i] < threshold; *count = all; }",
        "elements: ",
    ),
    "few_bins": (
        f"{BINS} {{ uint32_t own[256] = {{}}; {LOOP} if (x[i] >= lo && x[i] < hi) "
        "++own[(size_t)(((double)x[i] - lo) / ((double)hi - lo) * bins) % 256]; "
        "for (size_t b = 0; b < bins; ++b) counts[b] = own[b % 256]; }",
        "wrong with 1013 elements in 1031 bins: ",
    ),
    "one_pass": (
        "void standardize_f32(const float* x, float* z, size_t n, double* partial) { "
        f"double s = 0, q = 0; {LOOP} {{ s += x[i]; q += (double)x[i] * x[i]; }} s /= n; "
        f"q = sqrt(q / n - s * s); {LOOP} z[i] = (float)((x[i] - s) / q); }}",
        "wrong where the mean is large against the deviation: ",
    ),
    "crashes_at_once": (
        f"{MAP} {{ if (n == 7) abort(); {LOOP} energy[i] = {ENERGY % 'fabsf(x[i])'}; }}",
        "with 7 elements: ",
    ),
}
RIGHT = {
    "doubles": f"{BINS} {IN_BINS % '(size_t)(((double)x[i] - lo) / ((double)hi - lo) * bins)'}",
    "widths": f"{BINS} {{ float width = (hi - lo) / bins; {IN_BINS[1:]}"
    % "std::min((size_t)((x[i] - lo) / width), bins - 1)",
    "bubbles": "void sort_f32(const float* in, float* out, float* work, size_t n) { "
    "for (size_t i = 0; i < n; ++i) out[i] = in[i]; for (size_t i = 0; i < n; ++i) "
    "for (size_t j = 0; j + 1 < n - i; ++j) if (out[j] > out[j + 1]) "
    "{ float t = out[j]; out[j] = out[j + 1]; out[j + 1] = t; } }",
    "noexcept": f"{MAP} noexcept {{ {LOOP} energy[i] = {ENERGY % 'fabsf(x[i])'}; }}",
    "density": f"{DENSITY} {{ {LOOP} {{ float z = (x[i] - mu) / sigma; "
    f"pdf[i] = {Z % ('z', 'z', 'sigma')}; }} }}",
    "clamped": f"{DENSITY} {{ {LOOP} {{ float z = fminf(fabsf((x[i] - mu) / sigma), 13.2f); "
    f"pdf[i] = {Z % ('z', 'z', 'sigma')}; }} }}",
}
PYTHON = """import bench
import numpy as np

@bench.variant("histogram")
def numpys(x, counts, lo, hi):
    inside = x[np.isfinite(x)]
    counts[:] = np.histogram(inside[inside < hi], counts.size, (lo, hi))[0]

@bench.variant("energy", name="no_abs")
def no_abs(x, energy):
    energy[:] = np.sin(x) ** 2 + np.sqrt(x) + np.exp(-(x ** 2) / 50)
"""
PRODUCT = "void matmul_f32(const float* a, const float* b, float* c, size_t m, size_t n, size_t k)"
PLATE = (
    "void stencil_f32(const float* u, float* out, float* spare, size_t rows, size_t cols, "
    "size_t steps)"
)
STEP = (
    "for (size_t i = 1; i + 1 < rows; ++i) for (size_t j = 1; j + 1 < cols; ++j) "
    "{ const size_t k = i * cols + j; to[k] = from[k] + 0.2f * (from[k - cols] + from[k + cols] + "
    "from[k - 1] + from[k + 1] - 4 * from[k]); }"
)
COPY = "for (size_t k = 0; k < rows * cols; ++k) "
SCAN = "void scan_f32(const float* x, float* out, size_t n, double*, uint32_t*)"
PULL = (
    "void n_body_f32(const float* x, const float* y, const float* z, const float* m, float* a, "
    "size_t n)"
)
PULLED = (
    "{ for (size_t i = 0; i < n; ++i) { float s[3] = {}; for (size_t j = 0; j < %s; ++j) { %s"
    "const float d[] = {x[j] - x[i], y[j] - y[i], z[j] - z[i]}; "
    "const float q = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]%s; "
    "for (int c = 0; c < 3; ++c) s[c] += m[j] * d[c] / (q * sqrtf(q)); } "
    "for (int c = 0; c < 3; ++c) a[c * n + i] = s[c]; } }"
)
ELEMENT = "float s = 0; for (size_t p = 0; p %s; ++p) s += a[i * k + p] * b[p * n + j]; "
# Right in the sizes of a first try, as far as that is possible; None: right everywhere.
CANON = {
    "whole_blocks": (
        f"{PRODUCT} {{ for (size_t t = 0; t + 64 <= m || t == 0; t += 64) "
        "for (size_t i = t; i < t + 64 && i < m; ++i) for (size_t j = 0; j < n; ++j) "
        f"{{ {ELEMENT % '< k'} c[i * n + j] = s; }} }}",
        "left out 111 of 4847 elements",
    ),
    "even_terms": (
        f"{PRODUCT} {{ {BOTH % ('m', 'n')} {{ {ELEMENT % '< k / 2 * 2'} c[i * n + j] = s; }} }}",
        "elements are wrong",
    ),
    "product": (
        f"{PRODUCT} {{ {BOTH % ('m', 'n')} {{ {ELEMENT % '< k'} c[i * n + j] = s; }} }}",
        None,
    ),
    "in_place": (
        f"{PLATE} {{ {COPY} out[k] = u[k]; const float* from = out; float* to = out; "
        f"for (size_t s = 0; s < steps; ++s) {STEP} }}",
        "elements are wrong",
    ),
    "odd_steps_only": (
        f"{PLATE} {{ {COPY} out[k] = spare[k] = u[k]; const float* from = u; "
        f"for (size_t s = 1; s <= steps; ++s) {{ float* to = s % 2 ? out : spare; {STEP} "
        "from = to; } }",
        "elements are wrong",
    ),
    "plate": (
        f"{PLATE} {{ {COPY} out[k] = spare[k] = u[k]; const float* from = u; "
        f"for (size_t s = 1; s <= steps; ++s) {{ float* to = (steps - s) % 2 ? spare : out; {STEP} "
        "from = to; } }",
        None,
    ),
    "exclusive": (
        f"{SCAN} {{ double s = 0; {LOOP} {{ out[i] = (float)s; s += x[i]; }} }}",
        "0 instead of",
    ),
    "float_total": (
        f"{SCAN} {{ float s = 0; {LOOP} {{ s += x[i]; out[i] = s; }} }}",
        "wrong with 300007 elements: ",
    ),
    "in_order": (f"{SCAN} {{ double s = 0; {LOOP} {{ s += x[i]; out[i] = (float)s; }} }}", None),
    "by_fours": (f"{PULL} {PULLED % ('n / 4 * 4', '', ' + 0.001f')}", "wrong with 1013 elements: "),
    "no_softening": (f"{PULL} {PULLED % ('n', 'if (i == j) continue; ', '')}", "are wrong"),
    "not_itself": (f"{PULL} {PULLED % ('n', 'if (i == j) continue; ', ' + 0.001f')}", None),
}
HEAD = "#include <math.h>\n#include <stdlib.h>\n#include <algorithm>\n"


def rows(result):
    assert result.stdout, result.stderr
    cases = json.loads(result.stdout)["cases"]
    return {one["variant"]: one for one in cases if "guest" in one}


@pytest.mark.parametrize("graded", [[], ["--graded"]])
def test_what_is_wrong_elsewhere_has_no_time(bench, tmp_path, graded):
    for name, (text, _) in WRONG.items():
        (tmp_path / f"{name}.cpp").write_text(HEAD + text)
    files = [f"{name}.cpp" for name in WRONG]
    # A size that hides it: a multiple of all vectors and tiles, square.
    quick = ["--samples", "9", "--max-time", "0.05", "--size", "4096"]
    result = bench("try", *files, *quick, *graded, "--output", "-")
    found = rows(result)
    for name, (_, reason) in WRONG.items():
        assert found[name]["status"] == "failed", name
        said = found[name]["reason"]
        # Or what a sanitizer sees there.
        assert reason in said or re.match(r"line \d+: (reads|writes) element", said), (name, said)


def test_the_canon_is_judged_alike(bench, tmp_path):
    for name, (text, _) in CANON.items():
        (tmp_path / f"{name}.cpp").write_text(HEAD + text)
    workloads = [f"{one}/serial/naive" for one in ("matmul", "stencil", "scan", "n_body")]
    files = ",".join(f"{name}.cpp" for name in CANON)
    quick = ["--samples", "1", "--size", "tiny", "--dtype", "f32", "--output", "-"]
    found = rows(bench(*workloads, "--with", files, *quick))
    for name, (_, reason) in CANON.items():
        case = found[name]
        assert case["status"] == ("failed" if reason else "measured"), (name, case["reason"])
        assert reason is None or reason in case["reason"], (name, case["reason"])


def test_steps_are_a_number_of_times(bench, tmp_path):
    (tmp_path / "mine.py").write_text("""import bench
import numpy as np

@bench.variant("stencil")
def mine(u, out, steps):
    out[:] = u
    for _ in range(steps):
        c = out[1:-1, 1:-1]
        out[1:-1, 1:-1] = c + np.float32(0.2) * (
            out[:-2, 1:-1] + out[2:, 1:-1] + out[1:-1, :-2] + out[1:-1, 2:] - 4 * c)
""")
    quick = ["--samples", "1", "--size", "tiny", "--dtype", "f32", "--output", "-"]
    found = rows(bench("try", "mine.py", *quick, BENCH_PYTHON=sys.executable))
    assert found["mine"]["status"] == "measured", found["mine"]["reason"]


def test_edges_are_tried_at_the_measured_size_too(bench, tmp_path):
    below = BELOW % "threshold"
    (tmp_path / "mine.cpp").write_text(
        HEAD + f"{COUNT} {below.replace('*count = c', '*count = c % 524288')}"
    )
    for size, status in (("500000", "measured"), ("600000", "failed")):
        quick = ["--samples", "9", "--max-time", "0.05", "--size", size]
        found = rows(bench("try", "mine.cpp", *quick, "--output", "-"))
        assert found["mine"]["status"] == status, found["mine"]["reason"]
    assert re.match("(wrong )?where all .*, with 600000: ", found["mine"]["reason"])


def test_what_is_right_is_measured(bench, tmp_path):
    for name, text in RIGHT.items():
        (tmp_path / f"{name}.cpp").write_text(HEAD + text)
    files = [f"{name}.cpp" for name in RIGHT]
    found = rows(bench("try", *files, *QUICK, "--output", "-"))
    assert {one["reason"] for one in found.values()} == {None}
    assert set(found) == set(RIGHT)


def test_parallel_algorithms_are_linked_with_their_library(bench, tmp_path):
    (tmp_path / "mine.cpp").write_text("""#include <algorithm>
#include <execution>

void copy_f32(const float* x, float* y, size_t n) {
  std::copy(std::execution::par_unseq, x, x + n, y);
}
""")
    found = rows(bench("try", "mine.cpp", *QUICK, "--output", "-"))
    assert found["mine"]["status"] == "measured", found["mine"]["reason"]


def test_python_is_judged_alike(bench, tmp_path):
    (tmp_path / "mine.py").write_text(PYTHON)
    found = rows(bench("try", "mine.py", *QUICK, "--output", "-", BENCH_PYTHON=sys.executable))
    assert found["mine"]["status"] == "measured", found["mine"]["reason"]
    assert found["no_abs"]["status"] == "failed"
    assert found["no_abs"]["reason"].startswith("wrong where x is negative: ")


def test_what_is_only_checked_is_judged_alike(bench, tmp_path):
    (tmp_path / "mine.cpp").write_text(HEAD + WRONG["fixed_threshold"][0])
    result = bench("verify", "counter/serial/naive", "--with", "mine.cpp", "--size", "tiny")
    assert result.returncode == 1
    assert "ignores the parameter threshold" in result.stdout
