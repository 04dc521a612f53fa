# ruff: noqa: F403, F405
import os

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakeBuilder, CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage


class BenchHpc(CMakePackage, CudaPackage):
    """Compares implementations of the same kernel: naive, SIMD, OpenMP and CUDA."""

    # From the folder where spack is called, or a mirror.
    manual_download = True
    url = f"file://{os.getcwd()}/bench-@VERSION@.tar.gz"
    license("MIT")

    version("@VERSION@", sha256="@SHA256@")

    variant("plot", default=True, description="Packages for bench plot, report and lesson")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    depends_on("benchmark@1.7:")
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("hwloc@2:")
    depends_on("nlohmann-json@3.11:")
    depends_on("xxhash@0.8:")
    with when("+plot"):
        depends_on("py-matplotlib", type="run")
        depends_on("py-jinja2", type="run")

    # The program chooses among instruction sets where it runs; all other code is for the target.
    requires("target=x86_64:", "target=aarch64:", policy="one_of")
    conflicts("%gcc@:10", msg="C++20 needs GCC 11 or newer")
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs: cuda_arch=80,90")

    def cmake_args(self):
        args = [self.define("BENCH_FETCH", False), self.define_from_variant("BENCH_CUDA", "cuda")]
        args.append(self.define("BENCH_STDPAR", False))
        if self.spec.satisfies("+cuda"):
            args.append(CMakeBuilder.define_cuda_architectures(self))
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.bench)("verify", "energy", "--size", "tiny")
