"""Pictures and result files that several tests look at."""

import copy
from pathlib import Path

import synthetic
from bench_hpc import pictures
from bench_hpc.pictures import data

REPOSITORY = Path(__file__).parents[2]


def one_of_each(files, lang):
    """kind -> a picture."""
    gpu = pictures.load([files["gpu"]])
    chosen = {"workload": "energy", "lang": lang}
    nodes = synthetic.survey([f"n{i:03}" for i in range(1, 13)], slow={"n007"}, unclear={"n003"})
    found = [
        *pictures.overview(gpu, kinds=("ladder", "samples"), **chosen)[0],
        *pictures.overview(gpu, kinds=("roofline", "overview"), lang=lang)[0],
        *pictures.overview(pictures.load([files["sweep"]]), kinds=("sweep",), **chosen)[0],
        *pictures.overview(pictures.load([files["scaling"]]), kinds=("scaling",), **chosen)[0],
        *pictures.overview(several(gpu), kinds=("nodes",), survey=nodes, lang=lang)[0],
        *data.pictures("zero_suppress", lang),
    ]
    return {picture.kind: picture for picture in found}


def several(documents):
    """The same result file as if another node had written it, too."""
    other = copy.copy(documents[0])
    other.node = "n002"
    return [*documents, other]
