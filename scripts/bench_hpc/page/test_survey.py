"""What the page says of a survey's nodes, without a page."""

import pytest

from bench_hpc.page import survey
from bench_hpc.words import Words

RATIO = {"value": 1.3, "ci95": [1.2, 1.4]}


@pytest.mark.parametrize(
    ("slow", "of", "causes"),
    [
        ("memory", "cpu", ["its memory is slow, its cores are not"]),
        ("both", "gpu", ["GPU: memory and cores are slow"]),
        ("unknown", "cpu", []),
    ],
)
def test_a_slow_node_has_its_cause(slow, of, causes):
    limits = [{"of": of, "slow": slow}]
    where = [{"workload": "memory", "ratio": RATIO}]
    one = {"node": "n1", "where": where, "differs": [], "limits": limits}
    said = survey._slow(one, {"n1": "n1"}, Words("en"))
    assert said["causes"] == causes
    assert said["where"].startswith("memory 1.3")
    assert survey._slow(one, {"n1": "n1"}, Words("pt"))["where"].startswith("memória 1,3")
