"""`bench compare` on the result files of real runs."""
# CTest: release

import json

import pytest
from made_up import retimed

from conftest import QUICK


def with_samples(document, factor):
    """The result file as if every case had always taken `factor` times its median, copies once, and
    nobody else had worked there."""
    made = retimed(document, lambda case: 1 if case["reference"] else factor, steady=True)
    for case in made["cases"]:
        if case["seconds"]:
            case["seconds"]["preempted"] = 0
    return json.dumps(made)


def test_a_run_equals_itself_and_not_its_slower_twin(bench, tmp_path):
    assert bench("energy", "hypot", *QUICK, "--output", "real.json").returncode == 0
    real = json.loads((tmp_path / "real.json").read_text())
    (tmp_path / "steady.json").write_text(with_samples(real, 1))
    (tmp_path / "slow.json").write_text(with_samples(real, 3))

    same = bench("compare", "steady.json", "steady.json")
    assert same.returncode == 0, same.stderr
    assert "energy/serial/naive/f32/1000/kernel" in same.stdout
    assert "SLOWER" not in same.stdout
    assert "steady.json and steady.json are the same run: " in same.stderr
    # With the scatter of a real run the answer may be that it is unclear, never that it is slower.
    assert bench("compare", "real.json", "real.json").returncode in (0, 4)

    slower = bench("compare", "steady.json", "slow.json")
    assert slower.returncode == 3
    assert "SLOWER" in slower.stdout
    assert "the same run" not in slower.stderr
    assert bench("compare", "slow.json", "steady.json").returncode == 0


def test_unlike_runs_are_refused_unless_forced(bench):
    assert bench("copy", *QUICK, "--output", "a.json").returncode == 0
    assert bench("copy", *QUICK, "--seed", "7", "--output", "b.json").returncode == 0
    refused = bench("compare", "a.json", "b.json")
    assert refused.returncode == 5
    assert "seed: 42 and 7" in refused.stdout


def test_mistakes(bench, tmp_path):
    (tmp_path / "x.json").write_text("{")
    for arguments in (["x.json", "x.json"], ["missing.json", "x.json"], ["x.json"]):
        result = bench("compare", *arguments)
        assert result.returncode == 2
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("language", "first", "verdict", "unlike"),
    [
        ("en", "time of the second run", "1.000  [1.000, 1.000]  same", "not comparable: seed: "),
        ("pt", "tempo da segunda", "1,000  [1,000; 1,000]  igual", "não comparável: semente: "),
        ("es", "tiempo de la segunda", "1,000  [1,000; 1,000]  igual", "no comparable: semilla: "),
        (
            "fr",
            "temps de la seconde",
            "1,000  [1,000 ; 1,000]  inchangé",
            "non comparable : graine",
        ),
    ],
)
def test_languages(bench, tmp_path, language, first, verdict, unlike):
    assert bench("copy", *QUICK, "--output", "real.json").returncode == 0
    steady = json.loads(with_samples(json.loads((tmp_path / "real.json").read_text()), 1))
    (tmp_path / "a.json").write_text(json.dumps(steady))
    steady["context"]["run"]["seed"] = 7
    (tmp_path / "b.json").write_text(json.dumps(steady))
    shown = bench("compare", "a.json", "b.json", "--lang", language)
    assert (shown.returncode, shown.stderr) == (5, "")
    assert shown.stdout.startswith(first)
    assert verdict in shown.stdout
    assert unlike in shown.stdout
