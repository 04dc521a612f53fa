"""When Numba compiles: in the first call, or before it for types that are given, or in a process
before this one. The loop is the same, and so are all calls but the first."""

import functools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numba
import numpy as np
from numba import njit
from numba_elements import energy_of

energy_at = njit(energy_of)
REALS = (np.float32, np.float64)


def energy(x, out):
    for i in range(x.size):
        out[i] = energy_at(x[i])


eager = njit(energy)


@functools.cache
def compile_eagerly():
    """Compiles as `@njit([signature, …])` does where it decorates; here only if it is measured."""
    for real in REALS:
        array = numba.from_dtype(np.dtype(real))[::1]
        eager.compile((array, array))
    eager.disable_compile()


def compile_into_cache():
    """Compiles in a process before."""
    loop = njit(cache=True)(energy)
    for real in REALS:
        x = np.ones(1, real)
        x.flags.writeable = False
        loop(x, np.empty(1, real))


class Cached:
    """The loop with cache=True."""

    def __init__(self):
        self.folder = self.loop = None

    def get_ready(self, _threads):
        if self.loop is None:
            self.folder = tempfile.mkdtemp(prefix="bench-numba-")
            here = str(pathlib.Path(__file__).parent)
            subprocess.run(
                [sys.executable, "-c", "import numba_when; numba_when.compile_into_cache()"],
                env={**os.environ, "PYTHONPATH": here, "NUMBA_CACHE_DIR": self.folder},
                check=True,
            )
            numba.config.CACHE_DIR = self.folder
            self.loop = njit(cache=True)(energy)
        elif self.folder:  # the first call has read it
            shutil.rmtree(self.folder)
            self.folder = None

    def __call__(self, x, out):
        self.loop(x, out)


cached = Cached()
