"""Many nodes: the slow one is named, and the tables of any node are there when they are wanted."""

import re
import sys

import pytest

from bench_hpc.page.conftest import ROOT, of_node, save, unfold

sys.path.append(str(ROOT / "harness" / "test"))
from made_up import retimed

NODES = 110  # two rows each: more than the page shows at once
SLOW = "n017"


@pytest.fixture
def tab(open_page, page_of_many):
    return open_page(page_of_many)


def rows(tab):
    return tab.locator("#comparison tbody tr")


def opened(tab):
    return tab.locator("#runs > .run").evaluate_all("all => all.map(one => one.dataset.node)")


def test_the_page_opens_with_the_slow_node(tab):
    answers = tab.locator("#answers").inner_text()
    assert f"{NODES} nodes were compared: one is slow" in answers
    assert SLOW in answers
    assert "energy 1.40" in answers
    assert rows(tab).first.inner_text().startswith(SLOW)
    assert rows(tab).first.locator("td").nth(1).inner_text() == "slow"


def test_few_rows_lie_open_and_the_others_come_on_demand(tab):
    assert rows(tab).count() == 60
    tab.get_by_role("button", name="Show 270 more").click()
    assert rows(tab).count() == 3 * NODES
    assert tab.locator("#nodes button.more").is_hidden()
    status = tab.get_by_role("status").inner_text()
    tables = tab.locator(".variants tbody tr").count()
    assert status == f"{3 * NODES + tables} of {3 * NODES + tables} rows shown"


def test_the_comparison_sorts_all_rows_not_only_those_that_are_shown(tab):
    tab.locator("#comparison thead th").first.get_by_role("button").click()
    assert rows(tab).first.inner_text().startswith("n001")
    tab.locator("#comparison thead th").first.get_by_role("button").click()
    assert rows(tab).first.inner_text().startswith(f"n{NODES:03}")


def test_a_verdict_can_be_filtered(tab):
    tab.get_by_label("verdict").select_option("slow")
    assert rows(tab).count() == 3
    assert all(text.startswith(SLOW) for text in rows(tab).all_inner_texts())


def test_a_nodes_tables_are_opened_when_it_is_chosen(tab):
    (typical,) = opened(tab)
    for node in ("n001", f"n{NODES:03}"):
        tab.get_by_label("node", exact=True).select_option(node)
        tab.wait_for_selector(f"#runs > .run[data-node={node}]")
        assert opened(tab) == [node]
        assert rows(tab).count() == 3
        assert tab.locator(".variants tbody tr").count() > 14
        assert f"{node}.json" in tab.locator(".document").inner_text()
    # They sort like the others.
    unfold(tab)
    heading = tab.locator(".variants thead th").nth(1)
    heading.get_by_role("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    tab.get_by_role("button", name="Reset").click()
    tab.wait_for_selector(f"#runs > .run[data-node={typical}]")


def test_a_slow_nodes_name_leads_to_its_tables(tab):
    tab.locator("#answers a", has_text=SLOW).click()
    tab.wait_for_selector(f"#runs > .run[data-node={SLOW}]")
    assert tab.get_by_label("node", exact=True).input_value() == SLOW
    assert tab.evaluate("document.activeElement.id") == "tables"
    tab.go_back()


def test_an_address_with_a_node_opens_it(open_page, page_of_many):
    tab = open_page(page_of_many, f"#node={SLOW}&workload=energy")
    assert opened(tab) == [SLOW]
    assert tab.locator(".variants:visible").count() == 1


def test_without_scripts_the_most_remarkable_rows_and_one_node_are_there(open_page, page_of_many):
    tab = open_page(page_of_many, java_script_enabled=False)
    assert rows(tab).first.inner_text().startswith(SLOW)
    assert rows(tab).count() == 60
    assert tab.locator(".variants tbody tr:visible").count() > 14
    assert "Without scripts" in tab.locator("#tables").inner_text()


def test_a_browser_that_cannot_unpack_says_so(browser, page_of_many):
    tab = browser.new_page()
    tab.add_init_script("delete window.DecompressionStream")
    tab.goto(page_of_many.as_uri())
    tab.wait_for_selector("html[data-ready]", state="attached")
    tab.get_by_label("node", exact=True).select_option("n001")
    tab.get_by_text("too old").wait_for()
    tab.close()


def test_nodes_of_different_hardware_are_not_compared(make_page, open_page, recorded, tmp_path):
    for node in ("a", "b"):
        document = of_node(recorded, node)
        document["context"]["machine"]["cpu_model"] = f"processor {node}"
        save(document, tmp_path / f"{node}.json")
    answers = open_page(make_page(tmp_path)).locator("#answers").inner_text()
    assert "2 nodes, each the only one with its processor and GPU" in answers


REMARKS = {  # headings; what administrators read is in English
    "en": ("suspect: ", "warning: "),
    "pt": ("suspeito: ", "aviso: "),
    "es": ("sospechoso: ", "aviso: "),
    "fr": ("suspect : ", "avertissement : "),
}


@pytest.fixture(scope="session")
def with_remarks(recorded, tmp_path_factory):
    """Ten nodes: two are remarkable, and none is slow."""
    folder = tmp_path_factory.mktemp("remarks")
    steady = retimed(recorded, lambda _: 1, steady=True)
    for number in range(10):
        document = of_node(steady, f"n{number}", 1.03 if number == 2 else 1)
        document["context"]["run"]["phases_s"] = {"samples": 40 if number == 4 else 30}
        save(document, folder / f"n{number}.json")
    return folder


@pytest.mark.parametrize("language", REMARKS)
def test_suspects_and_who_is_longer_at_work_are_named(make_page, open_page, with_remarks, language):
    tab = open_page(make_page(with_remarks, "--lang", language))
    remarks = tab.locator("#nodes .remarks").inner_text().replace("\u00a0", " ")
    suspect, warning = REMARKS[language]
    because = ": " if language != "fr" else " : "
    assert f"{suspect}n2{because}1.03" in remarks
    assert "slower in 2 of 2 columns (best CPU variant)" in remarks
    assert f"{warning}n4{because}a repetition takes 40 s (others 30 s), although" in remarks
    assert tab.locator("#nodes .remarks li").count() == 2
    assert re.search(r": 2\.$", tab.locator("#answers .lead").inner_text())
    tab.locator(".remarks a", has_text="n2").click()
    assert tab.evaluate("document.activeElement.id") == "tables"
    tab.go_back()


def test_what_a_node_has_not_is_said(make_page, open_page, recorded, tmp_path):
    for node in "abc":
        document = of_node(recorded, node)
        if node == "b":
            document["context"]["machine"]["cpu_quota"] = 0.6
        save(document, tmp_path / f"{node}.json")
    said = open_page(make_page(tmp_path)).locator("#nodes").inner_text()
    assert "lacking: b: quota of cpu time 0.6 (others none)" in said


def test_several_runs_of_one_node_are_all_there(make_page, open_page, recorded, tmp_path):
    for number in range(26):
        save(of_node(recorded, f"n{number // 2}"), tmp_path / f"{number:02}.json")
    tab = open_page(make_page(tmp_path))
    tab.get_by_label("node", exact=True).select_option("n3")
    tab.wait_for_selector("#runs > .run[data-node=n3]")
    assert opened(tab) == ["n3", "n3"]
