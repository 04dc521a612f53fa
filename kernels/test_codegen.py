"""What the CUDA compiler makes of the ladders, wherever there is one; no GPU is needed.

Inequalities only: exact instructions differ between compilers and architectures.
"""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).parent.parent
NVCC = os.environ.get("BENCH_NVCC", "")
LADDERS = sorted(path.parent.name for path in ROOT.glob("kernels/*/cuda.cu"))
WIDE = {"float": r"v4\.(?:f32|u32|b32)", "double": r"v2\.(?:f64|u64|b64)"}

pytestmark = pytest.mark.skipif(not NVCC, reason="no CUDA compiler in this build")


def compile_ladder(workload, real, output, *options):
    """Compiles one ladder file as the build does and returns the finished process."""
    definitions = [f"-DBENCH_REAL={real}", "-DBENCH_WITH_CUDA"]
    command = [NVCC, "-std=c++17", "-O3", *definitions, f"-I{ROOT}", *options]
    command += ["-o", str(output), str(ROOT / "kernels" / workload / "cuda.cu")]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def kernels_of(listing, begin):
    """Splits PTX or SASS at its kernels: the name of a variant and the text of its kernel."""
    parts = re.split(begin, listing)[1:]
    named = ((re.search(r"\d([a-z_]+)_kernel", part), part) for part in parts)
    return {name.group(1): part for name, part in named if name}


@pytest.fixture(scope="module")
def ptx(tmp_path_factory):
    """The PTX of each kernel: ptx[workload, real][variant]."""
    folder = tmp_path_factory.mktemp("ptx")
    found = {}
    for workload in LADDERS:
        for real in WIDE:
            output = folder / f"{workload}.{real}.ptx"
            done = compile_ladder(workload, real, output, "-ptx", "-arch=sm_80")
            assert done.returncode == 0, done.stderr
            found[workload, real] = kernels_of(output.read_text(), r"\.entry ")
    return found


def newest_and_oldest():
    listed = subprocess.run([NVCC, "--list-gpu-arch"], capture_output=True, text=True, check=True)
    known = sorted(int(number) for number in re.findall(r"compute_(\d+)\b", listed.stdout))
    wanted = [number for number in (80, 90, 100, 120) if number in known]
    return [wanted[0], wanted[-1]] if len(wanted) > 1 else wanted or known[-1:]


@pytest.mark.parametrize("real", WIDE)
@pytest.mark.parametrize("workload", LADDERS)
def test_no_kernel_spills_registers(workload, real, tmp_path):
    for architecture in newest_and_oldest():
        done = compile_ladder(
            workload,
            real,
            tmp_path / "out.cubin",
            "--cubin",
            f"-arch=sm_{architecture}",
            "-Xptxas=--warn-on-spills,--warning-as-error",
        )
        assert done.returncode == 0, done.stderr


def test_a_spill_would_be_noticed(tmp_path):
    done = compile_ladder(
        "energy",
        "double",
        tmp_path / "out.cubin",
        "--cubin",
        "-arch=sm_80",
        "-maxrregcount=24",
        "-Xptxas=--warn-on-spills,--warning-as-error",
    )
    assert done.returncode != 0
    assert "spill" in done.stderr.lower()


@pytest.mark.parametrize("real", WIDE)
@pytest.mark.parametrize("workload", sorted(set(LADDERS) - {"histogram", "read"}))
def test_wide_moves_128_bits_at_a_time(workload, real, ptx):
    load = re.compile(r"ld\.global\." + WIDE[real])
    store = re.compile(r"st\.global(?:\.wb)?\." + WIDE[real])
    wide = ptx[workload, real]["wide"]
    assert len(load.findall(wide)) >= (2 if workload in ("hypot", "add") else 1)
    assert store.search(wide)
    for variant, text in ptx[workload, real].items():
        if variant != "wide":
            assert not load.search(text), variant
            assert not store.search(text), variant


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
    for variant in ("tiled", "padded", "wide"):
        assert re.search(r"st\.shared", kernels[variant]), variant
        assert "bar.sync" in kernels[variant], variant


def test_machine_code_of_hopper(tmp_path):
    disassembler = shutil.which("cuobjdump") or shutil.which("nvdisasm")
    if disassembler is None:
        pytest.skip("neither cuobjdump nor nvdisasm is installed: machine code was not looked at")
    options = ["-sass"] if "cuobjdump" in disassembler else []

    def sass(workload):
        cubin = tmp_path / f"{workload}.cubin"
        done = compile_ladder(workload, "float", cubin, "--cubin", "-arch=sm_90")
        assert done.returncode == 0, done.stderr
        listing = subprocess.run(
            [disassembler, *options, str(cubin)], capture_output=True, text=True, check=True
        ).stdout
        return kernels_of(listing, r"(?:Function : |\.section\t\.text\.)")

    histogram = sass("histogram")
    for variant in ("shared_atomics", "private_bins"):
        assert re.search(r"\bATOMS\.(?:POPC\.INC|ADD)", histogram[variant]), variant
        assert "ATOMS.CAS" not in histogram[variant], variant
    copy = sass("copy")
    assert re.search(r"LDG\.E\.128", copy["wide"])
    assert re.search(r"STG\.E\.128", copy["wide"])
