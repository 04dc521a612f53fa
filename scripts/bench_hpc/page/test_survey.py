"""What the page says of a survey's nodes, without a page."""

import pytest

from bench_hpc.page import command, survey
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


def test_of_very_many_nodes_the_most_remarkable_ones_have_tables():
    nodes = {f"n{number}": [number] for number in range(command.MOST_TABLES + 50)}
    last, slow, odd = (f"n{command.MOST_TABLES + number}" for number in (49, 9, 7))
    told = {
        "typical": last,
        "slow": [{"node": slow}],
        "remarks": [{"node": odd}],
        "rows": [{"node": slow}, {"node": "n3"}, {"node": "n2"}],
    }
    kept = command._most_remarkable(nodes, told)
    assert list(kept)[:6] == [last, slow, odd, "n3", "n2", "n0"]
    assert len(kept) == command.MOST_TABLES
    assert kept[slow] == nodes[slow]
    few = dict(list(nodes.items())[: command.MOST_TABLES])
    assert command._most_remarkable(few, told) == few
