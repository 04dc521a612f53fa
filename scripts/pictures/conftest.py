"""Documents and pictures that several tests look at."""

import copy
import os
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def bench():
    """The built program; tests that need it say so where there is none."""
    path = Path(os.environ.get("BENCH_BINARY") or REPOSITORY / "build" / "bench")
    if not os.access(path, os.X_OK):
        pytest.skip("no bench: build it, or set BENCH_BINARY")
    return str(path)


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    """One synthetic document for each question, by name."""
    from pictures import synthetic

    folder = tmp_path_factory.mktemp("documents")
    gpu = synthetic.only(synthetic.with_gpu(), "energy", "hypot", "histogram", "transpose")
    return {
        "gpu": synthetic.write(folder, gpu, "gpu"),
        "sweep": synthetic.write(folder, synthetic.sweep(), "sweep"),
        "scaling": synthetic.write(folder, synthetic.scaling(), "scaling"),
        "default": synthetic.REFERENCE / "default.json",
        "peers": synthetic.REFERENCE / "peers.json",
    }


def one_of_each(files, lang):
    """kind -> a picture."""
    import pictures
    from pictures import synthetic

    gpu = pictures.load([files["gpu"]])
    chosen = {"workload": "energy", "lang": lang}
    nodes = synthetic.survey([f"n{i:03}" for i in range(1, 13)], slow={"n007"}, unclear={"n003"})
    found = [
        *pictures.overview(gpu, kinds=("ladder", "samples"), **chosen)[0],
        *pictures.overview(gpu, kinds=("roofline", "overview"), lang=lang)[0],
        *pictures.overview(pictures.load([files["sweep"]]), kinds=("sweep",), **chosen)[0],
        *pictures.overview(pictures.load([files["scaling"]]), kinds=("scaling",), **chosen)[0],
        *pictures.overview(several(gpu), kinds=("nodes",), survey=nodes, lang=lang)[0],
    ]
    return {picture.kind: picture for picture in found}


def several(documents):
    """The same document as if another node had written it, too."""
    other = copy.copy(documents[0])
    other.node = "n002"
    return [*documents, other]
