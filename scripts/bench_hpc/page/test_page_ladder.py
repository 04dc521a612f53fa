"""Cutting the ladders of kernels/ into variants, and what is new in each of them."""

import re

import pytest

from bench_hpc.page import difference, ladder
from bench_hpc.page.scale import Scale
from bench_hpc.program import ROOT, UsageError

OURS = [
    path for name in ladder.workloads() for path in ladder.files(ladder.KERNELS / name).values()
]
OURS += ladder.KERNELS.glob("*/*_f16.c*")
LIBRARIES = [path for name in ladder.LIBRARIES for path in ladder.KERNELS.glob(f"*/{name}")]
FILES = sorted(OURS + LIBRARIES)


def cut(path):
    return ladder.cut(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)), "serial")


def label(path):
    return f"{path.parent.name}/{path.name}"


def lines(text):
    return [line for line in text.split("\n") if line.strip()]


@pytest.mark.parametrize("path", FILES, ids=label)
def test_every_row_of_a_table_is_a_rung_and_no_line_is_lost(path):
    text = path.read_text(encoding="utf-8")
    found = cut(path)
    foot = text[text.index("ladder[] = {") :]
    assert [one.name for one in found.rungs] == re.findall(
        r'^ +\{"(\w+)",\s+\S', foot, re.MULTILINE
    )
    body = text[text.index("\nnamespace {\n") : text.index("\n}  // namespace\n")]
    kept = found.preamble + "\n" + "\n".join(one.text for one in found.rungs)
    assert lines(kept) == lines(body)[1:]


@pytest.mark.parametrize("path", FILES, ids=label)
def test_a_rung_says_which_lines_it_is(path):
    whole = path.read_text(encoding="utf-8").split("\n")
    for one in cut(path).rungs:
        assert "\n".join(whole[one.first - 1 : one.last]) == one.text


@pytest.mark.parametrize("path", OURS, ids=label)
def test_every_rung_of_ours_says_its_change_and_its_cost(path):
    found = cut(path)
    assert found.head[0].startswith(f"{path.parent.name} on ")
    for one in found.rungs:
        keys = [key for key, _ in one.said]
        assert keys in (["Change", "Cost"], ["Before", "Change", "Cost"])
        assert not re.search(r"^// (Before|Change|Cost): ", one.code, re.MULTILINE)
        said = set(lines(one.text)) - set(lines(one.code))
        assert len(said) <= 5, f"{one.variant}: a comment has at most five lines"


@pytest.mark.parametrize("workload", ladder.workloads())
def test_what_is_compared_is_the_code_as_it_stands(workload):
    for found in ladder.ladders(workload):
        for above, here in zip(found.rungs, found.rungs[1:]):
            told = difference.compared(above.code, here.code, {above.name, here.name})
            assert "\n".join(line.text for line in told.lines) == here.code
            came = [line.text for line in told.changes if line.kind == "new"]
            assert all(line in here.code.split("\n") for line in came)
            if told.alike:
                assert came == [line.text for line in told.lines if line.kind]


def rungs(workload, backend):
    found = next(one for one in ladder.ladders(workload) if one.backend == backend)
    return {one.name: one for one in found.rungs}


def new(workload, backend, above, here):
    of = rungs(workload, backend)
    told = difference.compared(of[above].code, of[here].code, {above, here})
    return [line for line in told.lines if line.kind]


def marks(line):
    return [text for text, marked in line.pieces if marked]


def test_the_one_idea_of_a_rung_is_what_is_marked():
    (padded,) = new("transpose", "cuda", "tiled", "padded")
    assert marks(padded) == ["+ 1"]
    pragma, loop = new("gaussian_pdf", "openmp", "naive", "simd")
    assert "simd" in "".join(marks(pragma))
    assert marks(loop) == ["vector_exp"]


def test_the_length_of_a_name_is_no_difference():
    # The launch of branch_free continues in a second line, that of wide does not.
    told = [line.text for line in new("energy", "cuda", "wide", "branch_free")]
    assert not [line for line in told if "launch(" in line or line == "         energy, n);"]
    assert any("within_reach" in line for line in told)


def test_where_all_is_new_nothing_is_marked():
    told = difference.compared("a();\nb();", "while (x < y) {\n  z += f(x);\n}", {"p", "q"})
    assert not told.alike
    assert not any(line.kind for line in told.lines)
    assert [line.kind for line in told.changes] == ["gone"] * 2 + ["new"] * 3


def test_a_helper_that_is_still_used_has_not_gone():
    of = rungs("sort", "cuda")
    assert "void copy_kernel(" in of["odd_even"].code
    assert "copy_kernel" in of["bitonic"].code
    told = difference.compared(of["odd_even"].code, of["bitonic"].code, {"odd_even", "bitonic"})
    gone = "\n".join(line.text for line in told.changes if line.kind == "gone")
    assert "copy_kernel(" not in gone
    assert "odd_even_kernel(" in gone


def test_the_first_rung_of_openmp_differs_from_the_plain_loop_by_its_pragma():
    plain, threads = (rungs("energy", one)["naive"].code for one in ("serial", "openmp"))
    told = difference.compared(plain, threads, {"naive"})
    assert [line.text for line in told.lines if line.kind] == [
        "#pragma omp parallel for schedule(static)"
    ]


def test_a_rung_that_only_calls_the_one_above_leaves_it_as_it_is():
    of = rungs("energy", "cuda")
    names = {"no_loop", "overlapped"}
    told = difference.compared(of["no_loop"].code, of["overlapped"].code, names)
    assert told.calls
    assert told.changes == []
    # This one calls it where whole vectors are not to be had.
    of = rungs("transpose", "cuda")
    told = difference.compared(of["fitted"].code, of["wide"].code, {"fitted", "wide"})
    assert not told.calls
    assert any(line.kind == "gone" for line in told.changes)


def test_libraries_stand_below_their_backend():
    names = {one.variant: one for found in ladder.ladders("sort") for one in found.rungs}
    assert "std::sort(out, out + n)" in names["serial/library"].code
    assert "__gnu_parallel::sort" in names["openmp/library"].code
    assert "std::sort(" not in names["openmp/library"].code
    assert names["cuda/library"].file.endswith("library.cu")


def test_a_file_that_is_no_ladder_is_named():
    text = (ladder.KERNELS / "energy" / "serial.cpp").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match=r"x\.cpp: has no unnamed namespace"):
        ladder.cut("int main() {}\n", "x.cpp", "serial")
    with pytest.raises(UsageError, match=r"x\.cpp: simd, of the row simd"):
        ladder.cut(text.replace("void simd(", "void other("), "x.cpp", "serial")
    idle = text.replace("\n}  // namespace\n", "\nvoid idle() {}\n\n}  // namespace\n", 1)
    with pytest.raises(UsageError, match=r"x\.cpp: has code below"):
        ladder.cut(idle, "x.cpp", "serial")


@pytest.mark.parametrize(
    "values", [[], [1.0], [1.01, 1.2], [0.004, 2.3], [42], [0.01, 1000], [1e9]]
)
def test_every_value_has_its_place_and_ticks_are_few(values):
    scale = Scale(values)
    places = [scale.at(one) for one in sorted([1, *values])]
    assert places == sorted(places)
    assert 0 < places[0] <= places[-1] < 100
    ticks = scale.ticks()
    assert 2 <= len(ticks) <= 6
    assert all(0 < scale.at(one) < 100 for one in ticks)
    assert scale.at(1) == scale.bar(7)[0]
