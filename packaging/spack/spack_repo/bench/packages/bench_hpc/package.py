# ruff: noqa: F403, F405
import os

from spack.package import *
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage


class BenchHpc(CMakePackage, CudaPackage):
    """Compares implementations of the same kernel: naive, SIMD, OpenMP and CUDA."""

    # From the folder where spack is called, or a mirror. The libraries are inside.
    manual_download = True
    url = f"file://{os.getcwd()}/bench-@VERSION@.tar.gz"
    license("MIT", checked_by="the bench authors")

    version("@VERSION@", sha256="@SHA256@")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("gmake", type="build")
    depends_on("python@3.9:", type=("build", "run"))

    # The program chooses among instruction sets where it runs; all other code is for the target.
    requires(
        "target=x86_64",
        "target=aarch64",
        policy="any_of",
        msg="one binary serves all nodes: install with target=x86_64 or target=aarch64",
    )
    conflicts("cuda_arch=none", when="+cuda", msg="name the GPUs: cuda_arch=80,90")

    def cmake_args(self):
        args = [self.define("BENCH_FETCH", True), self.define_from_variant("BENCH_CUDA", "cuda")]
        if self.spec.satisfies("+cuda"):
            args.append(
                self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value)
            )
        return args

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.bench)("verify", "energy", "--size", "tiny")
