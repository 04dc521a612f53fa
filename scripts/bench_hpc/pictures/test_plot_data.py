"""bench plot data: inputs and result of a workload."""

import numpy as np
import pytest

from bench_hpc.pictures import data
from bench_hpc.pictures.command import main


def drawn(*arguments, **options):
    """Title and values of each panel."""
    (picture,) = data.pictures(*arguments, **options)
    figure = picture.figure()
    values = [
        one.lines[0].get_ydata() if one.lines else one.images[0].get_array() for one in figure.axes
    ]
    return picture, values


def test_a_vector_is_a_line_before_and_after():
    picture, (before, after) = drawn("zero_suppress", size="2000")
    assert len(before) == 2000
    assert np.any((before != 0) & (before < 15))
    assert np.array_equal(after, np.where(before < 15, 0, before))
    assert picture.slug == "data-zero-suppress-i16-2000"
    assert f"input 1, from {before.min()} to {before.max()}" in picture.alt
    assert f"result, from 0 to {after.max()}" in picture.alt


def test_a_matrix_is_an_image():
    _, (one, other, total) = drawn("matrix_add", size="30x40")
    assert total.shape == (30, 40)
    assert np.array_equal(one + other, total)


def test_arrays_of_other_lengths():
    _, (matrix, row, total) = drawn("broadcast_add", size="300x7")
    assert (matrix.shape, row.shape) == ((300, 7), (7,))
    assert np.array_equal(matrix + row, total)
    _, (values, counts) = drawn("histogram", size="500")
    assert (len(values), counts.sum()) == (500, 500)


def test_your_own_data(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", np.linspace(-3, 3, 77))
    _, (x, y) = drawn("copy", input="x.npy")
    assert np.array_equal(x, y)
    assert np.array_equal(x, np.load("x.npy"))
    assert main(["data", "copy", "--input", "x.npy", "-o", "x.svg"]) == 0
    assert capsys.readouterr().out == "x.svg\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("counter", "counter: its result is one number, which has no picture"),
        ("energy --size 1e7", "energy: more than 1000000 elements cannot be seen; choose a --size"),
        ("enery", "no variant matches 'enery/serial/naive'"),
        ("energy hypot", "data: 2 workloads given, one can be drawn"),
        ("energy --input x.npy --size 9", "--size and --input exclude each other"),
    ],
)
def test_what_cannot_be_drawn_is_said(arguments, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["data", *arguments.split(), "-o", "x.png"]) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
