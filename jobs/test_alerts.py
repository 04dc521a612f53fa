"""The alert rules, as Prometheus reads them: which alert is raised when."""

import json
import re
import shutil
import subprocess

import pytest

from conftest import ROOT

RULES = ROOT / "jobs" / "alerts.yml"
WORDS = ("OK", "UNCLEAR", "BUSY", "SLOW", "ABSENT", "WRONG", "UNKNOWN")
HOURS, STEPS = 8, 25  # more than a week

pytestmark = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is not installed (apt install prometheus)"
)


def series(node, word, checked=True, verdict=True):
    """A node that is always in this state; without checks or verdicts, since the hour 0."""
    values = {
        f'bench_check_status{{node="{node}",status="{one}"}}': f"{int(one == word)}x{STEPS}"
        for one in WORDS
    }
    for kind, moves in (("end", checked), ("verdict", verdict)):
        name = f'bench_check_{kind}_timestamp_seconds{{node="{node}"}}'
        values[name] = f"0+{3600 * HOURS}x{STEPS}" if moves else f"0x{STEPS}"
    return [{"series": name, "values": value} for name, value in values.items()]


def raised(tmp_path, nodes, after=HOURS * STEPS):
    """The alerts that Prometheus raises after these hours, of which nodes."""
    alerts = sorted(set(re.findall("- alert: (.*)", RULES.read_text())))
    assert len(alerts) == 5
    moment = f"{after}h"
    test = {
        "interval": f"{HOURS}h",
        "input_series": [one for node in nodes for one in node],
        "alert_rule_test": [
            {"eval_time": moment, "alertname": alert, "exp_alerts": []} for alert in alerts
        ],
    }
    (tmp_path / "rules.yml").write_text(RULES.read_text())
    content = {"rule_files": ["rules.yml"], "evaluation_interval": f"{HOURS}h", "tests": [test]}
    (tmp_path / "test.yml").write_text(json.dumps(content))
    command = ["promtool", "test", "rules", "test.yml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = set()  # it prints what was not expected
    for said in (done.stdout + done.stderr).split("alertname: ")[1:]:
        alert = said.split(",")[0]
        found.update((alert, node) for node in re.findall(r' node="(\w+)"', said) or [""])
    assert bool(found) == bool(done.returncode), done.stderr
    return found


def test_the_rules_are_rules():
    done = subprocess.run(["promtool", "check", "rules", RULES], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_sound_node_raises_nothing(tmp_path):
    assert raised(tmp_path, [series("n1", "OK")]) == set()


def test_each_state_has_its_alert(tmp_path):
    nodes = [series("n1", "SLOW"), *(series(f"sound{i}", "OK") for i in range(40))]
    assert raised(tmp_path, nodes) == {("BenchNodeSlow", "n1")}
    for word in ("ABSENT", "WRONG"):
        assert raised(tmp_path, [series("n2", word), *nodes[1:]]) == {("BenchNodeBroken", "n2")}
    busy = series("n3", "BUSY", verdict=False)
    assert raised(tmp_path, [busy]) == {("BenchNodeWithoutVerdict", "n3")}
    assert raised(tmp_path, [busy], after=HOURS) == set(), "a new node"
    gone = series("n1", "OK", checked=False)
    assert raised(tmp_path, [gone]) == {("BenchNodeNotChecked", "n1")}


def test_many_slow_nodes_are_one_alert_more(tmp_path):
    nodes = [
        series("n1", "SLOW"),
        series("n2", "SLOW"),
        *(series(f"o{i}", "OK") for i in range(30)),
    ]
    assert ("BenchManyNodesSlow", "") in raised(tmp_path, nodes)
    nodes += [series(f"more{i}", "OK") for i in range(40)]
    assert ("BenchManyNodesSlow", "") not in raised(tmp_path, nodes)
