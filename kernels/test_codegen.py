"""What the CUDA compiler makes of the ladders, wherever there is one; no GPU is needed.

Inequalities only: exact instructions differ between compilers and architectures.
"""

import collections
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parent.parent
NVCC = os.environ.get("BENCH_NVCC", "")
WIDE = {"float": r"v4\.(?:f32|u32|b32)", "double": r"v2\.(?:f64|u64|b64)"}
NARROW = {"int16_t": r"v4\.(?:u32|b32)"}
VECTORS = WIDE | NARROW
SOURCES = {path.parent.name: path.read_text() for path in ROOT.glob("kernels/*/cuda.cu")}
TYPES = {"f32": "float", "f64": "double", "u32": "uint32_t", "i16": "int16_t", "f16": "Half"}
FILES = {"Half": "cuda_f16.cu"}  # those of others are cuda.cu
# As the build does it: a few workloads have whole numbers.
REGISTRY = (ROOT / "kernels" / "registry.def").read_text()
LADDERS = sorted(
    (workload, TYPES[one])
    for workload, types in re.findall(r"^WORKLOAD\w*\((\w+)(?:, ([\w ]+))?\)", REGISTRY, re.M)
    for one in (types or "f32 f64").split()
)
WHOLE = {workload for workload, real in LADDERS if real == "uint32_t"}
REALS = sorted({real for _, real in LADDERS})
# Those whose variant `wide` writes vectors too: the others make one result of many elements.
MAPS = [
    (workload, real)
    for workload, real in LADDERS
    if "store_wide" in SOURCES[workload] and "wide_kernel" in SOURCES[workload]
]
TWO_INPUTS = ("add", "hidden_layer", "hypot", "matrix_add")

pytestmark = pytest.mark.skipif(not NVCC, reason="no CUDA compiler in this build")


