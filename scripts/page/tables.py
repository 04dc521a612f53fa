"""The program's tables as the page shows them: nothing is computed but the lengths of bars."""

from dataclasses import dataclass

import program


def told(documents, language):
    """`bench table`: the runs, their tables and how to read them."""
    files = [str(document.path) for document in documents]
    answer = program.ask(["table", "--format", "json", "--lang", language, "--", *files])
    if answer.get("schema") != "bench-tables/1":
        raise program.UsageError(
            f"{program.binary()} table gave no 'bench-tables/1': is it another version?"
        )
    return answer


@dataclass(frozen=True)
class Cell:
    text: str
    value: object = ""  # for sorting; empty where there is none
    bar: object = None  # 0 to 100


@dataclass(frozen=True)
class Said:
    """A sentence of the document's."""

    text: str
    english: bool  # as it was recorded


def said(row, key):
    return Said(row[f"{key}_text"] or "", row[f"{key}_text"] == row[key])


@dataclass(frozen=True)
class Row:
    variant: str  # backend/variant, for the filter
    label: str
    idea: object  # Said
    cells: list
    status: str = ""  # in the page's language
    reason: object = None  # Said


def _sort_value(value):
    """An interval is sorted by its lower end."""
    if isinstance(value, list):
        value = value[0] if value else None
    return "" if value is None else value


def status(row):
    """The status without the reason, which may be in another language."""
    text, reason = row["instead"] or row["status"], row["reason_text"] or ""
    return text[: -len(reason)] if reason and text.endswith(reason) else f"{text}: "


def _row(row, columns, fastest):
    label, *texts = row["cells"]
    variant = f"{row['backend']}/{row['variant']}"
    if row["status"] != "measured":
        return Row(variant, label, said(row, "idea"), [], status(row), said(row, "reason"))
    cells = []
    for column, text in zip(columns[1:], texts):
        value = row["values"].get(column["key"])
        bar = None
        if column["key"] == "best" and value and fastest:
            bar = max(1, round(100 * value / fastest))
        cells.append(Cell(text, _sort_value(value), bar))
    return Row(variant, label, said(row, "idea"), cells)


def _folded(some, rows):
    """One row for those of a backend that have a reason in common."""
    names = " ".join(f"{row['backend']}/{row['variant']}" for row in rows)
    told = Said(some["text"], english=False)
    return Row(names, some["backend"], Said("", english=False), [], "", told)


def _table(facts):
    columns = facts["columns"]
    speeds = [row["values"].get("best") or 0 for row in facts["rows"] if row["values"]]
    fastest = max(speeds, default=0)
    rows = [_row(row, columns, fastest) for row in facts["rows"]]
    for some in facts["folded"]:
        first, *others = some["rows"]
        rows[first] = _folded(some, [facts["rows"][i] for i in some["rows"]])
        for i in others:
            rows[i] = None
    return {**facts, "rows": [row for row in rows if row], "image": None}


def runs(told, documents, first):
    """The runs of `bench table`, each with its documents and tables, and the names that links need;
    `first` is the number of the first run."""
    by_path = {str(document.path): document for document in documents}
    found = []
    for number, run in enumerate(told["runs"]):
        its = [by_path[file] for file in run["files"]]
        recorded = {one for document in its for one in document.context["run"].get("warnings", [])}
        warnings = [Said(text, text in recorded) for text in run["warnings"]]
        tables = [_table(facts) for facts in told["tables"] if facts["run"] == number]
        identity = f"{first + number}"
        for table_number, table in enumerate(tables):
            table["identity"] = f"table-{identity}-{table_number}"
        own = {"identity": f"run-{identity}", "documents": its, "tables": tables}
        found.append({**run, **own, "warnings": warnings})
    return found


def headlines(run):
    """For each workload and precision the table of the largest size: its sentence comes first."""
    largest = {}
    for table in run["tables"]:
        key = (table["workload"], table["dtype"])
        if table["conclusion"] and (
            key not in largest or table["elements"] > largest[key]["elements"]
        ):
            largest[key] = table
    return list(largest.values())
