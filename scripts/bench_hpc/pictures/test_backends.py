"""What pictures and pages ask of the program's backends."""

from bench_hpc.backends import backends, is_model, ladder_of, runs_on
from bench_hpc.pictures import style
from bench_hpc.pictures.sweep import line_of


class Row:
    library = other_memory = False

    def __init__(self, name, end_to_end=False):
        self.name, self.end_to_end = name, end_to_end
        self.backend = name.partition("/")[0]


def test_a_model_is_compared_with_the_first_backend_that_runs_there():
    assert ladder_of("stdpar") == "openmp"
    assert ladder_of("target") == "cuda"
    assert [one for one in backends() if is_model(one)] == ["stdpar", "target"]
    assert ladder_of("cuda_end_to_end") == "cuda_end_to_end"
    assert ladder_of("numba") == "numba"
    assert runs_on("stdpar", "all_threads")
    assert not runs_on("numba", "all_threads")


def test_every_backend_has_a_look_of_its_own():
    assert len({style.look_of(one) for one in backends()}) == len(backends())
    assert style.look_of("something else") == style.LOOKS["python"]


def test_a_series_has_transfers_on_a_device_only():
    assert style.series_of({"backend": "cuda", "scope": "end_to_end"}) == "cuda_end_to_end"
    assert style.series_of({"backend": "cuda", "scope": "kernel"}) == "cuda"
    assert style.series_of({"backend": "stdpar", "scope": "kernel"}) == "stdpar"


def test_a_model_of_the_processor_competes_for_its_line():
    lines = [
        line_of(Row(f"{one}/x"))
        for one in ("serial", "openmp", "stdpar", "cuda", "target", "numpy")
    ]
    assert lines == ["cpu", "cpu", "cpu", "cuda", "cuda", "numpy"]
    assert line_of(Row("serial/naive")) == "naive"
    assert line_of(Row("cuda/x", True)) == "cuda_end_to_end"