def compile_file(source, real, output, *options):
    """Compiles a file as the build does and returns the finished process."""
    definitions = [f"-DBENCH_REAL={real}", "-DBENCH_WITH_CUDA"]
    command = [NVCC, "-std=c++17", "-O3", *definitions, f"-I{ROOT}", *options]
    command += ["-o", str(output), str(source)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def compile_ladders(real, output, *options):
    """The same for all ladders of a precision, as one file: their headers take most of the time."""
    workloads = [workload for workload, one in LADDERS if one == real]
    source = output.with_suffix(".cu")
    file = FILES.get(real, "cuda.cu")
    source.write_text("".join(f'#include "kernels/{one}/{file}"\n' for one in workloads))
    return compile_file(source, real, output, *options)


def names_in(symbol):
    """Workload and variant of a mangled kernel, where each name is after its length."""
    names = re.search(r"7kernels(\d+)(\w+)", symbol)
    variant = re.search(r"\d([a-z_]+)_kernel", symbol)
    return names and variant and (names.group(2)[: int(names.group(1))], variant.group(1))


def kernels_of(listing, begin):
    """Splits PTX or SASS at its kernels: the text of each, by workload and variant."""
    parts = re.split(begin, listing)[1:]
    named = ((names_in(part.split("\n", 1)[0]), part) for part in parts)
    return {name: part for name, part in named if name}


@pytest.fixture(scope="module")
def ptx(tmp_path_factory):
    """The PTX of each kernel: ptx[workload, real][variant]."""
    folder = tmp_path_factory.mktemp("ptx")
    found = {ladder: {} for ladder in LADDERS}
    for real in REALS:
        output = folder / f"{real}.ptx"
        done = compile_ladders(real, output, "-ptx", "-arch=sm_80")
        assert done.returncode == 0, done.stderr
        for (workload, variant), text in kernels_of(output.read_text(), r"\.entry ").items():
            found[workload, real][variant] = text
    assert all(found.values())
    return found


def newest_and_oldest():
    listed = subprocess.run([NVCC, "--list-gpu-arch"], capture_output=True, text=True, check=True)
    known = sorted(int(number) for number in re.findall(r"compute_(\d+)\b", listed.stdout))
    wanted = [number for number in (80, 90, 100, 120) if number in known]
    return [wanted[0], wanted[-1]] if len(wanted) > 1 else wanted or known[-1:]


def test_tensor_cores_multiply(ptx):
    of_halves = ptx["matmul", "Half"]
    assert "wmma.mma.sync" in of_halves["tensor"]
    assert "wmma.mma.sync" not in of_halves["tiled"]


NO_SPILLS = "-Xptxas=--warn-on-spills,--warning-as-error"


@pytest.mark.parametrize("real", REALS)
def test_no_kernel_spills_registers(real, tmp_path):
    for architecture in newest_and_oldest():
        options = ("--cubin", f"-arch=sm_{architecture}", NO_SPILLS)
        done = compile_ladders(real, tmp_path / "out.cubin", *options)
        assert done.returncode == 0, done.stderr


def test_a_spill_would_be_noticed(tmp_path):
    source = ROOT / "kernels" / "energy" / "cuda.cu"
    options = ("--cubin", "-arch=sm_80", "-maxrregcount=24", NO_SPILLS)
    done = compile_file(source, "double", tmp_path / "out.cubin", *options)
    assert done.returncode != 0
    assert "spill" in done.stderr.lower()


# Variants and parts of them that do so as well.
WIDE_TOO = ("branch_free", "no_loop", "copy", "few_rows", "few_columns")


@pytest.mark.parametrize(("workload", "real"), MAPS)
def test_wide_moves_128_bits_at_a_time(workload, real, ptx):
    load = re.compile(r"ld\.global\." + VECTORS[real])
    store = re.compile(r"st\.global(?:\.wb)?\." + VECTORS[real])
    wide = ptx[workload, real]["wide"]
    assert len(load.findall(wide)) >= (2 if workload in TWO_INPUTS else 1)
    assert store.search(wide)
    for variant, text in ptx[workload, real].items():
        if not variant.startswith("wide") and variant not in WIDE_TOO:
            assert not load.search(text), variant
            assert not store.search(text), variant


# Their sums go on in f64, as the definition of their result wants.
SUMS = ("sum_of_squares", "row_norms", "column_sums", "standardize")


@pytest.mark.parametrize("workload", sorted(set(SOURCES) - WHOLE - set(SUMS)))
def test_no_literal_takes_f32_along_to_f64(workload, ptx):
    """`0.5` is a double. (The library's sine converts from s64 for large arguments.)"""
    for variant, text in ptx[workload, "float"].items():
        assert "cvt.f64.f32" not in text, variant


def test_a_literal_that_does_is_found(tmp_path):
    source = tmp_path / "half.cu"
    source.write_text("__global__ void half(float* x) { x[threadIdx.x] *= 0.5 + x[0]; }\n")
    output = tmp_path / "half.ptx"
    subprocess.run([NVCC, "-ptx", "-arch=sm_80", "-o", output, source], check=True)
    assert "cvt.f64.f32" in output.read_text()


@pytest.mark.parametrize("real", WIDE)
def test_wide_reads_keep_four_loads_on_their_way(real, ptx):
    loads = [line for line in ptx["read", real]["wide"].splitlines() if "ld.global" in line]
    assert [line.split()[0] for line in loads].count("ld.global.v4.u32") >= 5


@pytest.mark.parametrize("real", WIDE)
@pytest.mark.parametrize("variant", ["shared_atomics", "private_bins"])
def test_shared_counters_use_native_atomics(variant, real, ptx):
    text = ptx["histogram", real][variant]
    assert re.search(r"(?:atom|red)\.shared\.add\.u32", text)
    assert ".cas." not in text


@pytest.mark.parametrize("real", WIDE)
def test_global_counters_do_not_wait_for_the_old_value(real, ptx):
    text = ptx["histogram", real]["global_atomics"]
    assert re.search(r"(?:atom|red)\.global\.add\.u32", text)
    assert ".shared" not in text
    assert ".cas." not in text


@pytest.mark.parametrize("real", WIDE)
def test_only_tiles_use_shared_memory_in_transpose(real, ptx):
    kernels = ptx["transpose", real]
    assert ".shared" not in kernels["naive"]
    turning = {"tiled", "padded", "several", "aligned", "few_rows", "few_columns"}
    for variant in turning | {"wide"}:
        assert re.search(r"st\.shared", kernels[variant]), variant
        assert "bar.sync" in kernels[variant], variant


# ---- machine code ----

INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;")
LABEL = re.compile(r"^(\.L_x_\d+):")


def disassembler():
    """NVIDIA's own: installed with CUDA, else the one among the Python tools."""
    beside = pathlib.Path(sys.prefix).glob("lib/python3*/site-packages/nvidia/*/bin/nvdisasm")
    found = shutil.which("nvdisasm") or next(map(str, beside), None)
    assert found, "no nvdisasm: run scripts/setup.sh test"
    return found


@pytest.fixture(scope="module")
def machine_code(tmp_path_factory):
    """The instructions of a kernel on Hopper, and the labels between them: machine_code(workload,
    real, variant)."""
    folder = tmp_path_factory.mktemp("sass")
    listings = {}

    def kernel(workload, real, variant):
        if real not in listings:
            cubin = folder / f"{real}.cubin"
            done = compile_ladders(real, cubin, "--cubin", "-arch=sm_90")
            assert done.returncode == 0, done.stderr
            command = [disassembler(), "-c", str(cubin)]
            shown = subprocess.run(command, capture_output=True, text=True, check=True)
            listings[real] = kernels_of(shown.stdout, r"\.section\t\.text\.")
        lines = listings[real][workload, variant].splitlines()
        found = (INSTRUCTION.match(line) or LABEL.match(line) for line in lines)
        return [one.group(1) for one in found if one]

    return kernel


def is_label(line):
    return line.startswith(".L_x_")


def spans(code):
    """Where each loop begins, at the label that it returns to, and ends."""
    at = {line: i for i, line in enumerate(code) if is_label(line)}
    for i, line in enumerate(code):
        target = re.search(r"BRA `\((\.L_x_\d+)\)", line)
        if target and at.get(target.group(1), i) < i:
            yield at[target.group(1)], i + 1


def loops(code):
    """The instructions of each."""
    for begin, end in spans(code):
        yield [one for one in code[begin:end] if not is_label(one)]


def wide_loads(code):
    return sum("LDG.E.128" in line for line in code)


def main_loop(code):
    """The one with the most wide loads."""
    return max(loops(code), key=wide_loads)


def fast_path(code):
    """The shortest way without call and stack: once around the main loop, over its store; where
    none loads whole vectors, through the kernel."""
    looping = [span for span in spans(code) if wide_loads(code[slice(*span)])]
    begin, end = max(
        looping, key=lambda span: wide_loads(code[slice(*span)]), default=(0, len(code))
    )
    at = {line: i for i, line in enumerate(code) if is_label(line)}
    paths = collections.deque([[begin]])
    seen = {(begin, False)}
    while paths:
        path = paths.popleft()
        line = code[path[-1]]
        branch = re.search(r"\bBRA (?:!?U?P\d, )?`\((\.L_x_\d+)\)", line)
        if re.search(r"\b(CALL|RET|STL|LDL)\b", line):
            continue
        following = [at[branch.group(1)]] if branch else []
        if not branch or line.startswith("@"):
            following.append(path[-1] + 1)
        stored = any("STG.E.128" in code[i] for i in path)
        if stored and line == "EXIT" and not looping:
            return [code[j] for j in path if not is_label(code[j])]
        for i in following:
            if i == begin and stored:
                return [code[j] for j in path if not is_label(code[j])]
            if begin <= i < end and (i, stored) not in seen:
                seen.add((i, stored))
                paths.append([*path, i])
    return None


# Instructions per element that the loop takes at most. (A device that moves 4.3 TB/s has room for
# 62 in f32, 124 in f64 and, where nothing is written, 30.)
MOST = {
    ("copy", "float", "wide"): 6,
    ("histogram", "float", "wide"): 17,
    ("histogram", "float", "private_bins"): 17,
    ("histogram", "float", "packed"): 38,
    ("read", "float", "wide"): 5,
    ("sum_of_squares", "float", "wide"): 8,
    ("counter", "float", "wide"): 8,
}


@pytest.mark.parametrize(("workload", "real", "variant"), MOST)
def test_instructions_per_element(workload, real, variant, machine_code):
    code = machine_code(workload, real, variant)
    loop = main_loop(code)
    # More than are on their way at once are those of its last turn.
    elements = {"float": 4, "double": 2}[real] * min(wide_loads(loop), 4)
    assert elements > 0
    assert len(loop) / elements <= MOST[workload, real, variant]
    # A loop within it would be counted once for several turns.
    begin, end = max(spans(code), key=lambda span: wide_loads(code[slice(*span)]))
    within = [one for one in spans(code) if begin <= one[0] and one[1] <= end]
    assert within == [(begin, end)]


# The same of maps whose rare arguments take another way, with a call: the usual one has none.
MOST_OF_USUAL = {
    ("energy", "float", "branch_free"): 27,
    ("energy", "double", "branch_free"): 60,
    ("gaussian_pdf", "float", "wide"): 28,
    ("gaussian_pdf", "double", "wide"): 83,
    ("hypot", "float", "wide"): 30,
    ("hypot", "double", "wide"): 54,
    ("energy", "float", "no_loop"): 31,
    ("energy", "double", "no_loop"): 73,
    ("gaussian_pdf", "float", "no_loop"): 35,
    ("gaussian_pdf", "double", "no_loop"): 84,
    ("hypot", "float", "no_loop"): 34,
    ("hypot", "double", "no_loop"): 56,
    ("copy", "float", "no_loop"): 7,
}


@pytest.mark.parametrize(("workload", "real", "variant"), MOST_OF_USUAL)
def test_the_usual_way_has_no_call_and_few_instructions(workload, real, variant, machine_code):
    path = fast_path(machine_code(workload, real, variant))
    assert path, "no way around the loop without a call"
    elements = {"float": 4, "double": 2}[real] * sum("STG.E.128" in line for line in path)
    assert len(path) / elements <= MOST_OF_USUAL[workload, real, variant]


def test_the_branch_free_energy_takes_fewer_instructions(machine_code):
    for real in WIDE:
        short, library = (
            len(main_loop(machine_code("energy", real, variant)))
            for variant in ("branch_free", "wide")
        )
        assert short < library * (0.6 if real == "float" else 0.85)


@pytest.mark.parametrize("real", WIDE)
def test_a_wide_transpose_takes_few_instructions(real, machine_code):
    code = [line for line in machine_code("transpose", real, "wide") if not is_label(line)]
    lanes = {"float": 4, "double": 2}[real]
    assert wide_loads(code) == lanes
    assert sum("STG.E.128" in line for line in code) == lanes
    assert sum("LDS.128" in line for line in code) == lanes
    assert sum("STS.128" in line for line in code) == lanes
    assert len(code) / lanes**2 <= (18 if real == "float" else 46)


@pytest.mark.parametrize(
    ("workload", "variant", "first_use"),
    [
        ("read", "wide", "LOP3"),
        ("histogram", "wide", "ATOMS"),
        ("histogram", "private_bins", "ATOMS"),
        ("histogram", "packed", "ATOMS"),
        ("sum_of_squares", "wide", "FFMA|FMUL"),
        ("counter", "wide", "FSETP"),
    ],
)
def test_loads_in_flight_before_the_first_use(workload, variant, first_use, machine_code):
    most = in_flight = 0
    for line in main_loop(machine_code(workload, "float", variant)):
        if "LDG.E.128" in line:
            in_flight += 1
        elif re.search(first_use, line) and in_flight:
            most, in_flight = max(most, in_flight), 0
    assert most >= 4


@pytest.mark.parametrize("real", WIDE)
@pytest.mark.parametrize("workload", ["copy", "add", "energy", "gaussian_pdf", "hypot"])
def test_without_a_loop_all_is_on_its_way_before_the_first_store(workload, real, machine_code):
    path = fast_path(machine_code(workload, real, "no_loop"))
    first_store = next(i for i, line in enumerate(path) if "STG.E.128" in line)
    inputs = 2 if workload in TWO_INPUTS else 1
    stores = sum("STG.E.128" in line for line in path)
    assert wide_loads(path[:first_store]) == wide_loads(path) == inputs * stores
    one_vector = real == "float" or workload in ("copy", "add")
    assert stores == (1 if one_vector else 2)


@pytest.mark.parametrize("real", WIDE)
@pytest.mark.parametrize("variant", ["one_per_element", "several"])
def test_steps_in_registers_are_nothing_but_fmas(variant, real, machine_code):
    """What else their loops do would be missing from the rate of arithmetic that they show."""
    fma = {"float": r"\bFFMA\b", "double": r"\bDFMA\b"}[real]
    steps = [loop for loop in loops(machine_code("multiply_add", real, variant)) if len(loop) > 1]
    for loop in steps:
        assert sum(bool(re.search(fma, line)) for line in loop) / len(loop) > 0.7
    innermost = min(steps, key=len)
    assert sum(bool(re.search(fma, line)) for line in innermost) / len(innermost) > 0.9
    assert not any(re.search(r"\b(LD|ST)", line) for line in innermost)


@pytest.mark.parametrize("variant", ["product_first", "one_exponential", "grid_stride"])
def test_no_load_waits_for_a_division(variant, machine_code):
    code = machine_code("hidden_layer", "float", variant)
    division = next(i for i, line in enumerate(code) if re.search(r"\b(FCHK|MUFU)", line))
    assert sum("LDG" in line for line in code[:division]) >= 2


@pytest.mark.parametrize("real", WIDE)
@pytest.mark.parametrize(
    ("workload", "variant"),
    [
        ("copy", "wide"),
        ("copy", "no_loop"),
        ("add", "no_loop"),
        ("histogram", "wide"),
        ("histogram", "private_bins"),
        ("histogram", "packed"),
        ("transpose", "several"),
        ("transpose", "aligned"),
        ("transpose", "few_rows"),
        ("transpose", "few_columns"),
        ("transpose", "wide"),
        ("read", "wide"),
        ("matrix_add", "no_loop"),
        ("broadcast_add", "wide"),
        ("sum_of_squares", "wide"),
        ("counter", "wide"),
    ],
)
def test_no_call_and_no_stack(workload, variant, real, machine_code):
    for line in machine_code(workload, real, variant):
        assert not re.search(r"\b(CALL|STL|LDL)\b", line), line


@pytest.mark.parametrize("real", WIDE)
def test_stores_of_cut_rows_are_predicated(real, machine_code):
    """Where threads branched around them, each would wait for the one before."""
    assert not any("BSSY" in line for line in machine_code("transpose", real, "aligned"))


def test_counters_are_native_atomics(machine_code):
    for variant in ("shared_atomics", "wide", "private_bins", "packed"):
        code = machine_code("histogram", "float", variant)
        text = "\n".join(code)
        assert re.search(r"\bATOMS\.(?:POPC\.INC|ADD)", text), variant
        assert "ATOMS.CAS" not in text, variant
        # Where the block's shared memory begins is known before a loop.
        assert not any("S2UR" in line for loop in loops(code) for line in loop), variant


def test_packed_counters_are_not_filled_up_between_barriers(machine_code):
    """A counter whose half is being moved holds the other half's additions of one turn."""
    assert any(
        "BAR.SYNC" in line for line in main_loop(machine_code("histogram", "float", "packed"))
    )


def test_stores_are_weak(machine_code):
    """A strong store, as some intrinsics make, costs more than in the other variants."""
    for workload in ("copy", "energy", "transpose"):
        text = "\n".join(machine_code(workload, "float", "wide"))
        assert "STG.E.128" in text, workload
        assert ".STRONG" not in text, workload
